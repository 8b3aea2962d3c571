//! Outlines as indented lists, and searches as lists.

use nodewise_syntax::LineIndex;

use super::{FOUND_MAX, OutlineSymbol, SymbolKind, outline, search};
use crate::testing::project;

/// Lists a file's outline: name, detail, kind, the line of the name. Children are indented.
fn check_outline(fixture: &str, expected: &str) {
    let (snapshot, _) = project(fixture);
    let mut list = String::new();
    for file in snapshot.files() {
        let lines = LineIndex::new(&file.text);
        for symbol in outline(&snapshot, file.source) {
            describe(&symbol, 0, &file.text, &lines, &mut list);
        }
    }
    assert_eq!(list, expected.strip_prefix('\n').unwrap_or(expected), "\n{list}");
}

fn describe(symbol: &OutlineSymbol, depth: usize, text: &str, lines: &LineIndex, list: &mut String) {
    assert!(symbol.range.contains_range(symbol.selection), "{symbol:?}");
    assert!(symbol.children.iter().all(|child| symbol.range.contains_range(child.range)), "{symbol:?}");
    let selected = &text[symbol.selection];
    assert!(!selected.starts_with(['"', '\'']), "{selected}");
    let line = lines.line_col(symbol.selection.start()).line;
    let detail = if symbol.detail.is_empty() { String::new() } else { format!(" ({})", symbol.detail) };
    let end = lines.line_col(symbol.range.end()).line;
    list.push_str(&format!("{}{}{detail} {:?} {line}-{end}\n", "  ".repeat(depth), symbol.name, symbol.kind));
    for child in &symbol.children {
        describe(child, depth + 1, text, lines, list);
    }
}

fn check_search(fixture: &str, query: &str, expected: &[&str]) {
    let (snapshot, _) = project(fixture);
    let found = search(&snapshot, query);
    let found: Vec<_> = found
        .iter()
        .map(|symbol| {
            let file = snapshot.file(symbol.at.source).unwrap();
            let is_graph = symbol.kind == SymbolKind::Graph;
            assert!(is_graph || file.text[symbol.at.range] == symbol.name);
            format!("{} {:?} in {} {}", symbol.name, symbol.kind, symbol.container, file.path)
        })
        .collect();
    assert_eq!(found, expected);
}

const LIMAN: &str = "
kind: LLMNode
name: 'planner'
prompts:
  system:
    en: Plan
tools: [search]
nodes:
  - writer
  - target: [critic, editor]
    when: a
    id: 7
---
kind: ToolNode
name: search
func: a.b
description:
  en: Find
arguments:
  - name: query
    type: string
---
kind: Overlay
to: LLMNode:planner
tools: [more]
---
kind: LLMNode
prompts: {}
";

#[test]
fn liman_outline() {
    let expected = "
planner (LLMNode) ModelNode 2-11
  → writer Edge 8-8
  → critic, editor (7) Edge 9-11
search (ToolNode) Tool 14-20
  query Field 19-20
LLMNode:planner (Overlay) Overlay 23-24
LLMNode ModelNode 26-27
";
    check_outline(LIMAN, expected);
}

const CYCGRAPH: &str = "
id: g
name: Graph
description: ''
start_node: first
nodes:
  - id: first
    type: agent
    agent_id: a
  - id: \"second\"
    type: tool
    tool_id: t
edges:
  - source: first
    target: second
  - id: back
    source: second
    target: first
";

#[test]
fn cycgraph_outline() {
    let expected = "
Graph (Graph) Graph 1-17
  first (agent) Node 6-8
  second (tool) Node 9-11
  first → second Edge 13-14
  second → first (back) Edge 16-17
";
    check_outline(CYCGRAPH, expected);
}

#[test]
fn a_graph_is_called_by_its_name() {
    let graph = |names: &str| {
        format!("{names}nodes: [{{id: first, type: agent, agent_id: a}}]\nedges: []\nstart_node: first\n")
    };
    check_outline(
        &graph("id: 0b54a3f2-8c1d-4e6f-9a7b-2d3c4e5f6a7b\nname: claims\ndescription: ''\n"),
        "\nclaims (Graph) Graph 1-6\n  first (agent) Node 4-4\n",
    );
    check_outline(
        &graph("id: 0b54a3f2-8c1d-4e6f-9a7b-2d3c4e5f6a7b\ndescription: ''\n"),
        "\n0b54a3f2-8c1d-4e6f-9a7b-2d3c4e5f6a7b (Graph) Graph 1-5\n  first (agent) Node 3-3\n",
    );
}

