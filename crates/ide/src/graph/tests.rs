//! Tests of graphs as data, with nodes and edges as a list.
#![allow(clippy::unwrap_used)]

use std::fmt::Write;

use nodewise_diagram::view::GraphView;

use super::{
    graph_at, graph_of_all, graph_without_problems_at, graphs_called, graphs_of, nest, nest_without_problems,
};
use crate::testing::{project, project_at_cursor};

fn list(view: Option<GraphView>) -> String {
    let Some(view) = view else { return "nothing\n".to_owned() };
    let mut list = format!("{}\n", view.title);
    for node in view.nodes {
        write!(list, "{} {:?} {}", node.id.trim(), node.role, node.kind).unwrap();
        if node.is_unreachable {
            list.push_str(" unreachable");
        }
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

/// The graph at a fixture's cursor as a list.
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
    assert_eq!((problems("planner"), problems("search")), (Some(1), Some(0)), "a name that nothing declares");
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
graph `Main`
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

#[test]
fn a_comment_above_the_first_document_belongs_to_it() {
    let fixture = "
#- /a.yaml
# The wr$0iter.
kind: LLMNode
name: writer
prompts: {system: x}
";
    check_graph(fixture, "LLMNode `writer`\nLLMNode/writer Node LLMNode\n");
}

#[test]
fn why_a_run_goes_along_an_edge() {
    check_graph(
        "
id: desk
name: desk
description: ''
nodes:
  - {id: each, type: map, map_reduce_config: {worker_node_id: one, items_path: $.memory.x, synthesizer_node_id: sum}}
  - {id: one, type: agent, agent_id: a}
  - {id: sum, type: synthesizer}
  - {id: as$0k, type: approval, approval_config: {prompt_message: x, rejection_node_id: lost}}
  - {id: lost, type: agent, agent_id: a, swarm_config: {peer_nodes: [one]}}
  - {id: twice, type: agent, agent_id: a}
  - {id: twice, type: agent, agent_id: a}
edges:
  - {source: each, target: sum}
  - {source: sum, target: ask}
  - {source: ask, target: twice}
start_node: each
",
        "
graph `desk`
start Start 
each Node map (x -> )
one Node agent
sum Node synthesizer
ask Node approval
lost Node agent
twice 5 Node agent unreachable
twice Node agent
start -> each Always
each -> sum Always
sum -> ask Always
ask -> twice Always
each -> one Worker
ask -> lost Rejection
lost -> one HandOver
",
    );
    check_graph(
        r#"
id: flow
name: flow
nodes:
  - {id: guard, type: guardrail, executorConfig: {type: guardrail, guardrailIds: [x], onViolation: reroute, rerouteTarget: call}}
  - {id: call, type: voice, executorConfig: {type: voice, voiceConfig: {mode: conversation}}, edges: {hangup: guard}}
  - {id: find, type: tool, executorConfig: {type: tool, toolName: search}}
edges:
  - {id: e1, source: __START__, target: gu$0ard, type: static}
  - {id: e2, source: guard, target: find, type: discovery, discoveryQuery: mail, discoveryFallback: call}
  - {id: e3, source: find, target: __DISCOVERY__, type: static}
"#,
        "
graph `flow`
start Start 
guard Node guardrail
call Node voice
find Node tool
__DISCOVERY__ Unknown decided by a program
start -> guard Always
guard -> find Discovery when mail
find -> __DISCOVERY__ Always
guard -> call Fallback
guard -> call Violation
call -> guard Exit when hangup
",
    );
}

#[test]
fn graphs_inside_nodes() {
    let fixture = "
#- /a.yaml
id: a
name: a
description: ''
nodes: [{id: b$0oth, type: subgraph, subgraph_config: {subgraph_id: b}}, {id: gone, type: subgraph, subgraph_config: {subgraph_id: c}}]
edges: []
start_node: both
#- /b.yaml
id: b
name: b
description: ''
nodes: [{id: back, type: subgraph, subgraph_config: {subgraph_id: a}}]
edges: []
start_node: back
";
    let (snapshot, position) = project_at_cursor(fixture);
    let mut view = graph_at(&snapshot, position).unwrap();
    nest(&snapshot, &mut view);
    let inner = |view: &GraphView, id: &str| {
        let node = view.nodes.iter().find(|node| node.id == id).unwrap();
        (node.runs.clone().unwrap(), node.inner.as_deref().cloned())
    };
    let (named, nested) = inner(&view, "both");
    let nested = nested.unwrap();
    assert_eq!((named.as_str(), nested.title.as_str()), ("b", "graph `b`"));
    assert_eq!(inner(&nested, "back").1, None, "the graph around it is not drawn again");
    assert_eq!(inner(&view, "gone"), ("c".into(), None));
    // The graph in the other file runs the one around it, which is reported there.
    let errors = |graph: &GraphView| graph.nodes.iter().map(|node| node.problems).sum::<usize>();
    let mut quick = graph_without_problems_at(&snapshot, position).unwrap();
    nest_without_problems(&snapshot, &mut quick);
    let quick = inner(&quick, "both").1.unwrap();
    assert_eq!((errors(&quick), quick.nodes.len()), (0, nested.nodes.len()));
}

#[test]
fn edges_that_are_followed_together() {
    let fixture = r#"
id: g
name: g
nodes:
  - {id: ask, type: gmi, executorConfig: {type: gmi, instructions: x}}
  - {id: cho$0ose, type: router, executorConfig: {type: router, condition: {type: expression, expr: "'a'"}}}
  - {id: a, type: gmi, executorConfig: {type: gmi, instructions: x}}
  - {id: b, type: gmi, executorConfig: {type: gmi, instructions: x}}
edges:
  - {id: e1, source: __START__, target: ask, type: static}
  - {id: e2, source: ask, target: a, type: static}
  - {id: e3, source: ask, target: choose, type: static}
  - {id: e4, source: choose, target: a, type: static}
  - {id: e5, source: choose, target: b, type: static}
"#;
    let (snapshot, position) = project_at_cursor(fixture);
    let view = graph_at(&snapshot, position).unwrap();
    let parallel = view.edges.iter().filter(|edge| edge.is_parallel);
    let parallel: Vec<_> = parallel.map(|edge| (edge.from.as_str(), edge.to.as_str())).collect();
    assert_eq!(parallel, [("ask", "a"), ("ask", "choose")]);
}

#[test]
fn graphs_of_files_by_name() {
    let (snapshot, _) = project(LIMAN);
    let sources: Vec<_> = snapshot.files().iter().map(|file| file.source).collect();
    let titles = |graphs: Vec<GraphView>| graphs.into_iter().map(|graph| graph.title).collect::<Vec<_>>();
    assert_eq!(titles(graphs_of(&snapshot, &sources)), ["all nodes"]);
    let first = &sources[..1];
    assert_eq!(graphs_of(&snapshot, first)[0].nodes.len(), 4, "what one file leads to");
    assert_eq!(titles(graphs_called(&snapshot, &sources, "writer")), ["LLMNode `writer`"]);
    assert_eq!(titles(graphs_called(&snapshot, &sources, "ToolNode/search")), ["ToolNode `search`"]);
    assert_eq!(titles(graphs_called(&snapshot, &sources, "nobody")), [""; 0]);
}
