//! Tests of marks: the marked parts of a graph, and the words.
#![allow(clippy::unwrap_used)]

use std::fmt::Write;

use nodewise_diagram::marked::MarkedView;
use nodewise_diagram::marks::{MarkKind, PartMark};
use nodewise_diagram::view::GraphView;
use nodewise_syntax::TextRange;

use super::{key_at, key_called, marked_key, marked_path, paths_at};
use crate::testing::project_at_cursor;

fn list(marked: Option<MarkedView>) -> String {
    let Some(marked) = marked else { return "nothing\n".to_owned() };
    let mut list = format!("{}: {}\n", marked.title, marked.summary);
    list_parts(&mut list, &marked.view);
    for line in marked.lines {
        writeln!(list, "> {}", line.text).unwrap();
    }
    list
}

fn list_parts(list: &mut String, view: &GraphView) {
    let said = |marks: &[PartMark]| {
        let said = |mark: &PartMark| match mark.kind {
            MarkKind::Step => format!("step {}", mark.text).trim_end().to_owned(),
            _ => mark.text.clone(),
        };
        let marks = marks.iter().map(said);
        marks.collect::<Vec<_>>().join("; ")
    };
    for node in &view.nodes {
        if !node.marks.is_empty() {
            writeln!(list, "{}: {}", node.id.trim(), said(&node.marks)).unwrap();
        }
        node.inner.iter().for_each(|inner| list_parts(list, inner));
    }
    for edge in view.edges.iter().filter(|edge| !edge.marks.is_empty()) {
        writeln!(list, "{} -> {}: {}", edge.from.trim(), edge.to.trim(), said(&edge.marks)).unwrap();
    }
}

/// The marks for the first path at the fixture's cursor.
#[track_caller]
fn check_path(fixture: &str, expected: &str) {
    let (snapshot, position) = project_at_cursor(fixture);
    let paths = paths_at(&snapshot, position.source, TextRange::empty(position.offset));
    let marked = paths.first().and_then(|path| marked_path(&snapshot, path));
    assert_eq!(list(marked), expected.trim_start());
}

/// The marks for the key at the fixture's cursor, or for the key of a name in the graph there.
#[track_caller]
fn check_key(fixture: &str, name: Option<&str>, expected: &str) {
    let (snapshot, position) = project_at_cursor(fixture);
    let key = match name {
        Some(name) => key_called(&snapshot, position, name),
        None => key_at(&snapshot, position),
    };
    let marked = key.and_then(|key| marked_key(&snapshot, position, &key));
    assert_eq!(list(marked), expected.trim_start());
}

const REFUNDS: &str = "
#- /refunds.yaml
name: refunds
description: Answers mail.
nodes:
  - {id: read, type: agent, agent_id: reader, tools: [{type: mcp, server_id: mail}], write_keys: [request]}
  - {id: sort, type: agent, agent_id: sorter, read_keys: [request], write_keys: [kind]}
  - {id: pay, type: agent, agent_id: payer, read_keys: [kind], tools: [{type: custom, name: refund_order}]}
  - {id: other, type: agent, agent_id: sorter}
edges:
  - {source: read, target: sort}
  - {source: sort, target: pay, condition: {type: conditional, condition: \"memory.kind == 'refund'\"}}
  - {source: sort, target: other}
start_node: read
end_nodes: [pay, other]
";

#[test]
fn the_path_of_a_finding_is_numbered() {
    let fixture = REFUNDS.replace("{id: pay,", "{id: p$0ay,");
    check_path(
        &fixture,
        "
Path of the finding `unguarded-effect`: `pay` acts on untrusted text from `read`
read: step 1
sort: step 2
pay: step 3
read -> sort: step
sort -> pay: step
> 1. `read` reads from the server `mail`
> 2. `sort` reads `request`
> 3. `pay` reads `kind`
",
    );
}

#[test]
fn a_path_that_leads_to_a_condition_ends_at_its_edge() {
    check_path(
        &REFUNDS.replace("memory.kind", "memory.ki$0nd"),
        "
Path of the finding `tainted-condition`: untrusted text decides by `kind` whether the edge is followed
read: step 1
sort: step 2
read -> sort: step
sort -> pay: step 3
> 1. `read` reads from the server `mail`
> 2. the text comes to `sort`
> 3. untrusted text decides by `kind` whether the edge is followed
",
    );
}

#[test]
fn a_path_through_declarations() {
    let fixture = "
#- /desk.yaml
kind: LLMNode
name: de$0sk
prompts: {system: {en: Answer.}}
tools: [read_mail]
nodes: [pay, other]
---
kind: LLMNode
name: other
prompts: {system: {en: Answer.}}
---
kind: LLMNode
name: pay
prompts: {system: {en: Pay.}}
tools: [refund_order]
---
kind: ToolNode
name: read_mail
description: {en: Reads the last mail.}
func: desk.read_mail
---
kind: ToolNode
name: refund_order
description: {en: Pays an order back.}
func: desk.refund_order
";
    check_path(
        fixture,
        "
Path of the finding `unguarded-effect`: `pay` acts on untrusted text from `desk`
LLMNode/desk: step 1
LLMNode/pay: step 2
LLMNode/desk -> LLMNode/pay: step
> 1. `desk` calls `read_mail`
> 2. the run continues at `pay`
",
    );
}

#[test]
fn a_place_without_a_path_has_none() {
    check_path(&REFUNDS.replace("id: other", "id: ot$0her"), "nothing\n");
}

#[test]
fn who_writes_reads_and_tests_a_key() {
    let expected = "
What happens to the state key `kind` of graph `refunds`: written once, read once, tested once
sort: writes
pay: reads
sort -> pay: tests
> written by node `sort`
> read by node `pay`
> tested by edge `sort` → `pay`
";
    check_key(&REFUNDS.replace("write_keys: [kind]", "write_keys: [ki$0nd]"), None, expected);
    check_key(&REFUNDS.replace("id: other", "id: ot$0her"), Some("kind"), expected);
}

#[test]
fn a_key_that_nobody_names_has_no_marks() {
    check_key(&REFUNDS.replace("id: other", "id: ot$0her"), Some("nobody"), "nothing\n");
    check_key(&REFUNDS.replace("id: other", "id: ot$0her"), None, "nothing\n");
}

#[test]
fn a_key_is_followed_into_a_graph_that_a_node_runs() {
    let fixture = "
#- /outer.yaml
id: outer
name: Outer
description: x
nodes:
  - {id: make, type: tool, tool_id: make, write_keys: [dr$0aft]}
  - {id: call, type: subgraph, subgraph_config: {subgraph_id: inner, input_mapping: {draft: text}, output_mapping: {}}}
edges:
  - {source: make, target: call}
start_node: make
end_nodes: [call]
#- /inner.yaml
id: inner
name: Inner
description: x
nodes:
  - {id: use, type: tool, tool_id: use, read_keys: [text]}
edges: []
start_node: use
end_nodes: [use]
";
    check_key(
        fixture,
        None,
        "
What happens to the state key `draft` of graph `outer`: written once, read 2 times, tested nowhere
make: writes
call: reads
use: reads
> written by node `make`
> copied to state key `text` of graph `inner` by node `call`
> state key `text` of graph `inner`
>   read by node `use`
>   copied from state key `draft` of graph `outer` by node `call`
",
    );
}
