//! Backups and damage as a user meets them: `nodewise runs backup`, `restore`, `check`, and what every command says of a
//! damaged store.

use crate::place::Place;

const FLOW: &str = "\
#- flow.yaml
id: flow
name: Flow
description: ''
start_node: ask
nodes:
  - {id: ask, type: approval, approval_config: {prompt_message: 'Go on?'}}
  - {id: next, type: approval, approval_config: {prompt_message: 'Really?'}}
edges:
  - {source: ask, target: next}
end_nodes: [next]
#- nodewise.toml
[live]
";

/// A project with a run that waits.
fn waiting() -> (Place, String) {
    let place = Place::new(FLOW);
    let run = place.run(&["run", "flow.yaml", "--trust", "--no-progress"]);
    assert_eq!(run.code, Some(1), "{}", run.err);
    let list = place.run(&["runs"]).well().out;
    let id = list.split_whitespace().next().unwrap().to_owned();
    (place, id)
}

#[test]
fn a_restored_backup_resumes_a_waiting_run() {
    let (place, id) = waiting();
    place.run(&["runs", "backup", "copy.db"]).well();
    let again = place.run(&["runs", "backup", "copy.db"]);
    assert_eq!(again.code, Some(2));
    assert!(
        again.err.contains("error: `copy.db` exists already\n  help: choose another name"),
        "{}",
        again.err
    );
    place.run(&["runs", "delete", &id]).well();
    // In the same project, and in one that never had runs.
    let other = Place::new(FLOW);
    std::fs::copy(place.path().join("copy.db"), other.path().join("copy.db")).unwrap();
    for place in [&place, &other] {
        place.run(&["runs", "restore", "copy.db"]).well();
        place.run(&["runs", "check"]).well();
        let resumed = place.run(&["resume", &id, "--approve", "--trust"]);
        assert!(resumed.err.contains("waits for a decision at `next`"), "{}", resumed.err);
        place.run(&["resume", &id, "--approve", "--trust"]).well();
        assert!(place.run(&["runs"]).well().out.contains("completed"));
    }
}

#[test]
fn every_command_reports_a_damaged_run() {
    let (place, id) = waiting();
    let database = place.path().join(".nodewise/runs.db");
    let mut bytes = std::fs::read(&database).unwrap();
    let question = b"Really?";
    let position = bytes.windows(question.len()).position(|window| window == question).unwrap();
    bytes[position] = b'r';
    std::fs::write(&database, &bytes).unwrap();
    for words in [
        &["runs", "show", &id][..],
        &["runs", "replay", &id],
        &["runs", "export", &id],
        &["runs", "check"],
        &["resume", &id, "--approve", "--trust"],
    ] {
        let done = place.run(words);
        assert_eq!(done.code, Some(2), "{words:?} {}", done.out);
        assert!(done.err.contains(&format!("the run `{id}` in `")), "{}", done.err);
        let help = "runs.db` is damaged: its input, declarations or events are not as they were written\n  help: restore a backup";
        assert!(done.err.contains(help), "{}", done.err);
    }
    place.run(&["runs", "delete", &id]).well();
    place.run(&["runs", "check"]).well();
}

#[test]
fn a_list_shows_what_is_missing() {
    let (place, id) = waiting();
    std::fs::write(place.path().join(".nodewise/runs.db"), "").unwrap();
    let list = place.run(&["runs"]);
    assert_eq!(list.code, Some(2), "{}", list.out);
    assert!(
        list.err.contains("runs.db` is damaged: it is empty, but runs were stored in it"),
        "{}",
        list.err
    );
    let run = place.run(&["run", "flow.yaml", "--trust", "--no-progress"]);
    assert!(run.err.contains("is damaged: it is empty"), "{}", run.err);
    assert!(!run.err.contains(&id));
}
