//! Tests of moved programs and graphs, and of the scenarios and scripts that name them.
#![allow(clippy::unwrap_used)]

use std::fmt::Write;

use nodewise_syntax::edit::apply_edits;

use super::super::{FileMove, rename_files};
use super::check_rename;
use crate::testing::project;

/// Moves a file, and lists the lines of declarations that change.
fn check_move(fixture: &str, (from, to): (&str, &str), expected: &str) {
    let (snapshot, _) = project(fixture);
    let moves = [FileMove { from: from.to_owned(), to: to.to_owned() }];
    let mut list = String::new();
    for mut edits in rename_files(&snapshot, &moves).unwrap() {
        let file = snapshot.file(edits.source).unwrap();
        let edited = apply_edits(&file.text, &mut edits.edits).unwrap();
        let changed = file.text.lines().zip(edited.lines()).filter(|(old, new)| old != new);
        for (_, line) in changed {
            writeln!(list, "{}: {}", file.path, line.trim()).unwrap();
        }
    }
    assert_eq!(list, expected.strip_prefix('\n').unwrap_or(expected));
}

#[test]
fn moved_programs_take_their_functions_along() {
    let files = "
#- /a.yaml
kind: ToolNode
name: search
func: tools.search.run
description: tools.search.run
---
kind: Node
name: b
func: \"src.tools.search.run\"
nodes: [{target: search, when: tools.search.may_run}]
---
kind: Node
name: c
func: tools.other.run
#- /src/tools/search.py
def run(): pass
def may_run(): pass
#- /src/tools/other.py
def run(): pass
";
    check_move(
        files,
        ("src/tools/search.py", "src/lib/find.py"),
        "
a.yaml: func: lib.find.run
a.yaml: func: \"src.lib.find.run\"
a.yaml: nodes: [{target: search, when: lib.find.may_run}]
",
    );
    check_move(
        files,
        ("src/tools", "src/lib"),
        "
a.yaml: func: lib.search.run
a.yaml: func: \"src.lib.search.run\"
a.yaml: nodes: [{target: search, when: lib.search.may_run}]
a.yaml: func: lib.other.run
",
    );
    check_move(files, ("src/tools/search.py", "src/tools/search.txt"), "");
    check_move(files, ("gone", "elsewhere"), "");
}

#[test]
fn moved_files_take_the_paths_of_scenarios_along() {
    let files = "
#- /flows/claims.yaml
id: claims
nodes: [{id: ask, executorConfig: {type: tool, toolName: x}}]
edges: []
#- /t/base.script.yaml
script: B
file: ../flows/claims.yaml
agents: {}
#- /t/a.scenario.yaml
scenario: A
uses: ['base.script.yaml', /t/base.script.yaml, gone.script.yaml]
file: /flows/claims.yaml
expect: {}
";
    check_move(
        files,
        ("flows/claims.yaml", "flows/deep/motor claims.yaml"),
        "
t/a.scenario.yaml: file: /flows/deep/motor claims.yaml
t/base.script.yaml: file: ../flows/deep/motor claims.yaml
",
    );
    check_move(
        files,
        ("t/base.script.yaml", "scripts/base.script.yaml"),
        "
t/a.scenario.yaml: uses: ['../scripts/base.script.yaml', /scripts/base.script.yaml, gone.script.yaml]
",
    );
    check_move(
        files,
        ("t", "deep/t"),
        "
t/a.scenario.yaml: uses: ['base.script.yaml', /deep/t/base.script.yaml, gone.script.yaml]
t/base.script.yaml: file: ../../flows/claims.yaml
",
    );
    check_move(
        files,
        ("flows", "t/flows"),
        "
t/a.scenario.yaml: file: /t/flows/claims.yaml
t/base.script.yaml: file: flows/claims.yaml
",
    );
}

#[test]
fn scenarios_follow_the_names_of_what_they_run() {
    let claims = "
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
#- /claims.scenario.yaml
scenario: A claim.
file: claims.yaml
start: triage
nodes: {triage: hello}
expect:
  path: ['pay', triage]
";
    check_rename(
        &claims.replace("{id: triage", "{id: tri$0age"),
        "sort",
        "
claims.scenario.yaml: start: sort
claims.scenario.yaml: nodes: {sort: hello}
claims.scenario.yaml: path: ['pay', sort]
claims.yaml: - {id: sort, type: agent, agent_id: clerk, write_keys: [kind]}
claims.yaml: edges: [{source: sort, target: pay}]
claims.yaml: start_node: sort
",
    );
    check_rename(
        &claims.replace("'pay'", "'pa$0y'"),
        "refund",
        "
claims.scenario.yaml: path: ['refund', triage]
claims.yaml: - {id: refund, type: tool, tool_id: bank}
claims.yaml: edges: [{source: triage, target: refund}]
claims.yaml: end_nodes: [refund]
",
    );
    // The script says which file has the node.
    let alone = format!(
        "{claims}#- /a.script.yaml\nscript: Answers.\nfile: claims.yaml\nnodes: {{pay: 1}}\n#- /a.scenario.yaml\nscenario: One node.\nuses: a.script.yaml\nonly: tri$0age\nexpect: {{next: pay}}\n"
    );
    check_rename(
        &alone,
        "sort",
        "
a.scenario.yaml: only: sort
claims.scenario.yaml: start: sort
claims.scenario.yaml: nodes: {sort: hello}
claims.scenario.yaml: path: ['pay', sort]
claims.yaml: - {id: sort, type: agent, agent_id: clerk, write_keys: [kind]}
claims.yaml: edges: [{source: sort, target: pay}]
claims.yaml: start_node: sort
",
    );
}

#[test]
fn scripts_follow_the_names_of_what_they_answer_for() {
    let flow = "
#- /flow.yaml
id: flow
nodes:
  - {id: ask, executorConfig: {type: human, prompt: May I?}}
edges:
  - {id: a, source: __START__, target: ask, type: static}
#- /flow.script.yaml
script: What is answered.
file: flow.yaml
nodes: {as$0k: {decision: approve}}
";
    check_rename(
        flow,
        "please",
        "
flow.script.yaml: nodes: {please: {decision: approve}}
flow.yaml: - {id: please, executorConfig: {type: human, prompt: May I?}}
flow.yaml: - {id: a, source: __START__, target: please, type: static}
",
    );
    let desk = "
#- /desk.yaml
kind: LLMNode
name: de$0sk
prompts: {system: {en: Hi}}
#- /desk.scenario.yaml
scenario: Hello.
file: desk.yaml
start: \"LLMNode/desk\"
nodes: {desk: hello}
";
    check_rename(
        desk,
        "counter",
        "
desk.scenario.yaml: start: \"LLMNode/counter\"
desk.scenario.yaml: nodes: {counter: hello}
desk.yaml: name: counter
",
    );
}
