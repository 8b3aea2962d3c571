//! `graph`: graphs as text, diagrams, pictures and data.

use crate::cli::support::{Folder, check_run, check_shown};

const FLOW: &str = r#"
#- flow.yaml
id: flow
name: Flow
description: x
nodes:
  - {id: draft, type: agent, agent_id: writer, write_keys: [draft]}
  - {id: rate, type: verifier, read_keys: [draft], verifier_config: {type: expression, expression: memory.draft}}
  - {id: ask, type: approval, approval_config: {prompt_message: Send it?, rejection_node_id: draft}}
  - {id: file, type: subgraph, subgraph_config: {subgraph_id: filing}}
  - {id: lost, type: tool, tool_id: mail, read_keys: 7}
edges:
  - {source: draft, target: rate}
  - {source: rate, target: ask, condition: {type: conditional, condition: "memory.rate_result > 5 and not memory.spam"}}
  - {source: rate, target: drop}
  - {source: ask, target: file}
start_node: draft
end_nodes: [file]
---
id: filing
name: filing
description: x
nodes: [{id: put, type: tool, tool_id: put}]
edges: []
start_node: put
end_nodes: [put]
"#;

#[test]
fn a_folder_is_shown_as_text() {
    check_run(
        FLOW,
        "graph",
        "
graph `Flow`  flow.yaml:1
  start
    -> draft
  draft  agent  (writes draft)  flow.yaml:5
    -> rate
  rate  verifier  (reads draft)  flow.yaml:6
    -> ask  when memory.rate_result > 5 and not memory.spam
    -> drop  else  (1 error)
  ask  approval  flow.yaml:7
    -> file
    ~> draft  rejected
  file  subgraph → filing  flow.yaml:8
    -> end
  lost  tool  (1 error, unreachable)  flow.yaml:9
  drop  not declared

graph `filing`  flow.yaml:18
  start
    -> put
  put  tool  flow.yaml:21
    -> end
exit 0
",
    );
}

#[test]
fn nodes_of_many_files_are_one_graph() {
    let files = "
#- desk.yaml
kind: LLMNode
name: desk
prompts: {system: x}
tools: [search]
nodes: [{target: writer, when: ready}]
#- more/nodes.yaml
kind: LLMNode
name: writer
prompts: {system: x}
nodes: [desk]
---
kind: ToolNode
name: search
func: a.b
description: x
";
    let desk = "
  desk  LLMNode  desk.yaml:2
    -> writer  when ready
    ..> search
";
    let rest = "  writer  LLMNode  more/nodes.yaml:2
    -> desk
  search  ToolNode  more/nodes.yaml:7
exit 0
";
    check_run(files, "graph", &format!("all nodes{desk}{rest}"));
    check_run(files, "graph --graph LLMNode/desk", &format!("LLMNode `desk`  desk.yaml:2{desk}{rest}"));
    check_run(
        files,
        "graph --graph search",
        "ToolNode `search`  more/nodes.yaml:7\n  search  ToolNode  more/nodes.yaml:7\nexit 0\n",
    );
}

#[test]
fn a_mermaid_diagram_is_bare() {
    check_run(
        FLOW,
        "graph --graph flow --format mermaid",
        r#"
flowchart TD
  g0n0(["start"])
  g0n1("draft<br/>agent")
  g0n2{{"rate<br/>verifier"}}
  g0n3[\"ask<br/>approval"/]
  g0n4[["file<br/>subgraph → filing"]]
  g0n5["lost<br/>tool"]
  g0n6(["end"])
  g0n7["drop<br/>not declared"]
  g0n0 --> g0n1
  g0n1 --> g0n2
  g0n2 -->|"memory.rate_result #62; 5 and not memory.spam"| g0n3
  g0n2 -->|"else"| g0n7
  g0n3 --> g0n4
  g0n3 -.->|"rejected"| g0n1
  g0n4 --> g0n6
  classDef error stroke:#d1242f,stroke-width:3px
  classDef missing fill:none,stroke:#d1242f,stroke-dasharray:4 3
  classDef unreachable stroke-dasharray:3 3,opacity:0.6
  class g0n5 error
  class g0n7 missing
  class g0n5 unreachable
  linkStyle 3 stroke:#d1242f,stroke-width:2px
exit 0
"#,
    );
}

