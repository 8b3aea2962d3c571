//! Whose document a text is, dialect by dialect.

use nodewise_model::SourceId;

use super::{Recognised, recognise};
use crate::table::Dialect;
use crate::tables::cycgraph::CYCGRAPH;
use crate::tables::liman::LIMAN;
use crate::value::SpannedValue;

fn check_recognised(dialect: &'static Dialect, text: &str, expected: &str) {
    let tree = nodewise_syntax::parse(text);
    let root = tree.documents().next().and_then(|document| document.root()).unwrap();
    let found = match recognise(dialect, &SpannedValue::from_node(root, SourceId::default())) {
        Recognised::Declaration(kind) => kind.name,
        Recognised::Resembles => "resembles",
        Recognised::Undecided => "undecided",
        Recognised::Foreign => "foreign",
    };
    assert_eq!(found, expected, "{text}");
}

#[test]
fn by_kind_then_by_evidence() {
    let check = |text: &str, expected: &str| check_recognised(&LIMAN, text, expected);
    check("kind: ToolNode", "ToolNode");
    check("kind: toolnode", "resembles");
    check("{kind: Assistant, prompts: {system: Hi}}", "resembles");
    check("{kind: Function, func: a.b, arguments: []}", "resembles");
    check("{kind: Tool, name: a, func: t.a, description: x}", "resembles");
    check("{Kind: LLMNode, name: a}", "resembles");
    check("{type: ToolNode, name: a}", "resembles");
    check("{type: Node, name: a}", "undecided");
    check("{kind: Tool, name: a, description: x}", "undecided");
    check("{kind: Agent, name: a, description: x, tools: [t]}", "undecided");
    check("{kind: pipeline, type: docker, name: a, steps: []}", "undecided");
    check("{apiVersion: v1, kind: Node}", "foreign");
    check("{apiVersion: v1, tools: []}", "foreign");
    check("{name: a, tools: []}", "undecided");
    check("[a]", "undecided");
}

#[test]
fn cycgraph_documents_by_their_shape() {
    let check = |text: &str, expected: &str| check_recognised(&CYCGRAPH, text, expected);
    check("{id: g, name: g, description: '', nodes: [], edges: [], start_node: a, end_nodes: []}", "Graph");
    check("{nodes: [], start_node: a}", "Graph");
    check("{name: g, nodes: [{id: a, type: agent, agent_id: w}]", "Graph");
    check("{name: g, nodes: [{id: a, typ: agent, read_keys: [k]}], edges: []}", "Graph");
    check(r#"{"nodes": [{"id": "a", "type": "llm", "swarm_config": {}}], "edges": []}"#, "Graph");
    check("{manifest: {name: b}, graph: {}}", "Bundle");
    check("{manifest: {name: b}, graph: {}, agents: [], graphs: []}", "Bundle");
    check("{id: reflect, type: reflection, reflection_config: {}}", "LoneNode");
    check("{id: r, type: supervisor}", "LoneNode");
    check("{id: r, type: tool, tool_id: t}", "LoneNode");
    check("{id: a, name: A, model: m, provider: p, system_prompt: hi}", "Agent");
}

#[test]
fn other_systems_graphs_are_not_cycgraphs() {
    let check = |text: &str| check_recognised(&CYCGRAPH, text, "undecided");
    // Compose, Kubernetes, CI, Airflow, n8n, React Flow, GraphML-like data, AgentOS, an agent of somebody else.
    check("{services: {web: {image: nginx}}, networks: {}}");
    check("{apiVersion: v1, kind: Node, metadata: {name: n}}");
    check("{on: push, jobs: {build: {steps: []}}}");
    check("{dag_id: d, tasks: [{task_id: a, operator: bash}]}");
    check("{nodes: [{name: Start, type: n8n-nodes-base.start, parameters: {}}], connections: {}}");
    check("{nodes: [{id: a, type: input, position: {x: 0}}], edges: [{id: e, source: a, target: a}]}");
    check("{nodes: [{id: a}, {id: b}], edges: [{source: a, target: b}], directed: true}");
    check(
        "{id: g, nodes: [{id: t, type: tool, executorConfig: {type: tool, toolName: x}}], \
         edges: [{id: e, source: __START__, target: t, type: static}]}",
    );
    check("{id: t, type: router, executorConfig: {type: router}}");
    check("{name: helper, model: m, system_prompt: hi, tools: []}");
    check("{manifest: x, icons: []}");
    check("{id: light, type: map}");
}
