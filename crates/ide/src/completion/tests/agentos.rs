//! AgentOS: variants, node ids with the ends of a run, keys of the state, in YAML and JSON.

use super::{check_accept, check_completion, check_labels};

const GRAPH: &str = "id: g
name: G
nodes:
  - id: plan
    type: gmi
    executorConfig: {type: gmi, instructions: Plan.}
    executionMode: single_turn
    effectClass: read
    checkpoint: none
  - id: search
    type: tool
    executorConfig: {type: tool, toolName: web}
    executionMode: single_turn
    effectClass: read
    checkpoint: none
    metadata: {outputAs: pages}
edges:
  - {id: e1, source: __START__, target: plan, type: static}
  - {id: e2, source: plan, target: search, type: static}
  - {id: e3, source: search, target: __END__, type: static}
stateSchema: {input: {}, scratch: {type: object, properties: {count: {type: number}}}, artifacts: {}}
reducers: {}
checkpointPolicy: none
memoryConsistency: live
";

fn with(line: &str, other: &str) -> String {
    assert!(GRAPH.contains(line), "{line}");
    GRAPH.replacen(line, other, 1)
}

#[test]
fn variants() {
    check_labels(&with("{type: tool, toolName: web}", "{type: tool, $0}"), "toolName args");
    check_labels(&with("{type: tool, toolName: web}", "{$0}"), "type instructions …");
    check_labels(
        &with("{type: tool, toolName: web}", "{type: $0}"),
        "gmi tool extension human guardrail router subgraph voice",
    );
    check_accept(
        &with("{type: tool, toolName: web}", "$0"),
        "type: tool",
        &with("{type: tool, toolName: web}", "\n      type: tool\n      toolName: $0"),
    );
}

#[test]
fn ends_of_edges() {
    check_completion(
        &with("target: search,", "target: $0,"),
        "search Node: tool
         __END__ Node: where a run ends
         plan Node: gmi",
    );
    check_completion(
        &with("source: plan,", "source: $0,"),
        "plan Node: gmi
         __START__ Node: where a run begins
         search Node: tool",
    );
    check_labels(
        &with("target: search, type: static}", "target: search, type: conditional, $0}"),
        "condition …",
    );
}

#[test]
fn state() {
    check_labels(&with("reducers: {}", "reducers: {$0}"), "scratch.count …");
    check_accept(
        &with("reducers: {}", "reducers: {co$0}"),
        "scratch.count",
        &with("reducers: {}", "reducers: {scratch.count: concat}"),
    );
}

#[test]
fn tools() {
    check_labels(
        &with(
            "effectClass: read\n    checkpoint: none\n    metadata",
            "effectClass: $0\n    checkpoint: none\n    metadata",
        ),
        "pure read write external human",
    );
    check_completion(
        &format!("#- /other.yaml\n{GRAPH}#- /main.yaml\n{}", with("toolName: web", "toolName: $0")),
        "web Provided: in other.yaml",
    );
}

#[test]
fn expressions() {
    let at = |expr: &str| {
        with(
            "target: search, type: static}",
            &format!("target: search, type: conditional, condition: {{type: expression, expr: {expr}}}}}"),
        )
    };
    check_labels(&at("\"$0\""), "scratch.count artifacts.plan artifacts.pages …");
    check_labels(&at("\"scratch.$0\""), "count _personaTraits voiceTransport");
    check_labels(&at("\"artifacts.$0\""), "plan pages");
    check_accept(&at("artifacts.p$0"), "pages", &at("artifacts.pages"));
}
