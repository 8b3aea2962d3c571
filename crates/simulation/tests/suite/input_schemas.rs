//! What declarations say about the input of a run.

use nodewise_simulation::input_schema::input_schema;
use nodewise_simulation::target::SimulationTarget;
use serde_json::{Value, json};

use crate::scenarios::project;

/// Compares the schema of a run of the first file.
#[track_caller]
fn check_schema(fixture: &str, node: Option<&str>, expected: &Value) {
    let snapshot = project(fixture);
    let source = snapshot.files().iter().next().unwrap().source;
    let target = SimulationTarget::named(&snapshot, Some(source), None, node).unwrap();
    let found = input_schema(&snapshot, &target).unwrap_or_default();
    // The order of keys counts.
    assert_eq!(found.to_string(), expected.to_string());
}

const CLAIMS: &str = "
#- /claims.yaml
id: claims
name: Claims
description: x
inputs:
  text: {schema: {type: string}, description: What happened.}
  amount: {schema: {type: number, minimum: 0, description: In euros.}, description: Not shown.}
  photos: {schema: {type: array}, required: false}
  note: {description: Anything., required: false}
nodes: [{id: a, type: router}]
edges: []
start_node: a
end_nodes: [a]
";

fn of_claims() -> Value {
    json!({
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "What happened."},
            "amount": {"type": "number", "minimum": 0, "description": "In euros."},
            "photos": {"type": "array"},
            "note": {"description": "Anything."},
        },
        "required": ["text", "amount"],
    })
}

#[test]
fn the_inputs_of_a_cycgraph_graph() {
    check_schema(CLAIMS, None, &of_claims());
}

#[test]
fn a_run_from_a_node_requires_no_input() {
    let mut expected = of_claims();
    expected.as_object_mut().unwrap().shift_remove("required");
    check_schema(CLAIMS, Some("a"), &expected);
}

#[test]
fn a_graph_without_inputs_has_no_schema() {
    check_schema(&CLAIMS.replace("inputs:", "metadata:"), None, &Value::Null);
}

#[test]
fn the_input_part_of_the_state_of_agentos() {
    let flow = "
#- /flow.yaml
id: flow
nodes: [{id: ask, executorConfig: {type: human, prompt: Go?}}]
edges: [{id: a, source: __START__, target: ask, type: static}]
stateSchema:
  input: {type: object, properties: {order: {type: string}}, required: [order]}
  scratch: {type: object, properties: {risk: {type: number}}}
  artifacts: {}
";
    let expected =
        json!({"type": "object", "properties": {"order": {"type": "string"}}, "required": ["order"]});
    check_schema(flow, None, &expected);
    let untyped =
        flow.replace("{type: object, properties: {order: {type: string}}, required: [order]}", "{}");
    check_schema(&untyped, None, &Value::Null);
}

const TOOL: &str = "
#- /desk.yaml
kind: LLMNode
name: desk
prompts: x
tools: [search]
---
kind: ToolNode
name: search
description: x
func: app.search
arguments:
  - {name: words, type: string, description: What to find.}
  - {name: limit, type: int, optional: true}
";

#[test]
fn the_arguments_of_a_liman_tool_and_a_text_for_a_model() {
    let expected = json!({
        "type": "object",
        "properties": {"words": {"type": "string", "description": "What to find."}, "limit": {"type": "integer"}},
        "required": ["words"],
        "additionalProperties": false,
    });
    check_schema(TOOL, Some("ToolNode/search"), &expected);
    check_schema(TOOL, None, &Value::Null);
}
