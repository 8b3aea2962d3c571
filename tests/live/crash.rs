//! `kill -9` at any moment: what is recorded as done is not done again.

use std::collections::BTreeMap;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::place::{Place, check_replay, has_python};

/// How often the process is killed, unless `NODEWISE_CRASHES` says it.
const CRASHES: u32 = 12;
/// So many tools append to the file, one after another.
const TOOLS: usize = 10;

/// What every tool does; the time around it is for the process to be killed in.
const APPEND: &str = "\
import time

def append(name):
    time.sleep(0.01)
    with open('effects.txt', 'a') as file:
        file.write(name + '\\n')
    time.sleep(0.01)
    return name
";

/// A graph of tools that append their names to a file; a resume does so with calls that may have had their effect.
fn place(again: &str) -> Place {
    let mut config = "[live]\n".to_owned();
    let mut graph = "id: flow\nname: Flow\ndescription: ''\nstart_node: t0\nnodes:\n".to_owned();
    let mut edges = "edges:\n".to_owned();
    let mut python = APPEND.to_owned();
    for tool in 0..TOOLS {
        config += &format!("tools.t{tool} = {{ function = \"effects.t{tool}\", again = \"{again}\" }}\n");
        graph += &format!("  - {{id: t{tool}, type: tool, tool_id: t{tool}, tools: [t{tool}]}}\n");
        python += &format!("def t{tool}():\n    return append('t{tool}')\n");
        if tool > 0 {
            edges += &format!("  - {{source: t{}, target: t{tool}}}\n", tool - 1);
        }
    }
    graph += &format!("{edges}end_nodes: [t{}]\n", TOOLS - 1);
    let place = Place::new("");
    place.write("nodewise.toml", &config);
    place.write("flow.yaml", &graph);
    place.write("effects.py", &python);
    place
}

fn effects(place: &Place) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for line in place.read("effects.txt").lines() {
        *counts.entry(line.to_owned()).or_default() += 1;
    }
    counts
}

