//! The formats of `check`.

use crate::cli::support::{Folder, check_run, check_shown};

const BROKEN: &str = "
#- agents/chat.yaml
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
tools:
  - get_wether
#- tools.yaml
kind: ToolNode
name: get_weather
description: Weather
func: w.get
---
kind: ToolNode
name: get_weather
description: Weather again
func: w.again
";

const CLEAN: &str = "
#- chat.yaml
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
";

#[test]
fn full_shows_the_source_lines() {
    check_run(
        BROKEN,
        "check",
        "
error[unknown-tool]: no tool is named `get_wether`
 --> agents/chat.yaml:5:5
  |
5 |   - get_wether
  |     ^^^^^^^^^^ nothing in the project declares it
  |
  = help: write `get_weather`, which is declared

error[duplicate-declaration]: ToolNode `get_weather` is declared twice
 --> tools.yaml:6:1
  |
2 | name: get_weather
  |       ----------- it is declared here first
...
6 | kind: ToolNode
  | ^^^^ this one fails to load; the first stays
  |
  = help: rename one of them, or make this one an overlay of the other

2 errors in 2 files (3 declarations)
exit 1
",
    );
}

#[test]
fn concise_is_one_line_each() {
    check_run(
        BROKEN,
        "check --format concise",
        "
agents/chat.yaml:5:5: error[unknown-tool] no tool is named `get_wether`
tools.yaml:6:1: error[duplicate-declaration] ToolNode `get_weather` is declared twice
2 errors in 2 files (3 declarations)
exit 1
",
    );
}

#[test]
fn json_has_every_part() {
    let found = Folder::new(BROKEN).run("check --format json");
    let document = found.trim_end().strip_suffix("exit 1").unwrap();
    let mut document: serde_json::Value = serde_json::from_str(document).unwrap();
    assert_eq!(document["version"], 1);
    let link = document["diagnostics"][0].as_object_mut().unwrap().shift_remove("specUrl").unwrap();
    let address = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/v", env!("CARGO_PKG_VERSION"));
    assert_eq!(link, format!("{address}/docs/spec/liman.md#unresolved-tool"));
    assert_eq!(
        document["diagnostics"][0].to_string(),
        r#"{"file":"agents/chat.yaml","rule":"unknown-tool","category":"correctness","spec":"liman:unresolved-tool","severity":"error","message":"no tool is named `get_wether`","range":{"start":{"line":5,"column":5,"offset":64},"end":{"line":5,"column":15,"offset":74}},"label":"nothing in the project declares it","help":"write `get_weather`, which is declared","related":[],"fixes":[{"title":"Replace it with `get_weather`","safe":false,"edits":[{"file":"agents/chat.yaml","range":{"start":{"line":5,"column":5,"offset":64},"end":{"line":5,"column":15,"offset":74}},"text":"get_weather"}]}]}"#
    );
    let related = &document["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["severity"] == "error" && one["file"] == "tools.yaml")
        .unwrap()["related"];
    assert_eq!(
        related.to_string(),
        r#"[{"file":"tools.yaml","range":{"start":{"line":2,"column":7,"offset":21},"end":{"line":2,"column":18,"offset":32}},"message":"it is declared here first"}]"#
    );
    assert_eq!(
        document["summary"].to_string(),
        r#"{"files":2,"declarations":3,"leftAlone":0,"unreadable":0,"errors":2,"warnings":0,"infos":0}"#
    );
}

#[test]
fn clean_files_end_with_0() {
    check_run(CLEAN, "check", "No problems in 1 file (1 declaration)\nexit 0\n");
    check_run(CLEAN, "check --format concise .", "No problems in 1 file (1 declaration)\nexit 0\n");
    check_run(
        CLEAN,
        "check --format json",
        "{\"version\":1,\"diagnostics\":[\n],\"summary\":{\"files\":1,\"declarations\":1,\"leftAlone\":0,\"unreadable\":0,\"errors\":0,\"warnings\":0,\"infos\":0}}\nexit 0\n",
    );
    check_run("", "check -q", "exit 0\n");
}

#[test]
fn files_of_nobody_are_left_alone() {
    let files = "
#- compose.yaml
services: {web: {image: nginx}}
";
    check_run(
        files,
        "check",
        "No declarations found, 1 file skipped\n! warning: no declarations of Liman, cycgraph, AgentOS found\n!   help: check the paths; `nodewise check --list-files` shows why a file is skipped\nexit 0\n",
    );
}

#[test]
fn columns_count_characters() {
    let files = "
#- x.yaml
kind: Node
name: n
func: f.n
nodes:
  - {id: \"😀é漢\", target: n, when: \"a =\"}
";
    check_run(
        files,
        "check",
        "
error[invalid-expression]: `=` is not part of the language
 --> x.yaml:5:37
  |
5 |   - {id: \"😀é漢\", target: n, when: \"a =\"}
  |                                       ^ the edge would never be followed
  |
  = help: write `==` to compare

1 error in 1 file (1 declaration)
exit 1
",
    );
}

#[test]
fn threads_and_the_order_of_arguments_change_nothing() {
    let folder = Folder::new("");
    for number in 0..300 {
        let text = format!("kind: LLMNode\nname: n{}\ntools: [t{number}, t{number}]\n", number % 100);
        folder.write(&format!("{}/f{number}.yaml", number % 7), text);
    }
    let mut seen = Vec::new();
    for (threads, words) in [("1", "check 0 1 2 3 --format json"), ("4", "check 3 2 1 0 2 --format json")] {
        for _ in 0..3 {
            let output = folder.command(words).env("RAYON_NUM_THREADS", threads).output().unwrap();
            seen.push(String::from_utf8(output.stdout).unwrap());
        }
    }
    assert!(seen.iter().all(|one| one == &seen[0]), "outputs differ");
    assert!(seen[0].contains("\"files\":172"), "{}", seen[0]);
}

#[test]
fn a_reader_who_stops_reading_is_no_error() {
    let folder = Folder::new(BROKEN);
    let mut command = folder.command("check");
    let mut child =
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    check_shown(&String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(output.status.code(), Some(1));
}
