//! What the drawing of a graph says about changes.

use std::fmt::Write;

use nodewise_diagram::marks::PartMark;
use nodewise_diagram::view::GraphView;
use nodewise_ide::graph::{graphs_called, graphs_of, nest};
use nodewise_review::compare::review;
use nodewise_review::marks::{DrawnVersion, former_name, marked};
use nodewise_review::version::ProjectVersion;

use crate::corpora::{TestFile, files, version};

/// The graph of a name in a version, with the graphs inside of its nodes.
fn graph(version: &ProjectVersion, name: &str) -> Option<GraphView> {
    let mut view = graphs_called(&version.snapshot, &version.sources, name).into_iter().next()?;
    nest(&version.snapshot, &mut view);
    Some(view)
}

/// Lists the marked parts of the graph with that name in the new version, and the words about them.
#[track_caller]
fn check_marks(base: &str, head: &str, name: &str, expected: &str) {
    let (base, head) = (version(&files(base)), version(&files(head)));
    let found = review(&base, &head);
    let (before, after) = (&base[0], &head[0]);
    let view = graph(after, name).unwrap();
    let drawn = DrawnVersion { view: &view, version: after };
    let former = former_name(&found, drawn).unwrap_or_else(|| name.to_owned());
    let old = graph(before, &former);
    let old = old.as_ref().map(|view| DrawnVersion { view, version: before });
    let marked = marked(&found, old, drawn, "the last commit");
    let mut list = String::new();
    list_marks(&mut list, &marked.view);
    for line in &marked.lines {
        writeln!(list, "> {}", line.text).unwrap();
    }
    writeln!(list, "{}: {}", marked.title, marked.summary).unwrap();
    assert_eq!(list.trim(), expected.trim());
}

/// The marks of every graph of the new version, each with the title of its graph.
pub(crate) fn marks_of_all(base: &[TestFile], head: &[TestFile]) -> Vec<String> {
    let (base, head) = (version(base), version(head));
    let found = review(&base, &head);
    let (before, after) = (&base[0], &head[0]);
    let mut marks = Vec::new();
    for view in graphs_of(&after.snapshot, &after.sources) {
        let names = view.names.iter().rev();
        let Some(old) = names.filter_map(|name| graph(before, name)).next() else { continue };
        let old = DrawnVersion { view: &old, version: before };
        let drawn = marked(&found, Some(old), DrawnVersion { view: &view, version: after }, "x");
        let mut list = String::new();
        list_marks(&mut list, &drawn.view);
        if !list.is_empty() {
            marks.push(format!("{}\n{list}", view.title));
        }
    }
    marks
}

fn list_marks(list: &mut String, view: &GraphView) {
    let said = |marks: &[PartMark]| marks.iter().map(|mark| mark.text.clone()).collect::<Vec<_>>().join("; ");
    for node in &view.nodes {
        if !node.marks.is_empty() {
            writeln!(list, "{}: {}", node.id.trim(), said(&node.marks)).unwrap();
        }
        node.inner.iter().for_each(|inner| list_marks(list, inner));
    }
    for edge in view.edges.iter().filter(|edge| !edge.marks.is_empty()) {
        assert_eq!(edge.at.is_none(), said(&edge.marks) == "removed", "what is gone has no place");
        let condition = edge.condition.as_ref().map(|text| format!(" when {text}")).unwrap_or_default();
        writeln!(list, "{} -> {}{condition}: {}", edge.from.trim(), edge.to.trim(), said(&edge.marks))
            .unwrap();
    }
}

const DESK: &str = r#"
#- desk.yaml
id: desk
name: Desk
description: Answers questions.
nodes:
  - {id: draft, type: agent, agent_id: writer, write_keys: [answer]}
  - {id: rate, type: tool, tool_id: rate, read_keys: [answer]}
  - {id: send, type: tool, tool_id: mail, read_keys: [answer]}
edges:
  - {source: draft, target: rate}
  - {source: rate, target: send, condition: {type: conditional, condition: "memory.rate_result > 5"}}
  - {source: rate, target: draft}
start_node: draft
end_nodes: [send]
"#;

#[track_caller]
fn check_desk(edits: &[(&str, &str)], expected: &str) {
    let mut head = DESK.to_owned();
    for (before, after) in edits {
        assert!(head.contains(before), "{before}");
        head = head.replace(before, after);
    }
    check_marks(DESK, &head, "desk", expected);
}

#[test]
fn equal_meaning_has_no_marks() {
    check_desk(
        &[
            ("memory.rate_result > 5", "memory.rate_result>5"),
            ("{source: draft, target: rate}", "{target: rate, source: draft, condition: {type: always}}"),
        ],
        "Changes since the last commit: no changes in meaning",
    );
}