/// Waits until a run is about to be on record.
fn wait_for_record(place: &Place, child: &mut Child) {
    while !place.path().join(".nodewise").exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Kills a run after a while; the run, if it was cut off in the middle.
fn cut_off(after: Duration, again: &str) -> Option<Place> {
    let place = place(again);
    let mut child = place
        .command(&["run", "flow.yaml", "--trust", "--no-progress"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_for_record(&place, &mut child);
    std::thread::sleep(after);
    child.kill().unwrap();
    child.wait().unwrap();
    let runs = place.run(&["runs", "--format", "json"]);
    if !runs.out.contains("\"id\"") {
        assert_eq!(effects(&place), BTreeMap::new(), "nothing is done before the run is on record: {runs:?}");
        return None;
    }
    (!runs.out.contains("\"completed\"")).then_some(place)
}

/// Kills a run after a while, goes on with it, and counts; whether the run was cut off in the middle.
fn crash(after: Duration) -> bool {
    let Some(place) = cut_off(after, "repeat") else { return false };
    let resumed = place.run(&["resume", "last", "--trust", "--no-progress", "--format", "json"]).well();
    let effects = effects(&place);
    assert_eq!(effects.len(), TOOLS, "{effects:?}");
    for (tool, count) in effects {
        let is_told = resumed.err.contains(&format!("calls the tool `{tool}` again"));
        assert!(count == 1 || count == 2 && is_told, "{tool}: {count} times\n{}", resumed.err);
    }
    check_replay(&place, &resumed.out);
    true
}

/// The same, where calls are not repeated, or a person is asked and repeats none: nothing is done twice, and what became of the
/// last call is what the person says.
fn crash_without_repeats(after: Duration, again: &str) -> bool {
    let Some(place) = cut_off(after, again) else { return false };
    let resume = ["resume", "last", "--trust", "--no-progress", "--format", "json"];
    let mut resumed = place.run(&resume);
    if resumed.code != Some(0) {
        let told = resumed.err.split("the call of the tool `").nth(1);
        let tool = told.and_then(|rest| rest.split('`').next()).unwrap_or_default();
        assert!(tool.starts_with('t'), "{resumed:?}");
        let answer = format!("{tool}=\"{tool}\"");
        resumed = place.run(&[&resume[..], &["--answer", &answer]].concat()).well();
    }
    let effects = effects(&place);
    assert!(effects.values().all(|count| *count == 1), "{effects:?}");
    assert!(
        effects.len() >= TOOLS - 1,
        "only the call that was cut off may be without its effect: {effects:?}"
    );
    check_replay(&place, &resumed.out);
    true
}

/// Kills a run that begins from a recorded one, and goes on with it: what was recorded is not done again.
fn crash_of_fork(after: Duration) -> bool {
    let place = place("repeat");
    place.run(&["run", "flow.yaml", "--trust", "--no-progress"]).well();
    let mut child = place
        .command(&["run", "--from", "last@t5", "--trust", "--no-progress"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // The lease of a run is there as long as the run.
    let is_begun = || {
        let files = std::fs::read_dir(place.path().join(".nodewise")).unwrap();
        files.into_iter().any(|file| file.unwrap().path().extension().is_some_and(|end| end == "lock"))
    };
    while !is_begun() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(after);
    child.kill().unwrap();
    child.wait().unwrap();
    let runs = place.run(&["runs", "--format", "json"]).well();
    let runs: serde_json::Value = serde_json::from_str(&runs.out).unwrap();
    let runs = runs["runs"].as_array().unwrap();
    if runs.len() < 2 || runs[0]["status"] == "completed" {
        return false;
    }
    let resumed = place.run(&["resume", "last", "--trust", "--no-progress", "--format", "json"]).well();
    for (tool, count) in effects(&place) {
        let is_kept = tool.as_str() < "t5";
        let is_told = resumed.err.contains(&format!("calls the tool `{tool}` again"));
        let is_right = if is_kept { count == 1 } else { count == 2 || count == 3 && is_told };
        assert!(is_right, "{tool}: {count} times\n{}", resumed.err);
    }
    check_replay(&place, &resumed.out);
    true
}

/// How long a run takes that nobody kills.
fn whole() -> Duration {
    let place = place("repeat");
    let mut child = place
        .command(&["run", "flow.yaml", "--trust", "--no-progress"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    wait_for_record(&place, &mut child);
    let begun = Instant::now();
    assert!(child.wait().unwrap().success());
    begun.elapsed()
}

/// Crashes at points all over a run; one of them at least is in the middle of it.
fn check_crashes(crash: impl Fn(Duration) -> bool + Send + Sync) {
    let whole = whole();
    let crashes = std::env::var("NODEWISE_CRASHES").map_or(CRASHES, |count| count.parse().unwrap());
    // In an order without a pattern.
    let point =
        |number: u32| whole.mul_f64(f64::from(number.wrapping_mul(2_654_435_761) >> 8) / f64::from(1 << 24));
    let half = |thread: u32| {
        let numbers = (0..crashes).filter(|number| number % 2 == thread);
        numbers.filter(|number| crash(point(*number))).count()
    };
    let cut: usize = std::thread::scope(|scope| {
        let other = scope.spawn(|| half(1));
        half(0) + other.join().unwrap()
    });
    println!("{cut} of {crashes} runs were cut off in their middle, of {whole:?}");
    assert!(cut > 0, "none of {crashes} runs was cut off in its middle");
}

#[test]
fn no_effect_is_lost_or_done_twice_in_silence() {
    if has_python() {
        check_crashes(crash);
    }
}

#[test]
fn a_run_from_a_recorded_one_survives_like_any_other() {
    if has_python() {
        check_crashes(crash_of_fork);
    }
}

#[test]
fn no_effect_is_done_twice_that_must_not_be_repeated() {
    if has_python() {
        check_crashes(|after| crash_without_repeats(after, "never"));
        check_crashes(|after| crash_without_repeats(after, "ask"));
    }
}
