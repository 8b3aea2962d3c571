//! Commands over the documents of the tests, and what they print.

use std::process::{Command, Stdio};

use crate::{RELAY, files};

/// Runs a command in the folder of the documents, and compares what it prints on standard output.
fn check_command(words: &str, expected: &str) {
    let mut command = Command::new(RELAY);
    command.args(words.split(' ')).current_dir(files()).stdin(Stdio::null()).env("NO_COLOR", "1");
    let output = command.output().unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(shown.trim_end(), expected.trim_matches('\n').trim_end(), "{words}\n{shown}{errors}");
}

#[test]
fn a_document_is_recognised_and_checked() {
    check_command("check triage.yaml triage.scenario.yaml", "No problems in 2 files (2 declarations)");
    check_command(
        "check --format concise broken.yaml",
        "
broken.yaml:2:1: error[unknown-field] `Relay` has no field `frist`
broken.yaml:3:8: error[unknown-node] no step is named `end`
broken.yaml:5:12: warning[discarded-answer] nothing keeps the answer of `read`
broken.yaml:5:24: error[invalid-value] `aks` is not a valid `type`
broken.yaml:6:12: warning[discarded-answer] nothing keeps the answer of `lost`
broken.yaml:8:22: error[unknown-node] no step is named `raed`
broken.yaml:8:42: error[invalid-expression] a text in quotes must stand here
5 errors, 2 warnings in 1 file (1 declaration)
",
    );
}

#[test]
fn its_graph_is_shown_and_runs() {
    check_command(
        "graph triage.yaml",
        "
graph `triage`  triage.yaml:1
  start
    -> read
  read  ask  (reads ticket, writes mood)  triage.yaml:6
    -> choose
  choose  pick  triage.yaml:11
    -> thank  when mood is 'good'
    -> end
  thank  ask  (writes reply)  triage.yaml:13
    -> end
",
    );
    check_command(
        "simulate triage.yaml --script triage.scenario.yaml",
        "
graph `triage` of Relay
      0 ms  read  ask  triage.yaml:6
              reads   ticket = \"I like it.\"
              asks    model of `read`: \"How does the writer feel?\"
              answer  \"good\"
              writes  mood = \"good\"
              edge    -> choose  triage.yaml:18
      0 ms  choose  pick  triage.yaml:11
              edge    -> thank  when mood is 'good'  triage.yaml:19
                         mood = \"good\"
      0 ms  thank  ask  triage.yaml:13
              asks    model of `thank`: \"Thank the writer.\"
              answer  \"You are welcome.\"
              writes  reply = \"You are welcome.\"
completed after 0 ms, 3 visits
  output {\"ticket\":\"I like it.\",\"mood\":\"good\",\"reply\":\"You are welcome.\"}
",
    );
}

#[test]
fn every_path_is_explored() {
    let explored = "
graph `triage` of Relay, all possible runs
exhaustive: 5 states, 7 transitions

runs end
  completed at `choose`
    path read -> choose
  completed at `thank`
    path read -> choose -> thank

findings
  none

at most
  3 visits, 2 model calls
    path read -> choose -> thank

--save-scripts DIR saves scripts that reproduce these runs; `--script` runs one.
";
    check_command("simulate --explore triage.yaml", explored);
}

#[test]
fn scenarios_pass_and_coverage_is_measured() {
    check_command(
        "test triage.scenario.yaml --coverage text",
        "
ok      triage.scenario.yaml:1  A happy writer is thanked.  (3 visits, 0 ms)
1 scenario: 1 passed
coverage of graph `triage`
  nodes             3/3    100 %
  edges             2/2    100 %
  conditions        0/1      0 %
  not decided   `mood is 'good'` was never false  triage.yaml:19
",
    );
}

#[test]
fn documents_and_conditions_are_formatted() {
    check_command("fmt --diff broken.yaml", "");
    check_command(
        "fmt --diff crooked.yaml",
        "
--- a/crooked.yaml
+++ b/crooked.yaml
@@ -1,7 +1,7 @@
-relay:   crooked
+relay: crooked
 first: read
-last: [ read ]
+last: [read]
 steps:
 - {step: read, type: ask, question: How?, writes: mood}
 links:
-- {from: read, to: read, when: \"mood   is   'good'\"}
+- {from: read, to: read, when: \"mood is 'good'\"}
",
    );
}

#[test]
fn its_rule_has_a_page_and_its_documents_a_schema() {
    let page = Command::new(RELAY).args(["explain", "discarded-answer"]).output().unwrap();
    let page = String::from_utf8(page.stdout).unwrap();
    assert!(page.contains("Severity: warning · Category: dataflow · since 0.1.0 · Relay"), "{page}");
    let schema = Command::new(RELAY).args(["schema", "relay"]).output().unwrap();
    let schema: serde_json::Value = serde_json::from_slice(&schema.stdout).unwrap();
    assert_eq!(schema["title"], "Relay declaration");
}

#[test]
fn a_project_can_configure_it() {
    let schema = Command::new(RELAY).args(["schema", "config"]).output().unwrap();
    let schema: serde_json::Value = serde_json::from_slice(&schema.stdout).unwrap();
    assert!(schema["properties"]["relay"]["properties"]["extra_fields"].is_object());
}