#[test]
fn nodes_and_edges_that_came_went_and_changed() {
    check_desk(
        &[
            ("tool_id: mail,", "tool_id: post,"),
            ("> 5", "> 7"),
            (
                "  - {source: rate, target: draft}\n",
                "  - {source: rate, target: ask}\n  - {source: ask, target: send}\n",
            ),
            ("edges:\n", "  - {id: ask, type: approval, approval_config: {prompt_message: Ok?}}\nedges:\n"),
        ],
        "
send: changed
ask: added
rate -> send when memory.rate_result > 7: changed
rate -> ask: added
ask -> send: added
rate -> draft: removed
> ~ graph `desk`  desk.yaml:1
>   ~ node `send`
>       grant `tool_id`: `mail` -> `post`
>   + node `ask` (approval)
>   ~ edge `rate -> send`
>       condition `condition.condition`: `memory.rate_result > 5` -> `memory.rate_result > 7`
>   ~ edge `rate -> draft` is now `rate -> ask`
>   + edge `ask -> send`
Changes since the last commit: 5 changes in 1 declaration
",
    );
    check_desk(
        &[
            ("  - {id: rate, type: tool, tool_id: rate, read_keys: [answer]}\n", ""),
            ("  - {source: draft, target: rate}\n", "  - {source: draft, target: send}\n"),
            ("  - {source: rate, target: draft}\n", ""),
            (
                "  - {source: rate, target: send, condition: {type: conditional, condition: \"memory.rate_result > 5\"}}\n",
                "",
            ),
        ],
        "
rate: removed
draft -> send: added
draft -> rate: removed
rate -> send when memory.rate_result > 5: removed
rate -> draft: removed
> ~ graph `desk`  desk.yaml:1
>   - node `rate` (tool)
>   ~ edge `draft -> rate` is now `draft -> send`
>   - edge `rate -> send` when `memory.rate_result > 5`
>   - edge `rate -> draft`
Changes since the last commit: 4 changes in 1 declaration
",
    );
}

#[test]
fn a_renamed_node_is_changed_and_its_edges_are_the_same() {
    check_desk(
        &[
            ("{id: rate,", "{id: judge,"),
            ("target: rate", "target: judge"),
            ("source: rate", "source: judge"),
            ("rate_result", "judge_result"),
        ],
        "
judge: was rate
> ~ graph `desk`  desk.yaml:1
>   ~ node `rate` is now `judge`
Changes since the last commit: 1 change in 1 declaration
",
    );
}

#[test]
fn a_renamed_graph_is_the_same_graph() {
    let head = DESK.replace("id: desk", "id: office");
    check_marks(
        DESK,
        &head,
        "office",
        "
> ~ graph `desk` is now `office`  desk.yaml:1
Changes since the last commit: 1 change in 1 declaration
",
    );
}

#[test]
fn a_graph_without_an_old_version_is_new() {
    let base = "#- other.yaml\nkind: LLMNode\nname: other\nprompts: {system: {en: x}}\n";
    check_marks(
        base,
        DESK,
        "desk",
        "
draft: added
rate: added
send: added
start -> draft: added
draft -> rate: added
rate -> send when memory.rate_result > 5: added
rate -> draft: added
send -> end: added
> + graph `desk`  desk.yaml:1
Changes since the last commit: 1 change in 1 declaration
",
    );
}

#[test]
fn declarations_that_lead_to_one_another() {
    let base = "
#- a.yaml
kind: LLMNode
name: planner
prompts: {system: {en: Plan.}}
nodes: [{target: writer, when: ready}, reader]
#- b.yaml
kind: LLMNode
name: writer
prompts: {system: {en: Write.}}
#- c.yaml
kind: LLMNode
name: reader
prompts: {system: {en: Read.}}
#- d.yaml
kind: LLMNode
name: alone
prompts: {system: {en: x}}
";
    let head = base
        .replace(", reader]", "]")
        .replace("when: ready", "when: done")
        .replace("Write.", "Write it.")
        .replace("en: x", "en: y");
    check_marks(
        base,
        &head,
        "planner",
        "
LLMNode/planner: changed
LLMNode/writer: changed
LLMNode/reader: removed
LLMNode/planner -> LLMNode/writer when done: changed
LLMNode/planner -> LLMNode/reader: removed
> ~ LLMNode `planner`  a.yaml:1
>   ~ edge `planner -> writer`
>       condition `when`: `ready` -> `done`
>   - edge `planner -> reader`
> ~ LLMNode `writer`  b.yaml:1
>   prompt `prompts.system`: `Write.` -> `Write it.`
Changes since the last commit: 3 changes in 2 declarations
",
    );
}

#[test]
fn a_change_in_a_graph_that_a_node_runs() {
    let base = "
#- outer.yaml
id: outer
name: Outer
description: x
nodes:
  - {id: call, type: subgraph, subgraph_config: {subgraph_id: inner, input_mapping: {}, output_mapping: {}}}
edges: []
start_node: call
end_nodes: [call]
#- inner.yaml
id: inner
name: Inner
description: x
nodes:
  - {id: use, type: tool, tool_id: use}
edges: []
start_node: use
end_nodes: [use]
";
    check_marks(
        base,
        &base.replace("tool_id: use", "tool_id: other"),
        "outer",
        "
call: its graph changed
use: changed
> ~ graph `inner`  inner.yaml:1
>   ~ node `use`
>       grant `tool_id`: `use` -> `other`
Changes since the last commit: 1 change in 1 declaration
",
    );
}

#[test]
fn a_renamed_declaration_is_the_beginning_of_the_same_graph() {
    let base = "
#- a.yaml
kind: LLMNode
name: planner
prompts: {system: {en: Plan.}}
nodes: [writer]
#- b.yaml
kind: LLMNode
name: writer
prompts: {system: {en: Write.}}
";
    check_marks(
        base,
        &base.replace("planner", "thinker"),
        "thinker",
        "
LLMNode/thinker: was planner
> ~ LLMNode `planner` is now `thinker`  a.yaml:1
Changes since the last commit: 1 change in 1 declaration
",
    );
}
