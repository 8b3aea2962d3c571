//! A graph as data to draw: nodes with their reads and writes, edges with their conditions, the start and end of a run.
//! In: a snapshot, and a position, files or a name. Out: plain data in the order of the text. If each document declares
//! one node, the references between documents make the graph.

pub(crate) mod declared;
mod nested;
mod network;
#[cfg(test)]
mod tests;

use nodewise_analysis::diagnostic::Severity;
use nodewise_analysis::facts::{DocumentFacts, DocumentId};
use nodewise_analysis::workspace::Snapshot;
use nodewise_diagram::view::GraphView;
use nodewise_model::{Body, Declaration, Origin, SourceId};
use nodewise_syntax::TextRange;
use smol_str::{SmolStr, format_smolstr};

use crate::names::{Entity, declaration, name_at};
use crate::position::FilePosition;
pub use nested::{nest, nest_without_problems};

/// The title of the graph of all nodes that are separate documents.
const ALL: &str = "all nodes";

/// The graph at a position: the one around it, or the one that starts at the declaration there.
#[must_use]
pub fn graph_at(snapshot: &Snapshot, position: FilePosition) -> Option<GraphView> {
    let (document, part) = graph_place(snapshot, position)?;
    of_document(snapshot, document, part, ProblemCounts::Counted)
}

/// The graph at a position, without the numbers of its problems. To count problems, all rules must run, which takes
/// most of the time for a large graph.
#[must_use]
pub fn graph_without_problems_at(snapshot: &Snapshot, position: FilePosition) -> Option<GraphView> {
    let (document, part) = graph_place(snapshot, position)?;
    of_document(snapshot, document, part, ProblemCounts::Left)
}

/// Whether a view has the numbers of problems.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProblemCounts {
    Counted,
    Left,
}

/// The document of the graph at a position, and the graph's index in it. A document that declares one node is the
/// beginning of a graph.
pub(crate) fn graph_place(snapshot: &Snapshot, position: FilePosition) -> Option<(DocumentId, usize)> {
    let file = position.file(snapshot)?;
    let at = Origin::new(position.source, TextRange::empty(position.offset));
    // A comment may be above the first document.
    let id = file.document_at(at).or(file.documents.first())?.id;
    // A name may refer to another graph than the one around it.
    if let Some(Entity::Declaration { document, part, .. }) =
        name_at(snapshot, position).map(|name| name.entity)
        && has_graph(snapshot, document, part)
    {
        return Some((document, part));
    }
    let graphs = declaration(snapshot, id).into_iter().flat_map(|found| found.graphs());
    let part = graphs.take_while(|graph| graph.head.range.start() <= position.offset).count();
    Some((id, part.saturating_sub(1)))
}

/// Whether a document declares such a graph, or a node with a name.
fn has_graph(snapshot: &Snapshot, id: DocumentId, part: usize) -> bool {
    let has = |found: &Declaration| match found.body {
        Body::Node(_) => found.name.is_some(),
        _ => found.graph(part).is_some(),
    };
    declaration(snapshot, id).is_some_and(has)
}

/// The graph of all nodes that are separate documents. `None` if there are no such nodes.
#[must_use]
pub fn graph_of_all(snapshot: &Snapshot) -> Option<GraphView> {
    let all = snapshot.files().iter().map(|file| file.source);
    network_of(snapshot, all)
}

/// Every graph of some files: those that documents declare, in the order of the files, then the graph of the files'
/// nodes with everything that they lead to.
#[must_use]
pub fn graphs_of(snapshot: &Snapshot, sources: &[SourceId]) -> Vec<GraphView> {
    let documents =
        sources.iter().filter_map(|source| snapshot.file(*source)).flat_map(|file| &file.documents);
    let mut graphs: Vec<GraphView> = documents.flat_map(|document| declared_in(snapshot, document)).collect();
    graphs.extend(network_of(snapshot, sources.iter().copied()));
    graphs
}

