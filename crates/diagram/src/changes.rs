//! The changed part of a graph as a Mermaid flowchart.
//!
//! Input: a graph with what happened to its nodes and edges. Output: Mermaid's text. Invariant: as in [`crate::mermaid`],
//! names and conditions of files cannot break the flowchart.

use std::fmt::Write;

use crate::mermaid::{arrow, brackets, escaped, shortened, written};
use crate::view::GraphView;

/// A graph with what happened to its parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChangedView {
    /// The graph of both versions together.
    pub view: GraphView,
    /// What happened to each node.
    pub nodes: Vec<ChangeMark>,
    /// What happened to each edge.
    pub edges: Vec<ChangeMark>,
}

/// What happened to a node or an edge.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ChangeMark {
    /// Nothing.
    #[default]
    Same,
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It says something else.
    Changed,
}

/// The classes, each with the look of its nodes and that of its edges.
const CLASSES: [(ChangeMark, &str, &str, &str); 3] = [
    (
        ChangeMark::Added,
        "added",
        "fill:#d6f0dc,stroke:#2b7a3d,stroke-width:2px,color:#12351b",
        "stroke:#2b7a3d,stroke-width:3px",
    ),
    (
        ChangeMark::Removed,
        "removed",
        "fill:#f8d7da,stroke:#a3202c,stroke-width:2px,stroke-dasharray:4 3,color:#4a0d13",
        "stroke:#a3202c,stroke-width:2px,stroke-dasharray:4 3",
    ),
    (
        ChangeMark::Changed,
        "changed",
        "fill:#fdf0c8,stroke:#9a6700,stroke-width:2px,color:#3d2a00",
        "stroke:#9a6700,stroke-width:3px",
    ),
];

/// The flowchart.
#[must_use]
pub fn mermaid(changed: &ChangedView) -> String {
    let mut out = "flowchart TD\n".to_owned();
    for (position, node) in changed.view.nodes.iter().enumerate() {
        let (open, close) = brackets(node);
        let _ = writeln!(out, "  n{position}{open}\"{}\"{close}", written(node, 0));
    }
    let mut links: Vec<ChangeMark> = Vec::new();
    for (edge, from, to) in changed.view.joined() {
        let Some(view) = changed.view.edges.get(edge) else { continue };
        let label = escaped(&shortened(&view.label()));
        let label = if label.is_empty() { label } else { format!("|\"{label}\"|") };
        let _ = writeln!(out, "  n{from} {}{label} n{to}", arrow(view, None));
        links.push(changed.edges.get(edge).copied().unwrap_or_default());
    }
    for (mark, class, node_look, edge_look) in CLASSES {
        let marked = |marks: &[ChangeMark], prefix: &str| {
            let marked = marks.iter().enumerate().filter(|(_, found)| **found == mark);
            marked.map(|(position, _)| format!("{prefix}{position}")).collect::<Vec<_>>().join(",")
        };
        let (nodes, edges) = (marked(&changed.nodes, "n"), marked(&links, ""));
        if !nodes.is_empty() {
            let _ = writeln!(out, "  classDef {class} {node_look}\n  class {nodes} {class}");
        }
        if !edges.is_empty() {
            let _ = writeln!(out, "  linkStyle {edges} {edge_look}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::{EdgeView, NodeView};

    #[test]
    fn what_changed_is_painted() {
        let node = |id: &str| NodeView { id: id.into(), label: id.into(), ..NodeView::default() };
        let edge =
            |from: &str, to: &str| EdgeView { from: from.into(), to: to.into(), ..EdgeView::default() };
        let view = GraphView {
            nodes: vec![node("a"), node("b\"]")],
            edges: vec![edge("a", "gone"), edge("a", "b\"]")],
            ..GraphView::default()
        };
        let changed = ChangedView {
            view,
            nodes: vec![ChangeMark::Same, ChangeMark::Removed],
            edges: vec![ChangeMark::Added, ChangeMark::Changed],
        };
        assert_eq!(
            mermaid(&changed),
            "flowchart TD\n  n0[\"a\"]\n  n1[\"b#34;#93;\"]\n  n0 --> n1\n  classDef removed \
             fill:#f8d7da,stroke:#a3202c,stroke-width:2px,stroke-dasharray:4 3,color:#4a0d13\n  class n1 removed\n  \
             linkStyle 0 stroke:#9a6700,stroke-width:3px\n"
        );
    }
}
