//! `simulate --runs` on several threads and machines: `--shard` and `--merge`.

use std::fmt::Write as _;

use crate::cli::support::{Folder, check_shown};

/// A graph that ends well three times of four, with a script.
const COIN: &str = r#"#- coin.yaml
id: coin
name: coin
start_node: throw
end_nodes: [heads, tails]
nodes:
  - {id: throw, type: agent, agent_id: thrower, write_keys: [face]}
  - {id: heads, type: router}
  - {id: tails, type: router}
edges:
  - {source: throw, target: heads, condition: {type: conditional, condition: "memory.face == \"heads\""}}
  - {source: throw, target: tails, condition: {type: conditional, condition: "memory.face == \"tails\""}}
#- coin.script.yaml
script: A coin that falls on its side now and then.
agents:
  thrower:
    one_of:
      - {calls: [{tool: save_to_memory, arguments: {key: face, value: heads}}], weight: 2, after_ms: 100, cost_usd: 0.1}
      - {calls: [{tool: save_to_memory, arguments: {key: face, value: tails}}], after_ms: 250, input_tokens: 7}
      - {error: side}
"#;

/// Runs `words` as so many shards, and merges them in descending order.
fn merged(folder: &Folder, words: &str, shards: u32, format: &str) -> String {
    let mut files = String::new();
    for index in (0..shards).rev() {
        let output = folder.command(&format!("{words} --shard {index}/{shards}")).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        folder.write(&format!("{index}.json"), output.stdout);
        write!(files, " {index}.json").unwrap();
    }
    folder.run(&format!("simulate --merge{files} --format {format}"))
}

/// Holds that neither threads nor shards change what a sample prints.
#[track_caller]
fn check_shards(folder: &Folder, words: &str) {
    for format in ["text", "json"] {
        let whole = format!("{words} --format {format}");
        let one_thread = folder.command(&whole).env("RAYON_NUM_THREADS", "1").output().unwrap();
        let four_threads = folder.command(&whole).env("RAYON_NUM_THREADS", "4").output().unwrap();
        assert!(!one_thread.stdout.is_empty(), "{}", String::from_utf8_lossy(&one_thread.stderr));
        assert_eq!(one_thread, four_threads, "`{whole}` with one thread and with four");
        let whole = folder.run(&whole);
        for shards in [1, 2, 7] {
            check_shown(&merged(folder, words, shards, format), &whole);
        }
    }
}

#[test]
fn shards_of_the_examples_add_up_to_the_whole() {
    let folder = Folder::new("");
    let examples = format!("{}/examples", env!("CARGO_MANIFEST_DIR"));
    for words in [
        "cycgraph/claims.yaml --script EXAMPLES/cycgraph/claims.script.yaml --runs 150 --seed 3",
        "cycgraph/claims.yaml --runs 150",
        "agentos/refunds.yaml --script EXAMPLES/agentos/refunds.script.yaml --runs 150",
        "agentos/refunds.yaml --runs 150 --seed 18446744073709551615",
        "liman/desk.yaml --runs 150 --start desk",
    ] {
        check_shards(&folder, &format!("simulate EXAMPLES/{words}").replace("EXAMPLES", &examples));
    }
}

#[test]
fn fewer_runs_than_shards() {
    check_shards(&Folder::new(COIN), "simulate coin.yaml --script coin.script.yaml --runs 3");
}

#[test]
fn a_shard_reports_what_it_counted() {
    let folder = Folder::new(COIN);
    let shown = folder.run("simulate coin.yaml --script coin.script.yaml --runs 10 --shard 1/4");
    let shard: serde_json::Value = serde_json::from_str(shown.lines().next().unwrap()).unwrap();
    assert_eq!(shard["format"], "nodewise-sample/1");
    assert_eq!(shard["shard"], serde_json::json!({"index": 1, "of": 4}));
    assert_eq!(shard["runs"], 10);
    assert_eq!(shard["counts"]["runs"], 3, "the runs 1, 5 and 9");
    let first = shard["counts"]["outcomes"].as_array().unwrap().iter().map(|outcome| &outcome["first"]);
    assert!(first.clone().all(|first| [1, 5, 9].contains(&first.as_u64().unwrap())), "{shown}");
    assert!(shown.ends_with("exit 0\n"), "a run that fails does not fail its shard: {shown}");
}

/// Holds that shards are refused: what is written over the file `1.json` of three, and the refusal.
#[track_caller]
fn check_refused(change: impl Fn(&Folder), words: &str, expected: &str) {
    let folder = Folder::new(COIN);
    merged(&folder, "simulate coin.yaml --script coin.script.yaml --runs 30", 3, "text");
    change(&folder);
    check_shown(&folder.run(words), expected);
}

/// Replaces the shard 1 of 3 by what a command line writes.
fn written_by(words: &'static str) -> impl Fn(&Folder) {
    move |folder| folder.write("1.json", folder.command(words).output().unwrap().stdout)
}

const SAME: &str = "!   help: run all shards with the same nodewise, files, script and options\nexit 2\n";
const ALL: &str = "simulate --merge 0.json 1.json 2.json";

