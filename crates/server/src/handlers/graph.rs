//! The command that gives a graph as data, for whoever draws it.
//!
//! Input: a position in a graph, or a document. Output: JSON with nodes, edges and their places. Invariant: what people
//! wrote is data; nothing of it is markup.

use nodewise_ide::graph::{EdgeKind, EdgeView, GraphView, NodeRole, NodeView, graph_at, graph_of_all};
use nodewise_model::Origin;
use serde::Deserialize;
use serde_json::{Value, json};
use tower_lsp_server::ls_types::{Position, TextDocumentIdentifier};

use super::file::File;
use crate::backend::Asked;

/// Which graph.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Subject {
    /// The document.
    text_document: TextDocumentIdentifier,
    /// Where in it; without, all that the project's documents make together, or the document's first graph.
    #[serde(default)]
    position: Option<Position>,
}

/// `nodewise.graph`: `null` where there is no graph.
pub(crate) fn graph(asked: &Asked<'_>, subject: &Subject) -> Value {
    let Some(file) = asked.file(&subject.text_document.uri) else { return Value::Null };
    let at = file.position(subject.position.unwrap_or_default());
    let around = graph_at(file.snapshot(), at);
    let found = match subject.position {
        Some(_) => around,
        None => graph_of_all(file.snapshot()).or(around),
    };
    found.map_or(Value::Null, |view| whole(&file, &view))
}

fn whole(file: &File<'_>, view: &GraphView) -> Value {
    json!({
        "title": view.title,
        "nodes": view.nodes.iter().map(|one| node(file, one)).collect::<Vec<_>>(),
        "edges": view.edges.iter().map(|one| edge(file, one)).collect::<Vec<_>>(),
    })
}

fn node(file: &File<'_>, node: &NodeView) -> Value {
    let role = match node.role {
        NodeRole::Start => "start",
        NodeRole::Node => "node",
        NodeRole::Unknown => "unknown",
        NodeRole::End => "end",
    };
    json!({
        "id": node.id, "label": node.label.as_str(), "kind": node.kind.as_str(), "role": role,
        "location": node.at.and_then(|at| location(file, at)),
        "reads": words(&node.reads), "writes": words(&node.writes), "problems": node.problems,
    })
}

fn edge(file: &File<'_>, edge: &EdgeView) -> Value {
    let kind = match edge.kind {
        EdgeKind::Always => "always",
        EdgeKind::Conditional => "conditional",
        EdgeKind::Discovery => "discovery",
        EdgeKind::Personality => "personality",
        EdgeKind::HandOver => "handOver",
        EdgeKind::Tool => "tool",
        EdgeKind::Unknown => "unknown",
    };
    json!({
        "from": edge.from, "to": edge.to, "condition": edge.condition, "kind": kind,
        "location": location(file, edge.at),
    })
}

fn words<T: AsRef<str>>(names: &[T]) -> Vec<&str> {
    names.iter().map(AsRef::as_ref).collect()
}

fn location(file: &File<'_>, at: Origin) -> Option<Value> {
    file.location(at).map(|location| json!({"uri": location.uri, "range": location.range}))
}