#[test]
fn several_graphs_are_a_document_of_diagrams() {
    let folder = Folder::new(FLOW);
    check_shown(
        &folder.run("graph --format mermaid"),
        "
! error: a Mermaid diagram shows one graph, but there are 2
!   help: choose one with `--graph NAME`: `Flow`, `filing`; or write all of them to a Markdown file with `-o FILE.md`
exit 2
",
    );
    check_shown(&folder.run("graph -o graphs.md --direction right"), "exit 0\n");
    let document = folder.read("graphs.md");
    assert!(document.starts_with("## graph `Flow`\n\n```mermaid\nflowchart LR\n"), "{document}");
    assert!(document.contains("\n```\n\n## graph `filing`\n\n```mermaid\n"), "{document}");
    assert_eq!(folder.run("graph --format markdown --direction right"), format!("{document}exit 0\n"));
}

#[test]
fn the_language_of_graphviz() {
    check_run(
        FLOW,
        "graph --graph filing --format dot",
        r#"
digraph "graph `filing`" {
  rankdir=TB;
  compound=true;
  node [fontname="Helvetica,Arial", fontsize=12, shape=box];
  edge [fontname="Helvetica,Arial", fontsize=10];
  g0n0 [label="start", shape=oval];
  g0n1 [label="put\ntool", shape=box];
  g0n2 [label="end", shape=oval, peripheries=2];
  g0n0 -> g0n1;
  g0n1 -> g0n2;
}
exit 0
"#,
    );
}

