//! Tests of names, with each file's occurrences as a list.

use std::fmt::Write;

use nodewise_dialect::table::NameUse;
use nodewise_syntax::LineIndex;

use super::{Entity, declarations, name_at, names, occurrences_everywhere, title};
use crate::testing::{project, project_at_cursor};

/// Lists the names of every file of a fixture: place, text, usage, entity.
fn check_names(fixture: &str, expected: &str) {
    let (snapshot, _) = project(fixture);
    let mut list = String::new();
    for file in snapshot.files() {
        let lines = LineIndex::new(&file.text);
        for one in names(&snapshot, file.source) {
            let at = lines.line_col(one.at.range.start());
            let usage = match one.usage {
                NameUse::Declares => "declares",
                NameUse::Refers => "refers to",
                NameUse::Reads => "reads",
                NameUse::Writes => "writes",
            };
            let graph = match &one.entity {
                Entity::Local { graph: Some(graph), .. } => format!(" of graph {graph}"),
                Entity::Missing { .. } => " (missing)".to_owned(),
                Entity::Shared { .. } => " (shared)".to_owned(),
                _ => String::new(),
            };
            let entity = title(&snapshot, &one.entity);
            writeln!(list, "{}:{} {} {usage} {entity}{graph}", at.line, at.column, one.name).unwrap();
        }
    }
    assert_eq!(list, expected.strip_prefix('\n').unwrap_or(expected));
}

/// Lists the places that name the entity at the cursor, declarations first.
fn check_everywhere(fixture: &str, expected: &str) {
    let (snapshot, position) = project_at_cursor(fixture);
    let one = name_at(&snapshot, position).expect("a name at the cursor");
    let place = |at: nodewise_model::Origin| {
        let file = snapshot.file(at.source).unwrap();
        let start = LineIndex::new(&file.text).line_col(at.range.start());
        format!("{}:{}:{}", file.path, start.line, start.column)
    };
    let mut list = String::new();
    for target in declarations(&snapshot, &one.entity) {
        writeln!(list, "{} {}", target.title, place(target.at)).unwrap();
    }
    for one in occurrences_everywhere(&snapshot, &one.entity) {
        writeln!(list, "- {}", place(one.at)).unwrap();
    }
    assert_eq!(list, expected.strip_prefix('\n').unwrap_or(expected));
}

#[test]
fn liman_names() {
    check_names(
        "
#- /agent.yaml
kind: LLMNode
name: planner
prompts:
  system:
    en: Plan {order_id}
    de: \"Plane {order_id}\"
tools: [search, 'lookup']
nodes:
  - target: writer
    when: ready and not user.blocked
    id: 1
  - target: gone
    when: \"score > 2\"
    depends: [1]
#- /more.yaml
kind: ToolNode
name: search
func: app.tools.search
---
kind: Node
name: writer
func: app.write
---
kind: Overlay
to: LLMNode:planner
tools: [search]
",
        "
2:7 planner declares LLMNode `planner`
5:15 order_id reads variable `order_id`
6:17 order_id reads variable `order_id`
7:9 search refers to ToolNode `search`
7:18 lookup refers to `lookup` (missing)
9:13 writer refers to Node `writer`
10:11 ready reads state key `ready` (shared)
10:25 user reads state key `user` (shared)
10:30 blocked reads state key `user.blocked` (shared)
11:9 1 declares edge `1`
12:13 gone refers to `gone` (missing)
13:12 score reads state key `score` (shared)
14:15 1 refers to edge `1`
2:7 search declares ToolNode `search`
3:7 app.tools.search refers to function `app.tools.search`
6:7 writer declares Node `writer`
7:7 app.write refers to function `app.write`
10:13 planner refers to LLMNode `planner`
11:9 search refers to ToolNode `search`
",
    );
}

#[test]
fn cycgraph_names() {
    check_names(
        "
#- /graph.yaml
id: main
name: Main
description: ''
nodes:
  - id: plan
    type: agent
    agent_id: planner
    read_keys: [goal]
    write_keys: [draft.text]
  - id: sub
    type: subgraph
    read_keys: ['*']
    write_keys: [out]
    subgraph_config:
      subgraph_id: child
      input_mapping: {draft: topic}
      output_mapping: {result: out}
edges:
  - source: plan
    target: sub
    condition: {type: conditional, condition: memory.draft.text != '' and memory.out > 1}
start_node: plan
end_nodes: [sub]
#- /child.yaml
id: child
name: Child
description: ''
nodes:
  - {id: a, type: tool, tool_id: echo, read_keys: [topic], write_keys: [result]}
edges: []
start_node: a
end_nodes: [a]
",
        "
1:5 child declares Graph `Child`
5:10 a declares node `a` of graph 0
5:34 echo refers to tool `echo` (shared)
5:52 topic reads state key `topic` of graph 0
5:73 result writes state key `result` of graph 0
7:13 a refers to node `a` of graph 0
8:13 a refers to node `a` of graph 0
1:5 main declares Graph `Main`
5:9 plan declares node `plan` of graph 0
7:15 planner refers to `planner` (missing)
8:17 goal reads state key `goal` of graph 0
9:18 draft writes state key `draft` of graph 0
10:9 sub declares node `sub` of graph 0
13:18 out writes state key `out` of graph 0
15:20 child refers to Graph `Child`
16:23 draft reads state key `draft` of graph 0
16:30 topic writes state key `topic` of graph 0
17:24 result reads state key `result` of graph 0
17:32 out writes state key `out` of graph 0
19:13 plan refers to node `plan` of graph 0
20:13 sub refers to node `sub` of graph 0
21:54 draft reads state key `draft` of graph 0
21:82 out reads state key `out` of graph 0
22:13 plan refers to node `plan` of graph 0
23:13 sub refers to node `sub` of graph 0
",
    );
}

#[test]
fn agentos_names() {
    check_names(
        r#"
#- /graph.yaml
id: flow
nodes:
  - id: ask
    type: tool
    executorConfig: {type: tool, toolName: "search"}
    metadata: {outputAs: hits}
  - id: route
    executorConfig:
      type: router
      condition: {type: expression, expr: "scratch.count > 3 ? ask : done"}
edges:
  - {id: e1, source: __START__, target: ask, type: static}
  - {id: e2, source: ask, target: "route", type: static}
reducers: {scratch.count: sum, total: max}
"#,
        "
1:5 flow declares CompiledExecutionGraph `flow`
3:9 ask declares node `ask` of graph 0
5:45 search refers to tool `search` (shared)
6:26 hits writes state key `artifacts.hits` of graph 0
7:9 route declares node `route` of graph 0
10:52 count reads state key `scratch.count` of graph 0
10:64 ask refers to node `ask` of graph 0
12:10 e1 declares edge `e1` of graph 0
12:41 ask refers to node `ask` of graph 0
13:10 e2 declares edge `e2` of graph 0
13:22 ask refers to node `ask` of graph 0
13:36 route refers to node `route` of graph 0
14:20 count writes state key `scratch.count` of graph 0
14:32 total writes state key `scratch.total` of graph 0
",
    );
}

#[test]
fn everywhere_over_files() {
    check_everywhere(
        "
#- /a.yaml
kind: ToolNode
name: search
func: app.search
#- /b.yaml
kind: LLMNode
name: planner
prompts: {system: x}
tools: [sea$0rch]
#- /c.yaml
kind: Overlay
to: ToolNode:search
description: y
",
        "
ToolNode `search` a.yaml:2:7
- a.yaml:2:7
- b.yaml:4:9
- c.yaml:2:14
",
    );
}