#[test]
fn shards_of_other_runs_are_refused() {
    let refusal = |reason: &str| {
        format!("! error: `1.json` and `0.json` are not shards of the same runs: {reason}\n{SAME}")
    };
    check_refused(
        written_by("simulate coin.yaml --script coin.script.yaml --runs 30 --seed 1 --shard 1/3"),
        ALL,
        &refusal("the seeds are 1 and 0"),
    );
    check_refused(
        written_by("simulate coin.yaml --script coin.script.yaml --runs 31 --shard 1/3"),
        ALL,
        &refusal("`--runs` is 31 and 30"),
    );
    check_refused(
        written_by("simulate coin.yaml --script coin.script.yaml --runs 30 --shard 1/4"),
        ALL,
        &refusal("the numbers of shards are 4 and 3"),
    );
    let differs = refusal("the declarations, the script or the start of the runs differ");
    check_refused(written_by("simulate coin.yaml --runs 30 --shard 1/3"), ALL, &differs);
    check_refused(
        written_by("simulate coin.yaml --script coin.script.yaml --input 7 --runs 30 --shard 1/3"),
        ALL,
        &differs,
    );
    let edited = |file: &'static str, from: &'static str, to: &'static str| {
        move |folder: &Folder| {
            folder.write(file, folder.read(file).replace(from, to));
            written_by("simulate coin.yaml --script coin.script.yaml --runs 30 --shard 1/3")(folder);
        }
    };
    check_refused(edited("coin.script.yaml", "weight: 2", "weight: 3"), ALL, &differs);
    check_refused(edited("coin.yaml", "name: coin", "name: Coin"), ALL, &differs);
}

#[test]
fn missing_and_repeated_shards_are_refused() {
    let nothing = |_: &Folder| {};
    check_refused(
        nothing,
        "simulate --merge 1.json",
        "! error: the shards 0/3, 2/3 are missing\n!   help: run what is missing with `--shard`, and give the files of all shards\nexit 2\n",
    );
    check_refused(
        nothing,
        "simulate --merge 0.json 1.json 2.json 1.json",
        "! error: `1.json` and `1.json` both have the shard 1/3\n!   help: give each shard once\nexit 2\n",
    );
}

#[test]
fn damaged_shards_are_refused() {
    const AGAIN: &str =
        "!   help: write it again with `nodewise simulate TARGET --runs N --shard I/N`\nexit 2\n";
    let write = |text: &'static str| move |folder: &Folder| folder.write("1.json", text);
    check_refused(
        write(""),
        ALL,
        &format!("! error: `1.json` is empty: its shard did not run to the end\n{AGAIN}"),
    );
    let other = format!("! error: `1.json` is not the file of a shard\n{AGAIN}");
    for text in ["{\"format\": \"nodewise-sam", "[]", "{\"format\": \"other/1\"}"] {
        check_refused(write(text), ALL, &other);
    }
    check_refused(
        write("{\"format\": \"nodewise-sample/2\"}"),
        ALL,
        "! error: `1.json` has the format nodewise-sample/2, and this nodewise reads nodewise-sample/1\n!   help: merge shards with the nodewise that wrote them\nexit 2\n",
    );
    let damaged = format!("! error: `1.json` is damaged: its counts do not add up\n{AGAIN}");
    for (from, to) in [
        ("\"runs\":10", "\"runs\":11"),
        ("\"index\":1", "\"index\":3"),
        ("\"of\":3", "\"of\":0"),
        ("\"first\":1", "\"first\":2"),
        ("\"time_ms\":[[", "\"time_ms\":[[5,4294967295],[5,4294967295],["),
        ("\"seed\":0", "\"seed\":-1"),
        ("\"system\":\"cycgraph\"", "\"system\":\"other\""),
    ] {
        let change = move |folder: &Folder| {
            let text = folder.read("1.json");
            assert!(text.contains(from), "no {from} in {text}");
            folder.write("1.json", text.replacen(from, to, 1));
        };
        check_refused(change, ALL, &damaged);
    }
    check_refused(
        |_| {},
        "simulate --merge 0.json gone.json",
        "! error: `gone.json` cannot be read: No such file or directory (os error 2)\nexit 2\n",
    );
}

#[test]
fn wrong_usage() {
    let folder = Folder::new(COIN);
    let refused = |words: &str, reason: &str| {
        let shown = folder.run(words);
        assert!(shown.contains(reason) && shown.ends_with("exit 2\n"), "{words}: {shown}");
    };
    refused("simulate coin.yaml --shard 0/2", "--runs <N>");
    refused("simulate coin.yaml --runs 4 --shard 2/2", "the first number is from 0 to 1");
    refused("simulate coin.yaml --runs 4 --shard 2", "expected I/N");
    refused("simulate coin.yaml --runs 4 --shard a/2", "`a` is not a number");
    refused("simulate coin.yaml --merge 0.json", "cannot be used with");
    refused("simulate", "TARGET");
}

/// A signal ends a long sample at once: no counts of a part of the runs look like those of all. Not the one of Ctrl-C, which a
/// test in the background may have inherited as ignored.
#[cfg(unix)]
#[test]
fn an_interrupted_sample_prints_no_counts() {
    use std::os::unix::process::ExitStatusExt;
    use std::process::Stdio;

    let folder = Folder::new(COIN);
    for more in ["", " --shard 0/2"] {
        let words = format!("simulate coin.yaml --script coin.script.yaml --runs 4000000000{more}");
        let child = folder.command(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let end = ["-TERM", &child.id().to_string()];
        assert!(std::process::Command::new("kill").args(end).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.signal(), output.stdout.len()), (Some(15), 0), "{output:?}");
    }
}
