//! Tests of graphs as data: nodes and edges as a list.
#![allow(clippy::unwrap_used)]

use std::fmt::Write;

use super::{GraphView, graph_at, graph_of_all};
use crate::testing::{project, project_at_cursor};

fn list(view: Option<GraphView>) -> String {
    let Some(view) = view else { return "nothing\n".to_owned() };
    let mut list = format!("{}\n", view.title);
    for node in view.nodes {
        write!(list, "{} {:?} {}", node.id.trim(), node.role, node.kind).unwrap();
        if !node.reads.is_empty() || !node.writes.is_empty() {
            write!(list, " ({} -> {})", node.reads.join(" "), node.writes.join(" ")).unwrap();
        }
        list.push('\n');
    }
    for edge in view.edges {
        let condition = edge.condition.map(|condition| format!(" when {condition}")).unwrap_or_default();
        writeln!(list, "{} -> {} {:?}{condition}", edge.from.trim(), edge.to.trim(), edge.kind).unwrap();
    }
    list
}

/// Draws the graph at a fixture's cursor as a list.
fn check_graph(fixture: &str, expected: &str) {
    let (snapshot, position) = project_at_cursor(fixture);
    let drawn = list(graph_at(&snapshot, position));
    assert_eq!(drawn, expected.strip_prefix('\n').unwrap_or(expected));
}

const LIMAN: &str = "
#- /a.yaml
kind: LLMNode
name: planner
prompts: {system: x}
tools: [search]
nodes: [{target: [writer, gone], when: ready}, writer]
#- /b.yaml
kind: LLMNode
name: writer
prompts: {system: x}
nodes: [planner]
---
kind: ToolNode
name: search
func: a.b
description: x
---
kind: LLMNode
name: alone
prompts: {system: x}
";

#[test]
fn declarations_that_lead_to_one_another() {
    let expected = "
LLMNode `planner`
LLMNode/planner Node LLMNode
LLMNode/writer Node LLMNode
ToolNode/search Node ToolNode
/gone Unknown 
LLMNode/planner -> LLMNode/writer Conditional when ready
LLMNode/planner -> /gone Conditional when ready
LLMNode/planner -> LLMNode/writer Always
LLMNode/planner -> ToolNode/search Tool
LLMNode/writer -> LLMNode/planner Always
";
    check_graph(&LIMAN.replace("name: planner", "name: pl$0anner"), expected);
    check_graph(&LIMAN.replace("nodes: [planner]", "nodes: [plan$0ner]"), expected);
    check_graph(
        &LIMAN.replace("name: alone", "name: al$0one"),
        "
LLMNode `alone`
LLMNode/alone Node LLMNode
",
    );
    let (snapshot, _) = project(LIMAN);
    let all = graph_of_all(&snapshot).unwrap();
    assert_eq!((all.nodes.len(), all.edges.len()), (5, 5));
    let problems = |label: &str| all.nodes.iter().find(|node| node.label == label).map(|node| node.problems);
    assert_eq!(problems("planner"), Some(snapshot.diagnostics(all.nodes[0].at.unwrap().source).len()));
    assert!(problems("planner") > Some(0), "a name that nothing declares");
}

#[test]
fn graphs_of_one_document() {
    check_graph(
        "
id: main
name: Main
description: ''
nodes:
  - {id: plan, type: agent, agent_id: planner, read_keys: [goal], write_keys: [draft]}
  - {id: boss, type: supervisor, agent_id: planner, read_keys: [draft], supervisor_config: {managed_nodes: [plan]}}
edges:
  - {source: plan, target: boss, condition: {type: conditional, condition: memory.draft}}
  - {source: boss, target: gone}
start_node: plan
end_nodes: [bo$0ss]
",
        "
graph `main`
start Start 
plan Node agent (goal -> draft)
boss Node supervisor (draft -> )
end End 
gone Unknown 
start -> plan Always
plan -> boss Conditional when memory.draft
boss -> gone Always
boss -> plan HandOver
boss -> end Always
",
    );
    check_graph(
        r#"
id: flow
name: flow
nodes:
  - {id: ask, type: tool, executorConfig: {type: tool, toolName: search}, metadata: {outputAs: hits}}
edges:
  - {id: e1, source: __START__, target: as$0k, type: static}
  - {id: e2, source: ask, target: __END__, type: personality, personalityCondition: {trait: warm, threshold: 0.5, above: ask, below: ask}}
"#,
        "
graph `flow`
start Start 
ask Node tool ( -> artifacts.hits)
end End 
start -> ask Always
ask -> end Personality when warm >= 0.5
",
    );
    check_graph("kind: ServiceAccount\nname: a$0\n", "nothing\n");
}