const AGENTOS: &str = "
#- /graph.json
{
  \"id\": \"g\",
  \"name\": \"G\",
  \"nodes\": [
    {\"id\": \"ask\", \"type\": \"gmi\", \"executorConfig\": {\"type\": \"gmi\", \"instructions\": \"x\"}}
  ],
  \"edges\": [
    {\"id\": \"e1\", \"source\": \"__START__\", \"target\": \"ask\", \"type\": \"static\"}
  ]
}
";

#[test]
fn agentos_outline() {
    let expected = "
G (CompiledExecutionGraph) Graph 2-10
  ask (gmi) Node 5-5
  __START__ → ask (e1) Edge 8-8
";
    check_outline(AGENTOS, expected);
}

#[test]
fn half_typed_and_foreign_outlines() {
    check_outline("kind: LLMNode\nname:\nnodes:\n  - \n  - target: \n", "LLMNode ModelNode 1-5\n");
    check_outline("kind: Pod\nname: x\n", "");
    check_outline("", "");
}

#[test]
fn outlines_of_texts_that_are_cut_off() {
    for text in [LIMAN, CYCGRAPH, AGENTOS.trim_start_matches("\n#- /graph.json\n")] {
        for (end, _) in text.char_indices() {
            let fixture = format!("#- /a.yaml\n{}", &text[..end]);
            let (snapshot, _) = project(&fixture);
            for file in snapshot.files() {
                let lines = LineIndex::new(&file.text);
                for symbol in outline(&snapshot, file.source) {
                    assert!(!symbol.name.is_empty(), "{symbol:?}");
                    describe(&symbol, 0, &file.text, &lines, &mut String::new());
                }
            }
        }
    }
}

#[test]
fn search_finds_declarations_and_nodes() {
    let all = format!("#- /l.yaml{LIMAN}#- /c.yaml{CYCGRAPH}");
    let (graph, first) = ("Graph Graph in Graph c.yaml", "first Node in Graph c.yaml");
    let (tool, second) = ("search Tool in ToolNode l.yaml", "second Node in Graph c.yaml");
    let planner = "planner ModelNode in LLMNode l.yaml";
    check_search(&all, "", &[graph, first, tool, second, planner]);
    check_search(&all, "PLAN", &[planner]);
    // By its name, and by its id.
    check_search(&all, "grap", &[graph]);
    check_search(&all.replace("id: g\n", "id: 0b54a3f2\n"), "0B54", &[graph]);
    check_search(&all, "se", &[tool, second]);
    check_search(&all, "s c d", &[second]);
    check_search(&all, "zzz", &[]);
}

#[test]
fn search_gives_the_likeliest_first() {
    let names = ["tXoXoXl", "atoolb", "my_tool", "toolbox", "tool", "oneTool", "lot"];
    let files = names.map(|name| format!("#- /{name}.yaml\nkind: ToolNode\nname: {name}\n"));
    let (snapshot, _) = project(&files.concat());
    let found: Vec<_> = search(&snapshot, "Tool").into_iter().map(|one| one.name).collect();
    assert_eq!(found, ["tool", "toolbox", "my_tool", "oneTool", "atoolb", "tXoXoXl"]);
}

#[test]
fn search_is_bounded() {
    let file = |number| format!("#- /{number}.yaml\nkind: ToolNode\nname: tool_{number}\n");
    let files: String = (0..FOUND_MAX + 20).map(file).collect();
    let (snapshot, _) = project(&files);
    let found = search(&snapshot, "tool");
    assert_eq!(found.len(), FOUND_MAX);
    assert_eq!(found.first().map(|one| one.name.as_str()), Some("tool_0"));
}

#[test]
fn a_bundle_holds_graphs_and_agents() {
    let bundle = "
manifest:
  name: pack
  version: '1'
  requires:
    models: [big]
    tools:
      - name: look
graph:
  id: main
  name: Main
  description: ''
  start_node: n
  nodes:
    - id: n
      type: agent
      agent_id: helper
agents:
  - id: helper
    name: Helper
    model: big
    provider: p
    system_prompt: x
";
    let expected = "
Bundle Bundle 1-22
  big LanguageModel 5-5
  look Tool 7-7
  Main Graph 9-16
    n (agent) Node 14-16
  helper Agent 18-22
";
    check_outline(bundle, expected);
    let helper = "helper Agent in Bundle main.yaml";
    check_search(bundle, "", &["n Node in Main main.yaml", "Main Graph in Bundle main.yaml", helper]);
}
