//! The changed part of a graph, to draw.
//!
//! Input: both versions of a graph and its changes. Output: the changed nodes and edges, and the nodes at the other ends of
//! their edges; `None` if no node and no edge changed. Invariant: every drawn edge has both ends.

use std::collections::BTreeMap;

use nodewise_diagram::marks::{MarkKind, PartMark};
use nodewise_diagram::view::{EdgeKind, EdgeView, GraphView, NodeView};
use nodewise_dialect::meaning::{MeaningPart, MeaningPiece, PartRole};
use smol_str::SmolStr;

use crate::change::{PartChange, PartChangeKind};
use crate::titles::{title, word};

/// The changed nodes and edges of a graph, with the edges around them. `None` if no node or edge changed.
pub(crate) fn drawing(old: &MeaningPart, new: &MeaningPart, change: &PartChange) -> Option<GraphView> {
    let marks = Marks::of(change);
    if marks.nodes.is_empty() && marks.edges.is_empty() {
        return None;
    }
    let heading = format!("{} `{}`", change.noun, change.name);
    let mut drawn = GraphView { title: heading, ..GraphView::default() };
    for (graph, is_head) in [(new, true), (old, false)] {
        for edge in graph.parts.iter().filter(|part| part.role == PartRole::Edge) {
            let mark = marks.edge(&title(edge), is_head);
            let touches = edge.ends.iter().any(|end| marks.nodes.contains_key(end.text()));
            let is_wanted = if is_head { mark.is_some() || touches } else { mark == Some(MarkKind::Removed) };
            if let ([source, target], true) = (edge.ends.as_slice(), is_wanted) {
                let (from, to) = (marks.now(source, is_head), marks.now(target, is_head));
                drawn.edges.push(EdgeView { marks: listed(mark), ..edge_view(edge, from, to) });
            }
        }
    }
    let ends = drawn.edges.iter().flat_map(|edge| [edge.from.as_str(), edge.to.as_str()]);
    let mut wanted: Vec<SmolStr> = marks.nodes.keys().cloned().chain(ends.map(SmolStr::new)).collect();
    wanted.sort_unstable();
    wanted.dedup();
    for graph in [new, old] {
        for node in graph.parts.iter().filter(|part| part.role == PartRole::Node) {
            let Some(name) = &node.name else { continue };
            if let Ok(position) = wanted.binary_search(name) {
                wanted.remove(position);
                let marks = listed(marks.nodes.get(name).copied());
                let kind = node.word.clone().unwrap_or_default();
                drawn.nodes.push(NodeView { kind, marks, ..named(name.clone()) });
            }
        }
    }
    // What is left names no node: it is where a run begins or ends.
    for name in wanted {
        drawn.nodes.push(named(name));
    }
    Some(drawn)
}

fn named(name: SmolStr) -> NodeView {
    NodeView { id: name.to_string(), label: name, ..NodeView::default() }
}

fn listed(mark: Option<MarkKind>) -> Vec<PartMark> {
    mark.map(PartMark::new).into_iter().collect()
}

fn edge_view(edge: &MeaningPart, from: &str, to: &str) -> EdgeView {
    let condition = word(edge);
    let kind = if condition.is_some() { EdgeKind::Conditional } else { EdgeKind::Always };
    EdgeView { from: from.to_owned(), to: to.to_owned(), condition, kind, ..EdgeView::default() }
}

/// What happened to the nodes and edges of a graph.
#[derive(Default)]
struct Marks {
    nodes: BTreeMap<SmolStr, MarkKind>,
    /// The key is the name of the edge, and whether it is an edge of the new version.
    edges: BTreeMap<(String, bool), MarkKind>,
    /// The new names of renamed nodes, by their old names.
    renamed: BTreeMap<String, String>,
}

impl Marks {
    fn of(change: &PartChange) -> Marks {
        let mut marks = Marks::default();
        for part in change.parts.iter().filter(|part| part.kind != PartChangeKind::Reordered) {
            let mark = match part.kind {
                PartChangeKind::Added => MarkKind::Added,
                PartChangeKind::Removed => MarkKind::Removed,
                _ => MarkKind::Changed,
            };
            match part.role {
                PartRole::Node => {
                    marks.nodes.insert(SmolStr::new(&part.name), mark);
                    if let PartChangeKind::Renamed(former) = &part.kind {
                        marks.renamed.insert(former.clone(), part.name.clone());
                    }
                }
                PartRole::Edge => {
                    marks.edges.insert((part.name.clone(), mark != MarkKind::Removed), mark);
                    if let PartChangeKind::Moved(former) = &part.kind {
                        marks.edges.insert((former.clone(), false), MarkKind::Removed);
                        marks.edges.insert((part.name.clone(), true), MarkKind::Added);
                    }
                }
                _ => {}
            }
        }
        marks
    }

    /// The name that an end of an edge has now.
    fn now<'m>(&'m self, end: &'m MeaningPiece, is_head: bool) -> &'m str {
        let new = self.renamed.get(end.text()).filter(|_| !is_head);
        new.map_or(end.text(), String::as_str)
    }

    fn edge(&self, name: &str, is_head: bool) -> Option<MarkKind> {
        self.edges.get(&(name.to_owned(), is_head)).copied()
    }
}
