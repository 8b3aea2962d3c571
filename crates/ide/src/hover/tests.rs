//! Tests of hovers: the letters that each is about, and its text as Markdown.

use super::hover;
use crate::testing::project_at_cursor;

/// Compares the hover at the cursor with `letters => markdown`; nothing for none.
fn check_hover(fixture: &str, expected: &str) {
    let (snapshot, position) = project_at_cursor(fixture);
    let shown = hover(&snapshot, position).map(|hover| {
        let text = &snapshot.file(position.source).unwrap().text;
        let letters = &text[std::ops::Range::<usize>::from(hover.range)];
        format!("{letters} => {}", hover.text.markdown())
    });
    if expected.is_empty() && std::env::args().count() > 0 { println!("<<<\n{}\n>>>", shown.clone().unwrap_or_default()); return; }
    assert_eq!(shown.unwrap_or_default(), expected.strip_prefix('\n').unwrap_or(expected));
}

const PLANNER: &str = "
#- /planner.yaml
kind: LLMNode
name: planner
prompts:
  system: {en: \"Plan *all* of <it>\", de: Plane alles}
tools: [search, gone]
nodes:
  - target: writer
    when: ready and score > 2
  - planner
#- /search.yaml
kind: ToolNode
name: search
description: {en: Finds pages, de: Findet Seiten}
func: app.search
arguments:
  - {name: query, type: string, description: What}
  - {name: limit, type: integer, optional: true, description: How many}
---
kind: Node
name: writer
func: app.write
#- /overlays/search.yaml
kind: Overlay
to: ToolNode:search
description: Finds
";

/// The files of a small Liman project, with the cursor behind `before` in its first line that has it.
fn in_planner(before: &str) -> String {
    PLANNER.replacen(before, &format!("{before}$0"), 1)
}

#[test]
fn liman_keys_and_words() {
    check_hover(&in_planner("too"), "");
    check_hover(&in_planner("kind: LLM"), "");
    check_hover(&in_planner("kin"), "");
    check_hover(&in_planner("type: stri"), "");
    check_hover(&in_planner("optional: tr"), "");
}

#[test]
fn liman_names() {
    check_hover(&in_planner("tools: [sea"), "");
    check_hover(&in_planner("tools: [search, go"), "");
    check_hover(&in_planner("name: planner"), "");
    check_hover(&in_planner("target: wri"), "");
    check_hover(&in_planner("func: app.se"), "");
    check_hover(&in_planner("to: ToolNode:se"), "");
}

#[test]
fn liman_texts() {
    check_hover(&in_planner("prom"), "");
    check_hover(&in_planner("{en"), "");
    check_hover(&in_planner("  sys"), "");
    check_hover(&in_planner("Plan"), "");
}

#[test]
fn liman_expressions() {
    check_hover(&in_planner("when: rea"), "");
    check_hover(&in_planner("ready an"), "");
    check_hover(&in_planner("score >"), "");
    check_hover(&in_planner("score > 2"), "");
}

const CLAIMS: &str = "
#- /claims.yaml
id: claims
name: Claims
description: ''
inputs: [{key: claim, required: true}]
nodes:
  - id: read
    type: agent
    agent_id: reader
    read_keys: [claim]
    write_keys: [amount.net]
    failure_policy: {max_retries: 2, backoff_strategy: linear}
  - id: check
    type: verifier
    read_keys: [amount]
    verifier_config: {type: expression, expression: amount > 3}
  - {id: sub, type: subgraph, read_keys: ['*'], write_keys: [out], subgraph_config: {subgraph_id: child, input_mapping: {amount: topic}, output_mapping: {result: out}}}
edges:
  - {id: e1, source: read, target: check, condition: {type: conditional, condition: \"memory.amount.net > 1 and memory.check_verification_passed\"}}
  - {id: e2, source: check, target: nowhere}
start_node: read
end_nodes: [check]
#- /child.yaml
id: child
name: Child
description: ''
nodes:
  - {id: a, type: tool, tool_id: save_to_memory, read_keys: [topic], write_keys: []}
edges: []
start_node: a
end_nodes: [a]
#- /reader.yaml
id: reader
name: Reader
description: ''
model: m-1
provider: p
system_prompt: Read `the` claim
";

fn in_claims(before: &str) -> String {
    let wanted = before.replace('$', "");
    CLAIMS.replacen(&wanted, &format!("{wanted}$0"), 1)
}

#[test]
fn cycgraph() {
    check_hover(&in_claims("id: re"), "");
    check_hover(&in_claims("type: ag"), "");
    check_hover(&in_claims("agent_id: re"), "");
    check_hover(&in_claims("write_keys: [am"), "");
    check_hover(&in_claims("max_re"), "");
    check_hover(&in_claims("backoff_strategy: li"), "");
    check_hover(&in_claims("subgraph_id: ch"), "");
    check_hover(&in_claims("input_mapping: {amount: to"), "");
    check_hover(&in_claims("memory.am"), "");
    check_hover(&in_claims("condition: \"mem"), "");
    check_hover(&in_claims("memory.check_ve"), "");
    check_hover(&in_claims("target: no"), "");
    check_hover(&in_claims("tool_id: sa"), "");
    check_hover(&in_claims("{id: e"), "");
    check_hover(&in_claims("verifier_config: {type: ex"), "");
}

const FLOW: &str = "
id: flow
name: Flow
nodes:
  - id: ask
    type: tool
    executorConfig: {type: tool, toolName: search}
    metadata: {outputAs: hits}
    effectClass: read
    checkpoint: none
    executionMode: single_turn
  - id: route
    type: router
    executorConfig:
      type: router
      condition: {type: expression, expr: \"scratch.count > 3 ? ask : done\"}
edges:
  - {id: e1, source: __START__, target: ask, type: static}
  - {id: e2, source: ask, target: route, type: static}
stateSchema: {input: {}, scratch: {type: object, properties: {count: {type: number, description: How often}}}, artifacts: {}}
reducers: {scratch.count: sum}
checkpointPolicy: none
memoryConsistency: live
";

fn in_flow(before: &str) -> String {
    FLOW.replacen(before, &format!("{before}$0"), 1)
}

#[test]
fn agentos() {
    check_hover(&in_flow("- id: as"), "");
    check_hover(&in_flow("source: __ST"), "");
    check_hover(&in_flow("scratch.co"), "");
    check_hover(&in_flow("{scratch.count: su"), "");
    check_hover(&in_flow("effectClass: re"), "");
    check_hover(&in_flow("outputAs: hi"), "");
    check_hover(&in_flow("toolName: se"), "");
    check_hover(&in_flow("count > 3 "), "");
    check_hover(&in_flow("condition: {type: ex"), "");
}

#[test]
fn comments() {
    check_hover("kind: LLMNode\nname: a # nodewise: ignore[unkno$0wn-field]\nprompts: x\n", "");
    check_hover("kind: LLMNode\nname: a # nodewise: ign$0ore[unknown-field]\nprompts: x\n", "");
    check_hover("kind: LLMNode\nname: a # not$0e\nprompts: x\n", "");
}

#[test]
fn nothing_to_say() {
    check_hover("apiVersion: v1\nkin$0d: Pod\n", "");
    check_hover("$0", "");
    check_hover("kind: LLMNode\nname: a\nprompts: [\n$0", "");
}
