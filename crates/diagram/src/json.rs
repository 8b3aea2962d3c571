//! Graphs as JSON for programs.
//!
//! Input: graphs, and how the caller writes places; output: a document with a version, or one graph. Invariant: what
//! people wrote is data; equal graphs give equal bytes.

use nodewise_model::Origin;
use serde_json::{Value, json};
use smol_str::SmolStr;

use crate::marks::PartMark;
use crate::view::{EdgeView, GraphView, NodeView};

/// The version of the JSON format.
pub const VERSION: u32 = 1;

/// Writes a place as JSON; `None` if the place cannot be found.
pub type JsonPlaceFormat<'p> = &'p dyn Fn(Origin) -> Option<Value>;

#[must_use]
pub fn graph(view: &GraphView, place: JsonPlaceFormat<'_>) -> Value {
    json!({
        "title": view.title,
        "names": words(&view.names),
        "location": view.at.and_then(place),
        "nodes": view.nodes.iter().map(|one| node(one, place)).collect::<Vec<_>>(),
        "edges": view.edges.iter().map(|one| edge(one, place)).collect::<Vec<_>>(),
    })
}

fn node(node: &NodeView, place: JsonPlaceFormat<'_>) -> Value {
    let written = json!({
        "id": node.id,
        "label": node.label.as_str(),
        "kind": node.kind.as_str(),
        "role": node.role.word(),
        "work": if node.is_mark() { Value::Null } else { Value::from(node.work.word()) },
        "runs": node.runs.as_ref().map(SmolStr::as_str),
        "graph": node.inner.as_ref().map(|inner| graph(inner, place)),
        "location": node.at.and_then(place),
        "reads": words(&node.reads),
        "writes": words(&node.writes),
        "problems": node.problems,
        "errors": node.errors,
        "unreachable": node.is_unreachable,
    });
    with_marks(written, &node.marks)
}

fn edge(edge: &EdgeView, place: JsonPlaceFormat<'_>) -> Value {
    let written = json!({
        "from": edge.from,
        "to": edge.to,
        "condition": edge.condition,
        "label": edge.label(),
        "kind": edge.kind.word(),
        "parallel": edge.is_parallel,
        "location": edge.at.and_then(place),
        "problems": edge.problems,
        "errors": edge.errors,
    });
    with_marks(written, &edge.marks)
}

/// Adds the marks, unless there are none.
fn with_marks(mut part: Value, marks: &[PartMark]) -> Value {
    let mark = |mark: &PartMark| json!({"kind": mark.kind.word(), "text": mark.text});
    if let (Value::Object(members), false) = (&mut part, marks.is_empty()) {
        members.insert("marks".to_owned(), marks.iter().map(mark).collect());
    }
    part
}

fn words(names: &[SmolStr]) -> Vec<&str> {
    names.iter().map(SmolStr::as_str).collect()
}
