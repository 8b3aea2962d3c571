//! `simulate --explore` and `simulate --runs`.

#![allow(clippy::panic, reason = "a test fails by panicking")]

use std::path::Path;

use crate::support::{Folder, check_run, check_shown};

/// A tool that finds nothing, a loop that nothing leaves, an agent that nothing reaches, a key that is read too early.
const ORDERS: &str = r#"#- orders.yaml
id: orders
name: orders
description: An order is checked, then shipped or looked at again.
start_node: check
end_nodes: [done]
nodes:
  - {id: check, type: tool, tool_id: stock, tools: [{type: custom, name: stock}], read_keys: [note]}
  - {id: ask, type: approval, approval_config: {prompt_message: Ship it?, review_keys: ["*"], rejection_node_id: retry}}
  - {id: retry, type: agent, agent_id: clerk, write_keys: [note]}
  - {id: again, type: agent, agent_id: clerk, write_keys: [note]}
  - {id: lost, type: agent, agent_id: clerk, write_keys: [note]}
  - {id: done, type: router}
edges:
  - {source: check, target: ask, condition: {type: conditional, condition: "memory.check_result.status == \"here\""}}
  - {source: ask, target: done}
  - {source: retry, target: again}
  - {source: again, target: retry}
  - {source: again, target: lost, condition: {type: conditional, condition: "memory.note == 1"}}
"#;

/// Two extensions that run together and write one key; a node that waits for one that is skipped.
const REFUND: &str = r#"#- refund.json
{"id": "refund", "name": "refund", "nodes": [
  {"id": "a", "type": "extension", "executorConfig": {"type": "extension", "extensionId": "x", "methodName": "y"}, "executionMode": "single_turn", "effectClass": "read", "checkpoint": "none"},
  {"id": "b", "type": "extension", "executorConfig": {"type": "extension", "extensionId": "x", "methodName": "y"}, "executionMode": "single_turn", "effectClass": "read", "checkpoint": "none"},
  {"id": "c", "type": "guardrail", "executorConfig": {"type": "guardrail", "guardrailIds": ["pii"], "onViolation": "block"}, "executionMode": "single_turn", "effectClass": "read", "checkpoint": "none"},
  {"id": "d", "type": "human", "executorConfig": {"type": "human", "prompt": "Fine?"}, "executionMode": "single_turn", "effectClass": "human", "checkpoint": "none"}],
 "edges": [
  {"id": "e1", "source": "__START__", "target": "a", "type": "static"},
  {"id": "e2", "source": "__START__", "target": "b", "type": "static"},
  {"id": "e3", "source": "a", "target": "c", "type": "static"},
  {"id": "e4", "source": "b", "target": "c", "type": "static"},
  {"id": "e5", "source": "c", "target": "d", "type": "conditional", "condition": {"type": "expression", "expr": "scratch.ready == 'yes'"}},
  {"id": "e6", "source": "d", "target": "__END__", "type": "static"}],
 "stateSchema": {"input": {}, "scratch": {}, "artifacts": {}}, "reducers": {}, "checkpointPolicy": "none", "memoryConsistency": "snapshot"}
"#;

/// A condition that never holds, and two nodes that lead to each other.
const DESK: &str = "#- desk.yaml
kind: LLMNode
name: desk
prompts: {system: {en: Help.}}
tools: [find]
nodes:
  - {target: second, when: \"status == 'open'\"}
  - {target: never, when: \"status == 'open' and status == 'closed'\"}
---
kind: ToolNode
name: find
description: {en: finds}
func: lib.find
arguments: [{name: who, type: string, description: {en: who}}]
---
kind: LLMNode
name: second
prompts: {system: {en: Help more.}}
nodes: [desk_again]
---
kind: LLMNode
name: desk_again
prompts: {system: {en: Again.}}
nodes: [second]
---
kind: LLMNode
name: never
prompts: {system: {en: Never.}}
";

/// Explores a file, writes the scripts, and runs each of them: holds what the exploration tells, and for each script that
/// its run shows all of these, in this order.
fn check_witnesses(files: &str, file: &str, scripts: &[(&str, &[&str])]) {
    let folder = Folder::new(files);
    let told = folder.run(&format!("simulate {file} --explore --witnesses out"));
    let mut written = names(&folder.path().join("out"));
    let is_end = |name: &String| name.starts_with("end-") || name.starts_with("most-");
    for end in written.iter().filter(|name| is_end(name)) {
        let shown = folder.run(&format!("simulate {file} --script out/{end}"));
        assert!(!shown.contains("note: the answer at"), "{end} says what nobody asks\n{shown}");
    }
    written.retain(|name| !is_end(name));
    let expected: Vec<&str> = scripts.iter().map(|(name, _)| *name).collect();
    assert_eq!(written, expected, "{told}");
    for (name, parts) in scripts {
        assert!(told.contains(&format!("script out/{name}\n")), "{told}");
        let shown = folder.run(&format!("simulate {file} --script out/{name}"));
        let mut rest = shown.as_str();
        for part in *parts {
            let (_, behind) = rest.split_once(part).unwrap_or_else(|| panic!("no `{part}` in\n{shown}"));
            rest = behind;
        }
    }
}

/// The files of a folder, in order.
fn names(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        files.map(|file| file.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort_unstable();
    names
}

#[test]
fn the_scripts_of_cycgraph_show_the_findings() {
    check_witnesses(
        ORDERS,
        "orders.yaml",
        &[
            ("03-dead-end-check.script.yaml", &["-x ask", "NoMatchingEdgeError", "exit 1\n"]),
            (
                "04-endless-loop-again.script.yaml",
                &["  retry  ", "  again  ", "  retry  ", "  again  ", "exit 1\n"],
            ),
            ("05-read-before-write-check.script.yaml", &["  check  tool", "calls   tool stock"]),
        ],
    );
}

#[test]
fn the_scripts_of_agentos_show_the_findings() {
    check_witnesses(
        REFUND,
        "refund.json",
        &[(
            "02-conflicting-writes-a.script.yaml",
            &["  a  extension", "  b  extension", "writes  scratch.ready", "writes  scratch.ready"],
        )],
    );
}

#[test]
fn the_scripts_of_liman_show_the_findings() {
    check_witnesses(
        DESK,
        "desk.yaml",
        &[(
            "03-endless-loop-llmnode-desk-again.script.yaml",
            &["  second  ", "  desk_again  ", "  second  ", "  desk_again  ", "exit 1\n"],
        )],
    );
}