#[test]
fn data_has_places() {
    let folder = Folder::new(FLOW);
    let shown = folder.run("graph --graph filing --format json");
    let document: serde_json::Value = serde_json::from_str(shown.trim_end_matches("exit 0\n")).unwrap();
    assert_eq!(document["version"], 1);
    let graph = &document["graphs"][0];
    assert_eq!(graph["names"].to_string(), r#"["filing"]"#);
    let node = &graph["nodes"][1];
    assert_eq!(
        node.to_string(),
        r#"{"id":"put","label":"put","kind":"tool","role":"node","work":"tool","runs":null,"graph":null,"location":{"file":"flow.yaml","range":{"start":{"line":21,"column":14,"offset":771},"end":{"line":21,"column":17,"offset":774}}},"reads":[],"writes":[],"problems":0,"errors":0,"unreachable":false}"#
    );
    assert_eq!(graph["edges"][1]["to"], " end");
    assert_eq!(graph["edges"][1]["kind"], "always");
}

#[test]
fn a_picture_is_whole() {
    let folder = Folder::new(FLOW);
    check_shown(&folder.run("graph --graph flow -o flow.svg"), "exit 0\n");
    let picture = folder.read("flow.svg");
    for part in [
        "<svg xmlns=\"http://www.w3.org/2000/svg\"",
        "<title>graph “Flow”</title>",
        "prefers-color-scheme:dark",
        "<g class=\"node tool lost error\"><title>lost · tool · 1 error · unreachable</title>",
        "<g class=\"node missing\">",
        "<g class=\"edge dashed\"><title>ask → draft: rejected</title>",
        "<title>rate → ask: memory.rate_result &gt; 5 and not memory.spam</title>",
        "</svg>\n",
    ] {
        assert!(picture.contains(part), "{part}: {picture}");
    }
    assert!(!picture.contains("<script") && !picture.contains("url(http"), "{picture}");
}

#[test]
fn graphs_inside_nodes() {
    let folder = Folder::new(FLOW);
    let shown = folder.run("graph --graph flow --nested");
    let inner = "
  file  subgraph → filing  flow.yaml:8
    -> end
    graph `filing`  flow.yaml:18
      start
        -> put
      put  tool  flow.yaml:21
        -> end
";
    assert!(shown.contains(inner), "{shown}");
    let diagram = folder.run("graph --graph flow --nested --format mermaid");
    assert!(
        diagram.contains("  subgraph g0n4 [\"file<br/>subgraph → filing\"]\n    g0n4n0([\"start\"])\n"),
        "{diagram}"
    );
    let dot = folder.run("graph --graph flow --nested --format dot");
    assert!(dot.contains("  subgraph cluster_g0n4 {\n") && dot.contains("[lhead=cluster_g0n4]"), "{dot}");
    let picture = folder.run("graph --graph flow --nested --format svg");
    assert!(
        picture.contains("<g class=\"node graph nest\">") && picture.contains(">put</text>"),
        "{picture}"
    );
}

#[test]
fn a_graph_that_runs_itself_is_drawn_once() {
    let recursive = "
#- a.yaml
id: a
name: a
description: x
nodes: [{id: again, type: subgraph, subgraph_config: {subgraph_id: b}}]
edges: []
start_node: again
end_nodes: [again]
#- b.yaml
id: b
name: b
description: x
nodes: [{id: back, type: subgraph, subgraph_config: {subgraph_id: a}}]
edges: []
start_node: back
end_nodes: [back]
";
    let shown = Folder::new(recursive).run("graph a.yaml --nested");
    assert_eq!((shown.matches("graph `a`").count(), shown.matches("graph `b`").count()), (1, 1), "{shown}");
}

#[test]
fn what_is_not_there_is_named() {
    let folder = Folder::new(FLOW);
    check_shown(
        &folder.run("graph --graph flw"),
        "! error: no graph is called `flw`\n!   help: did you mean `Flow`?\nexit 2\n",
    );
    check_shown(
        &folder.run("graph -o picture"),
        "
! error: cannot guess the output format from the name `picture`
!   help: add `--format`, or use one of the endings txt, mmd, mermaid, md, markdown, dot, gv, svg, json
exit 2
",
    );
    check_shown(
        &Folder::new("#- x.yaml\nservices: {}\n").run("graph"),
        "
! error: no graphs to draw
!   help: name files or folders that declare graphs or nodes; `nodewise check --list-files` shows which files are read
exit 2
",
    );
    check_shown(
        &folder.run("graph gone.yaml"),
        "! error: gone.yaml: no such file or folder\n!   help: check the path\nexit 2\n",
    );
    check_shown(
        &folder.run("graph --stdin-filename flow.yaml"),
        "
! error: `--stdin-filename` needs standard input
!   help: add `-` to the paths
exit 2
",
    );
}

#[test]
fn standard_input_stands_for_a_file() {
    let folder = Folder::new(FLOW);
    let text =
        "id: filing\nname: filing\ndescription: x\nnodes: [{id: put, type: tool, tool_id: put}]\nedges: [";
    check_shown(
        &folder.run_with_input("graph --stdin-filename flow.yaml -", text),
        "
graph `filing`  flow.yaml:1
  put  tool  flow.yaml:4
exit 0
",
    );
}

#[test]
fn threads_and_the_order_of_arguments_change_nothing() {
    let folder = Folder::new(FLOW);
    for number in 0..40 {
        folder.write(
            &format!("{}/f{number}.yaml", number % 4),
            format!(
                "kind: LLMNode\nname: n{number}\nprompts: {{system: x}}\nnodes: [n{}, n{}]\n",
                number / 2,
                number * 2
            ),
        );
    }
    let run = |threads: &str, words: &str| {
        let output = folder.command(words).env("RAYON_NUM_THREADS", threads).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    for format in ["text", "json", "svg", "dot", "markdown"] {
        let one = run("1", &format!("graph . --format {format}"));
        assert_eq!(one, run("4", &format!("graph 3 2 1 0 flow.yaml . --format {format}")));
    }
}

#[test]
fn control_characters_of_names_reach_no_terminal() {
    let files = "#- x.yaml\nid: \"a\\u001B[31m\"\nname: \"a\\u001B[31m\\u202Eb\"\ndescription: x\nnodes: [{id: \"n\\u001B[0m\", type: tool, tool_id: x}]\nedges: []\nstart_node: x\nend_nodes: []\n";
    let folder = Folder::new(files);
    for format in ["text", "mermaid", "dot", "svg", "json", "markdown"] {
        let shown = folder.run(&format!("graph --format {format}"));
        let is_harmful =
            |character: char| character != '\n' && (character.is_control() || character == '\u{202e}');
        assert!(!shown.contains(is_harmful), "{format}: {shown:?}");
    }
}
