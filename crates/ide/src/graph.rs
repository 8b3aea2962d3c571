//! A graph as data to draw: nodes with what they read and write, edges with what decides them, where a run begins and
//! ends. In: a snapshot and a position, or none; out: plain data in the order of the text. Where a document declares one
//! node, the graph is what the references of many documents make of it.

mod declared;
mod network;
#[cfg(test)]
mod tests;

use nodewise_analysis::facts::DocumentId;
use nodewise_analysis::workspace::Snapshot;
use nodewise_model::{Body, Origin};
use smol_str::SmolStr;

use crate::names::{Entity, declaration, name_at};
use crate::position::FilePosition;

/// A graph.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GraphView {
    /// What it is: "Graph `main`".
    pub title: String,
    /// Its nodes, with marks for where a run begins and ends.
    pub nodes: Vec<NodeView>,
    /// Its edges.
    pub edges: Vec<EdgeView>,
}

/// A node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeView {
    /// What edges name it by; unique in the graph.
    pub id: String,
    /// What people call it.
    pub label: SmolStr,
    /// The word for its kind; nothing for a mark or an unknown node.
    pub kind: SmolStr,
    /// What it is.
    pub role: NodeRole,
    /// Its name in the text, unless it is a mark.
    pub at: Option<Origin>,
    /// The keys of the state that it names to read them.
    pub reads: Vec<SmolStr>,
    /// The keys of the state that it names to write them.
    pub writes: Vec<SmolStr>,
    /// How many diagnostics it has.
    pub problems: usize,
}

/// What a node of the drawing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeRole {
    /// Where a run begins.
    Start,
    /// A node.
    Node,
    /// A name that something leads to, and that nothing declares.
    Unknown,
    /// Where a run ends.
    End,
}

/// An edge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EdgeView {
    /// The id of the node that it leaves.
    pub from: String,
    /// The id of the node that it leads to.
    pub to: String,
    /// What decides it, as it is written.
    pub condition: Option<String>,
    /// Where it stands.
    pub at: Origin,
    /// Why a run goes there.
    pub kind: EdgeKind,
}

/// Why a run goes along an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EdgeKind {
    /// Always.
    Always,
    /// When its condition holds.
    Conditional,
    /// When a search finds a capability.
    Discovery,
    /// By a trait of the persona.
    Personality,
    /// Because the node hands over: a supervisor, a map, a swarm.
    HandOver,
    /// Because a model calls a tool.
    Tool,
    /// By a word that nothing knows.
    Unknown,
}

/// The graph at a position: the one around it, or the one that the declaration there leads into.
#[must_use]
pub fn graph_at(snapshot: &Snapshot, position: FilePosition) -> Option<GraphView> {
    let file = position.file(snapshot)?;
    let at = Origin::new(position.source, nodewise_syntax::TextRange::empty(position.offset));
    let id = file.document_at(at)?.id;
    // A name may mean another graph than the one around it.
    if let Some(Entity::Declaration { document, part, .. }) =
        name_at(snapshot, position).map(|name| name.entity)
        && let Some(view) = of_document(snapshot, document, part)
    {
        return Some(view);
    }
    let graphs = declaration(snapshot, id).into_iter().flat_map(|found| found.graphs());
    let part = graphs.take_while(|graph| graph.head.range.start() <= position.offset).count();
    of_document(snapshot, id, part.saturating_sub(1))
}

/// The graph that all declarations of nodes make together; nothing where no document declares a node by itself.
#[must_use]
pub fn graph_of_all(snapshot: &Snapshot) -> Option<GraphView> {
    let all = snapshot.files().iter().flat_map(|file| &file.documents).map(|document| document.id);
    let roots: Vec<DocumentId> = all.filter(|id| is_node(snapshot, *id)).collect();
    (!roots.is_empty()).then(|| network::reachable(snapshot, "all nodes".to_owned(), roots))
}

fn of_document(snapshot: &Snapshot, id: DocumentId, part: usize) -> Option<GraphView> {
    if is_node(snapshot, id) {
        let found = declaration(snapshot, id)?;
        let name = found.name.as_ref()?;
        return Some(network::reachable(snapshot, format!("{} `{}`", found.kind, name.value), vec![id]));
    }
    declared::view(snapshot, id, part)
}

fn is_node(snapshot: &Snapshot, id: DocumentId) -> bool {
    declaration(snapshot, id).is_some_and(|found| matches!(found.body, Body::Node(_)))
}

/// How many diagnostics a file has inside each of some places.
fn problems_in(snapshot: &Snapshot, source: nodewise_model::SourceId, places: &[Origin]) -> Vec<usize> {
    let found = snapshot.diagnostics(source);
    let mut starts: Vec<u32> =
        found.iter().map(|diagnostic| diagnostic.finding.at.range.start().into()).collect();
    starts.sort_unstable();
    let before = |offset: u32| starts.partition_point(|start| *start < offset);
    let inside = |at: &Origin| match at.source == source {
        true => before(at.range.end().into()) - before(at.range.start().into()),
        false => 0,
    };
    places.iter().map(inside).collect()
}
