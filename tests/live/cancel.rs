//! Runs that are cancelled from another process.

use std::process::Stdio;
use std::time::Duration;

use crate::place::{Done, Place, has_python};

const FLOW: &str = "\
#- flow.yaml
id: flow
name: Flow
description: ''
start_node: slow
nodes:
  - {id: slow, type: tool, tool_id: slow, tools: [slow]}
  - {id: ask, type: approval, approval_config: {prompt_message: 'Go on?'}}
edges:
  - {source: slow, target: ask}
end_nodes: [ask]
#- nodewise.toml
[live]
tools.slow = { function = \"slow.slow\" }
#- slow.py
import os, time
def slow(**state):
    open('started', 'w').close()
    while not os.path.exists('finish'):
        time.sleep(0.01)
    return 'done'
";

#[test]
fn a_run_that_another_terminal_drives_is_cancelled() {
    if !has_python() {
        return;
    }
    let place = Place::new(FLOW);
    let mut command = place.command(&["run", "flow.yaml", "--trust", "--no-progress", "--name", "slow one"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !place.path().join("started").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    place.run(&["runs", "cancel", "slow one"]).well();
    let run = Done::of(child.wait_with_output().unwrap());
    assert_eq!(run.code, Some(1), "{}", run.err);
    assert!(run.err.contains("was cancelled"), "{}", run.err);
    let list = place.run(&["runs"]).well().out;
    assert!(list.contains("cancelled") && list.contains("slow one: graph `Flow`"), "{list}");
    let shown = place.run(&["runs", "show", "last"]).well().out;
    assert!(shown.contains("the run was cancelled with `nodewise runs cancel`"), "{shown}");
    place.run(&["runs", "replay", "last"]).well();
    place.run(&["runs", "check"]).well();
    let again = place.run(&["runs", "cancel", "last"]);
    assert!(again.err.contains("has ended"), "{}", again.err);
    // What was cancelled can be continued; then it waits, and is cancelled where nobody drives it.
    place.write("finish", "");
    let resumed = place.run(&["resume", "--trust", "--no-progress"]);
    assert!(resumed.err.contains("waits for a decision at `ask`"), "{}", resumed.err);
    place.run(&["runs", "cancel", "last"]).well();
    assert!(place.run(&["runs"]).well().out.contains("cancelled"));
    let resumed = place.run(&["resume", "--approve", "--trust", "--no-progress"]).well();
    assert!(resumed.out.contains("ask"), "{}", resumed.out);
    assert!(place.run(&["runs"]).well().out.contains("completed"));
}

#[test]
fn runs_are_found_by_name_and_tag() {
    if !has_python() {
        return;
    }
    let place = Place::new(FLOW);
    place.write("finish", "");
    for words in [&["--name", "first", "--tag", "nightly", "--tag", "claims"][..], &["--tag", "nightly"], &[]]
    {
        let run = place.run(&[&["run", "flow.yaml", "--trust", "--no-progress"], words].concat());
        assert_eq!(run.code, Some(1), "{}", run.err);
    }
    let count = |words: &[&str]| place.run(&[&["runs"], words].concat()).well().out.lines().count();
    assert_eq!((count(&[]), count(&["--tag", "nightly"])), (3, 2));
    assert_eq!(count(&["--tag", "nightly", "--tag", "claims"]), 1);
    let none = place.run(&["runs", "--tag", "weekly"]).well();
    assert_eq!((none.out.as_str(), none.err.trim()), ("", "no run has the tag `weekly`"));
    let list = place.run(&["runs", "--tag", "claims"]).well().out;
    assert!(list.trim_end().ends_with("first: graph `Flow` #nightly #claims"), "{list}");
    let json = place.run(&["runs", "--tag", "claims", "--format", "json"]).well().out;
    assert!(json.contains("\"name\": \"first\"") && json.contains("\"nightly\""), "{json}");
    let shown = place.run(&["runs", "show", "first"]).well().out;
    assert!(shown.contains("slow"), "{shown}");
}
