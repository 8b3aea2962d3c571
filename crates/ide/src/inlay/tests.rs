//! Tests of inlay hints: the first file with the hints in it.

use nodewise_syntax::{TextRange, TextSize};

use super::{InlayHintSettings, inlays};
use crate::testing::project;

const ALL: InlayHintSettings =
    InlayHintSettings { defaults: true, grants: true, types: true, kinds: true, overlays: true };

/// Writes the hints of the first file into its text.
fn check_inlays(fixture: &str, options: InlayHintSettings, expected: &str) {
    let (snapshot, _) = project(fixture);
    let file = snapshot.files().iter().next().unwrap();
    let whole = TextRange::up_to(TextSize::of(&*file.text));
    let mut text = file.text.to_string();
    for hint in inlays(&snapshot, file.source, whole, options).iter().rev() {
        text.insert_str(hint.at.into(), &format!("«{}»", hint.label));
    }
    assert_eq!(text, expected.strip_prefix('\n').unwrap_or(expected));
}

const LIMAN: &str = "
#- /a.yaml
kind: LLMNode
name: planner # first
prompts: x
nodes:
  - writer
  - target: 'writer'
    when: \"1 < 2\"
  - target: planner
    when: >
      ready and score > 2
#- /b.yaml
kind: Node
name: writer
func: a.b
#- /c.yaml
kind: Overlay
to: LLMNode:planner
prompts: y
";

#[test]
fn liman() {
    check_inlays(
        LIMAN,
        ALL,
        "
kind: LLMNode
name: planner«patched by c.yaml:1» # first
prompts: x
nodes:
  - writer«: Node»
  - target: 'writer'«: Node»
    when: \"1 < 2\"«= true»
  - target: planner«: LLMNode»
    when: >
      ready and score > 2«: true or false»
",
    );
    let types = InlayHintSettings { types: true, ..InlayHintSettings::default() };
    check_inlays(
        "kind: LLMNode\nname: a\nprompts: x\nnodes: [{target: a, when: ready and (}]\n",
        types,
        "kind: LLMNode\nname: a\nprompts: x\nnodes: [{target: a, when: ready and (}]\n",
    );
}

#[test]
fn cycgraph() {
    check_inlays(
        "
#- /a.yaml
id: g
name: G
description: ''
nodes:
  - id: a
    type: agent
    agent_id: x
    write_keys: [b]
    failure_policy: {max_retries: 2}
  - id: check # it
    type: verifier
    read_keys: [b]
    verifier_config: {type: expression, expression: memory.b > 1}
  - id: call
    type: tool
    tool_id: save_to_memory
    write_keys:
      - out
edges:
  - {source: a, target: check}
start_node: a
end_nodes: [check]
",
        ALL,
        "
id: g
name: G
description: ''
nodes:
  - id: a
    type: agent
    agent_id: x
    write_keys: [b]
    failure_policy: {max_retries: 2«backoff_strategy: exponential, … 2 more»}
  - id: check«failure_policy: {max_retries: 3, backoff…»«writes check_verification, check_verification_passed» # it
    type: verifier
    read_keys: [b]
    verifier_config: {type: expression, expression: memory.b > 1«: true or false»}
  - id: call«failure_policy: {max_retries: 3, backoff…»
    type: tool
    tool_id: save_to_memory
    write_keys:
      - out«+ call_result»
edges:
  - {source: a«: agent», target: check«condition: {type: always}»«: verifier»}
start_node: a«: agent»
end_nodes: [check«: verifier»]
",
    );
}

#[test]
fn agentos() {
    check_inlays(
        "
#- /a.yaml
id: flow
nodes:
  - {id: ask, type: tool, executorConfig: {type: tool, toolName: x}}
  - {id: end, type: router, executorConfig: {type: router, condition: {type: expression, expr: \"scratch.a > 1 ? ask : b\"}}}
edges: [{id: e, source: __START__, target: ask, type: static}]
",
        ALL,
        "
id: flow
nodes:
  - {id: ask, type: tool, executorConfig: {type: tool, toolName: x}}
  - {id: end, type: router, executorConfig: {type: router, condition: {type: expression, expr: \"scratch.a > 1 ? ask : b\"«: a text»}}}
edges: [{id: e, source: __START__, target: ask«: tool», type: static}]
",
    );
}