/// The graphs of some files that a name may refer to: those with that id or title. Otherwise, everything that is
/// reachable from the node with that name, with or without its kind.
#[must_use]
pub fn graphs_called(snapshot: &Snapshot, sources: &[SourceId], name: &str) -> Vec<GraphView> {
    let documents =
        || sources.iter().filter_map(|source| snapshot.file(*source)).flat_map(|file| &file.documents);
    let graphs: Vec<GraphView> = documents()
        .flat_map(|document| declared_in(snapshot, document))
        .filter(|graph| graph.names.iter().any(|known| known == name))
        .collect();
    if !graphs.is_empty() {
        return graphs;
    }
    let is_called = |document: &&DocumentFacts| {
        let found = declaration(snapshot, document.id);
        found.is_some_and(|found| node_names(found).iter().any(|known| known == name))
    };
    let nodes = documents().filter(|document| is_node(snapshot, document.id)).filter(is_called);
    nodes.filter_map(|document| of_document(snapshot, document.id, 0, ProblemCounts::Counted)).collect()
}

/// The names for a node that is a separate document.
fn node_names(found: &Declaration) -> Vec<SmolStr> {
    let name = found.name.as_ref().map(|name| name.value.clone());
    name.into_iter().flat_map(|name| [name.clone(), format_smolstr!("{}/{name}", found.kind)]).collect()
}

/// The graph of the nodes of some files, with everything that they lead to.
fn network_of(snapshot: &Snapshot, sources: impl Iterator<Item = SourceId>) -> Option<GraphView> {
    let files = sources.filter_map(|source| snapshot.file(source));
    let all = files.flat_map(|file| &file.documents).map(|document| document.id);
    let roots: Vec<DocumentId> = all.filter(|id| is_node(snapshot, *id)).collect();
    (!roots.is_empty()).then(|| network::reachable(snapshot, ALL.to_owned(), roots, ProblemCounts::Counted))
}

/// The graphs that a document declares.
fn declared_in<'s>(
    snapshot: &'s Snapshot,
    document: &DocumentFacts,
) -> impl Iterator<Item = GraphView> + use<'s> {
    let id = document.id;
    let count = declaration(snapshot, id).map_or(0, |found| found.graphs().count());
    (0..count).filter_map(move |part| declared::view(snapshot, id, part, ProblemCounts::Counted))
}

fn of_document(snapshot: &Snapshot, id: DocumentId, part: usize, counts: ProblemCounts) -> Option<GraphView> {
    if is_node(snapshot, id) {
        let found = declaration(snapshot, id)?;
        let name = found.name.as_ref()?;
        let view = network::reachable(snapshot, format!("{} `{}`", found.kind, name.value), vec![id], counts);
        return Some(GraphView { names: node_names(found), at: Some(name.at), ..view });
    }
    declared::view(snapshot, id, part, counts)
}

pub(crate) fn is_node(snapshot: &Snapshot, id: DocumentId) -> bool {
    declaration(snapshot, id).is_some_and(|found| matches!(found.body, Body::Node(_)))
}

/// The positions of errors and warnings of a file, and those of errors. Sorted.
#[derive(Debug, Default)]
struct Problems {
    all: Vec<u32>,
    errors: Vec<u32>,
}

impl Problems {
    fn new(snapshot: &Snapshot, source: SourceId, counts: ProblemCounts) -> Problems {
        if counts == ProblemCounts::Left {
            return Problems::default();
        }
        let found = snapshot.diagnostics(source);
        let starts = |wanted: fn(Severity) -> bool| {
            let wanted = found.iter().filter(|diagnostic| wanted(diagnostic.severity));
            let mut starts: Vec<u32> =
                wanted.map(|diagnostic| diagnostic.finding.at.range.start().into()).collect();
            starts.sort_unstable();
            starts
        };
        Problems {
            all: starts(|severity| severity != Severity::Hint),
            errors: starts(|severity| severity == Severity::Error),
        }
    }

    /// The number of errors and warnings in a range, and the number of errors.
    fn inside(&self, range: TextRange) -> (usize, usize) {
        let count = |starts: &[u32]| {
            let before = |offset: u32| starts.partition_point(|start| *start < offset);
            before(range.end().into()).saturating_sub(before(range.start().into()))
        };
        (count(&self.all), count(&self.errors))
    }
}
