//! Completion in scripts and scenarios: the names of what they run, in each system, also in incomplete text.

use super::{check_completion, check_labels};

const CLAIMS: &str = "
#- /claims.yaml
id: claims
name: Claims
description: ''
nodes:
  - {id: triage, type: agent, agent_id: clerk, write_keys: [kind]}
  - {id: pay, type: tool, tool_id: bank}
edges: [{source: triage, target: pay}]
start_node: triage
end_nodes: [pay]
#- /tests/claims.scenario.yaml
scenario: A claim.
file: ../claims.yaml
";
const FLOW: &str = "
#- /flow.yaml
id: flow
nodes:
  - {id: ask, executorConfig: {type: human, prompt: May I?}}
  - {id: tell, executorConfig: {type: tool, toolName: mail}}
edges:
  - {id: a, source: __START__, target: ask, type: static}
  - {id: b, source: ask, target: tell, type: static}
  - {id: c, source: tell, target: __END__, type: static}
#- /flow.script.yaml
script: What is answered.
file: flow.yaml
";
const DESK: &str = "
#- /desk.yaml
kind: LLMNode
name: desk
prompts: {system: {en: Help.}}
tools: [look]
---
kind: ToolNode
name: look
description: {en: Looks it up.}
func: programs.look
#- /desk.scenario.yaml
scenario: Hello.
file: desk.yaml
";

/// Lists the labels at the end of a scenario.
#[track_caller]
fn check_end(files: &str, end: &str, expected: &str) {
    check_labels(&format!("{files}{end}"), expected);
}

#[test]
fn nodes_of_the_target() {
    let expecting =
        ["expect:\n  path: [$0\n", "expect: {next: $0}\n", "expect: {path: {excludes: ['$0']}}\n"];
    let answering = ["nodes:\n  $0\n", "nodes: {$0}\n", "start: $0\n"];
    for end in answering.iter().chain(&expecting) {
        check_end(CLAIMS, end, "triage pay");
    }
    for end in answering {
        check_end(FLOW, end, "ask tell");
        check_end(DESK, end, "desk look");
    }
    check_end(CLAIMS, "only: $0\n", "triage pay");
    check_end(DESK, "only: $0\n", "desk look");
}

#[test]
fn agents_and_tools_of_the_target() {
    check_end(CLAIMS, "agents:\n  $0\n", "clerk");
    check_end(CLAIMS, "agents: {cl$0\n", "clerk");
    check_end(CLAIMS, "tools:\n  $0\n", "bank");
    check_end(FLOW, "tools: {$0}\n", "mail");
    check_end(DESK, "tools:\n  lo$0\n", "look");
}

#[test]
fn who_asks_a_model_in_evals() {
    let eval = |files: &str, file: &str, rest: &str, expected: &str| {
        let files = files.split("#- /tests/").next().unwrap_or_default();
        let declared = files.split(&format!("#- /{file}.s")).next().unwrap_or_default();
        let head = format!("#- /{file}.eval.yaml\neval: Compares.\nfile: {file}.yaml\n");
        check_labels(&format!("{declared}{head}{rest}"), expected);
    };
    for rest in ["prompts: {brief: {$0}}\n", "models:\n  - name: one\n    agents: {$0}\n"] {
        eval(CLAIMS, "claims", rest, "clerk");
        eval(FLOW, "flow", rest, "ask tell");
        eval(DESK, "desk", rest, "desk");
    }
    eval(CLAIMS, "claims", "cases:\n  - case: One.\n    expect: {path: [$0]}\n", "triage pay");
    eval(
        CLAIMS,
        "claims",
        "cases:\n  - case: One.\n    judges:\n      - rubric: Good.\n        $0\n",
        "name of model provider at_least",
    );
}

#[test]
fn words_for_how_a_run_ends() {
    check_completion(
        &format!("{CLAIMS}expect: {{status: $0}}\n"),
        "
completed Word: it did what it had to do
failed Word: something went wrong
waiting Word: it waits for a person
timeout Word: the system's own time limit was reached
cancelled Word: it was ended from outside, or by a rejection
hung Word: the system's runtime would never come back
crashed Word: the system's runtime throws an exception through the run
stopped Word: a limit of the simulator was reached
",
    );
}

#[test]
fn paths_lead_to_scripts_or_to_what_runs() {
    let files = |scenario: &str| {
        format!(
            "
#- /t/a.scenario.yaml
scenario: A
{scenario}
expect: {{}}
#- /t/b.script.yaml
script: B
agents: {{}}
#- /scripts/c.script.yaml
script: C
agents: {{}}
#- /flow.yaml
id: flow
nodes: [{{id: ask, executorConfig: {{type: tool, toolName: x}}}}]
edges: []
#- /compose.yaml
services: {{web: {{image: x}}}}
"
        )
    };
    check_labels(&files("uses: [$0]"), "b.script.yaml ../scripts/c.script.yaml");
    check_labels(&files("uses: c.$0"), "../scripts/c.script.yaml b.script.yaml");
    check_labels(&files("file: $0"), "../flow.yaml");
}
