//! Tests of the call hierarchy, with the ends as a list.
#![allow(clippy::unwrap_used)]

use std::fmt::Write;

use super::{HierarchyCall, incoming_calls, outgoing_calls, prepare_calls};
use crate::testing::{places, project_at_cursor};

/// Lists what leads to the item at the cursor, and where the item leads.
fn check_calls(fixture: &str, expected: &str) {
    let (snapshot, position) = project_at_cursor(fixture);
    let mut list = String::new();
    if let Some(item) = prepare_calls(&snapshot, position) {
        writeln!(list, "{}", item.title).unwrap();
    }
    let mut add = |word: &str, calls: Vec<HierarchyCall>| {
        for call in calls {
            let ranges = places(&snapshot, &call.ranges).trim_end().replace('\n', ", ");
            writeln!(list, "{word} {}: {ranges}", call.item.title).unwrap();
        }
    };
    add("from", incoming_calls(&snapshot, position));
    add("to", outgoing_calls(&snapshot, position));
    assert_eq!(list, expected.strip_prefix('\n').unwrap_or(expected));
}

#[test]
fn liman_nodes_over_files_and_overlays() {
    check_calls(
        "
#- /a.yaml
kind: LLMNode
name: pl$0anner
prompts: {system: x}
tools: [search]
nodes: [{target: [writer, search], when: x}, writer]
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
#- /o.yaml
kind: Overlay
to: LLMNode:planner
tools: [other]
---
kind: ToolNode
name: other
func: a.b
description: x
llm_nodes: [planner]
",
        "
LLMNode `planner`
from LLMNode `writer`: b.yaml:4:9 planner
from ToolNode `other`: o.yaml:9:13 planner
to ToolNode `search`: a.yaml:4:9 search, a.yaml:5:27 search
to LLMNode `writer`: a.yaml:5:19 writer, a.yaml:5:46 writer
to ToolNode `other`: o.yaml:3:9 other
",
    );
}

const CYCGRAPH: &str = "
#- /main.yaml
id: main
name: Main
description: ''
nodes:
  - {id: plan, type: agent, agent_id: planner, read_keys: [goal], write_keys: [draft]}
  - {id: boss, type: supervisor, agent_id: planner, read_keys: ['*'], supervisor_config: {managed_nodes: [plan, sub]}}
  - {id: sub, type: subgraph, read_keys: ['*'], subgraph_config: {subgraph_id: child, input_mapping: {}, output_mapping: {}}}
edges:
  - {source: plan, target: boss}
  - {source: boss, target: sub, condition: {type: conditional, condition: memory.draft}}
start_node: plan
end_nodes: [sub]
#- /planner.yaml
id: planner
name: P
model: m
provider: p
system_prompt: x
tools: []
#- /child.yaml
id: child
name: Child
description: ''
nodes:
  - {id: a, type: agent, agent_id: planner, read_keys: [text], write_keys: [out]}
edges: []
start_node: a
end_nodes: [a]
";

#[test]
fn cycgraph_nodes_agents_and_graphs() {
    check_calls(
        &CYCGRAPH.replace("id: sub,", "id: s$0ub,"),
        "
node `sub`
from node `boss`: main.yaml:6:113 sub, main.yaml:10:28 sub
to Graph `Child`: main.yaml:7:80 child
",
    );
    check_calls(
        &CYCGRAPH.replace("id: plan,", "id: pl$0an,"),
        "
node `plan`
from node `boss`: main.yaml:6:107 plan
from Graph `Main`: main.yaml:11:13 plan
to Agent `planner`: main.yaml:5:39 planner
to node `boss`: main.yaml:9:28 boss
",
    );
    check_calls(
        &CYCGRAPH.replace("id: planner\n", "id: planner$0\n"),
        "
Agent `planner`
from node `a`: child.yaml:5:36 planner
from node `plan`: main.yaml:5:39 planner
from node `boss`: main.yaml:6:44 planner
",
    );
    check_calls(
        &CYCGRAPH.replace("id: child\n", "id: child$0\n"),
        "
Graph `Child`
from node `sub`: main.yaml:7:80 child
to node `a`: child.yaml:7:13 a
",
    );
}

#[test]
fn agentos_routers_and_starts() {
    check_calls(
        r#"
id: flow
name: flow
nodes:
  - {id: ask, type: tool, executorConfig: {type: tool, toolName: search}}
  - {id: route, type: router, executorConfig: {type: router, condition: {type: expression, expr: "scratch.n > 3 ? ask : done"}}}
  - {id: done, type: tool, executorConfig: {type: tool, toolName: search}}
edges:
  - {id: e1, source: __START__, target: as$0k, type: static}
  - {id: e2, source: ask, target: route, type: static}
  - {id: e3, source: done, target: __END__, type: static}
"#,
        "
node `ask`
from node `route`: main.yaml:5:115 ask
from CompiledExecutionGraph `flow`: main.yaml:8:41 ask
to node `route`: main.yaml:9:35 route
",
    );
}

#[test]
fn state_keys_over_graphs() {
    check_calls(
        "
#- /a.yaml
id: parent
name: parent
description: d
nodes:
  - {id: intake, type: agent, agent_id: x, write_keys: [amo$0unt]}
  - id: settle
    type: subgraph
    read_keys: [amount]
    subgraph_config: {subgraph_id: child, input_mapping: {amount: claimed}}
edges:
  - {source: intake, target: settle, condition: {type: conditional, condition: memory.amount > 10}}
start_node: intake
end_nodes: [settle]
#- /b.yaml
id: child
name: child
description: d
inputs: {claimed: {schema: {type: number}}}
nodes: [{id: pay, type: agent, agent_id: x, read_keys: [claimed]}]
edges: []
start_node: pay
end_nodes: [pay]
",
        "
state key `amount` of graph `parent`
from node `intake`: a.yaml:5:57 amount
to node `settle`: a.yaml:8:17 amount
to state key `claimed` of graph `child`: a.yaml:9:59 amount
to node `intake`: a.yaml:11:87 amount
",
    );
}
