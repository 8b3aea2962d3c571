//! Runs that are recorded, and files that are made of runs.

use std::path::Path;

use nodewise_simulation::render::json::trace_text;
use nodewise_simulation::scenario::documents_of;
use serde_json::{Value, json};

use crate::sessions::LOOP;
use crate::support::{Client, Project};

/// A session as a transcript, of a record.
#[track_caller]
fn check_recorded(script: &str, expected: &str) {
    crate::support::check_debug(LOOP, script, expected);
}

#[test]
fn a_record_is_walked_through_and_goes_no_further() {
    check_recorded(
        r#"attach {"run": "flow.scenario.yaml:60"}
        setFunctionBreakpoints {"breakpoints": [{"name": "tool:rate"}]}
        configurationDone
        continue
        continue
        stepBack
        reverseContinue
        eval score_result
        set 9
        setFunctionBreakpoints {}
        continue
        stack
        eval .branches
        eval .branch 0
        continue
        continue"#,
        r##"
> attach {"run": "flow.scenario.yaml:60"}
  | note: the agent `writer` is not declared; it runs without tools and limits
  | run RECORDED
  initialized
> setFunctionBreakpoints {"breakpoints": [{"name": "tool:rate"}]}
  breakpoint 1 at line null
> configurationDone
  |       0 ms  write
  |       0 ms  score
  function breakpoint: score: asks tool rate: breakpoint, hit 1
> continue
  |      40 ms  write
  |      40 ms  score
  function breakpoint: score: asks tool rate: breakpoint, hit 2
> continue
  |      80 ms  write
  end: cancelled: Interrupted: not finished
> stepBack
  step: write
> reverseContinue
  function breakpoint: score: asks tool rate: breakpoint, hit 2
> eval score_result
  1
> set 9
  invalidated
> setFunctionBreakpoints {}
> continue
  end: completed
> stack
  graph Flow flow.yaml:1
> eval .branches
    0  as recorded
  * 1  score: answer of tool rate at 80 ms: 9
> eval .branch 0
  invalidated
  goto: score: asks tool rate
> continue
  end: cancelled: Interrupted: not finished
> continue
  exited 1
  terminated
"##,
    );
}

#[test]
fn a_run_is_saved_as_a_scenario_and_as_a_trace() {
    let project = Project::fixture(LOOP);
    let mut client = Client::new(&project);
    client.begin(json!({"program": "flow.scenario.yaml", "stopOnEntry": true}), &[]);
    let say = |client: &mut Client<'_>, text: &str| {
        let (response, _) = client.ask("evaluate", json!({"expression": text, "context": "repl"}));
        let result = response["body"]["result"].as_str();
        result.unwrap_or_else(|| response["body"]["error"]["variables"]["text"].as_str().unwrap()).to_owned()
    };
    assert_eq!(say(&mut client, ".trace run.json"), "the run is not over: continue to its end first");
    client.body("continue", json!({"threadId": 1}));
    assert_eq!(say(&mut client, ".trace run.yaml"), "`run.yaml` does not end with `.json`");
    assert_eq!(
        say(&mut client, ".scenario"),
        "the name of the file is missing, which ends with `.scenario.yaml`"
    );
    assert_eq!(
        say(&mut client, ".scenario ../x.scenario.yaml"),
        "`../x.scenario.yaml` is not in the project whose graph it runs"
    );
    assert_eq!(say(&mut client, ".scenario saved.scenario.yaml"), "saved `/project/saved.scenario.yaml`");
    assert_eq!(say(&mut client, ".trace run.json"), "saved `/project/run.json`");
    let written = project.written.lock().unwrap();
    assert_eq!(written[0].0, Path::new("/project/saved.scenario.yaml"));
    assert!(
        written[0].1.contains("path: [write, score, write, score, write, score, send]"),
        "{}",
        written[0].1
    );
    let trace: Value = serde_json::from_str(&written[1].1).unwrap();
    assert_eq!(trace["outcome"]["status"], "completed");
}

/// Saves a run as a scenario, and runs that as `nodewise test` does: it holds, and its log is that of the run.
#[track_caller]
fn check_saved(other_answer: Option<&str>) {
    let project = Project::fixture(LOOP);
    let mut client = Client::new(&project);
    let breakpoints = ("setFunctionBreakpoints", json!({"breakpoints": [{"name": "tool:rate"}]}));
    client.begin(json!({"program": "flow.scenario.yaml"}), &[breakpoints]);
    if let Some(answer) = other_answer {
        client.line(&format!("set {answer}"));
    }
    client.body("setFunctionBreakpoints", json!({}));
    client.body("continue", json!({"threadId": 1}));
    client.body("evaluate", json!({"expression": ".scenario saved.scenario.yaml", "context": "repl"}));
    client.body("evaluate", json!({"expression": ".trace run.json", "context": "repl"}));
    let written = project.written.lock().unwrap();
    let [(_, scenario), (_, trace)] = written.as_slice() else { panic!("two files are written") };
    let again = Project::fixture(&format!("{LOOP}#- /saved.scenario.yaml\n{scenario}"));
    let file = again.snapshot.file(again.snapshot.source("saved.scenario.yaml").unwrap()).unwrap();
    let saved = documents_of(&again.snapshot, file).next().unwrap();
    let tested = nodewise_simulation::testing::test(&again.snapshot, &saved);
    assert!(tested.is_passed(), "{:?}", tested.mismatches);
    let mut run = again.run("saved.scenario.yaml", 0).unwrap();
    let outcome = run.drive(|_| true);
    let trace: Value = serde_json::from_str(trace).unwrap();
    let same: Value = serde_json::from_str(&trace_text(&run.recording(outcome))).unwrap();
    assert_eq!(same["events"], trace["events"]);
}

#[test]
fn a_saved_scenario_is_the_run() {
    check_saved(None);
    check_saved(Some("9"));
}
