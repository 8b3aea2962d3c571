//! The changed part of a graph as a Mermaid flowchart.
//!
//! Input: a graph whose nodes and edges are marked with what happened to them. Output: Mermaid's text. Invariant: as in [`crate::mermaid`],
//! names and conditions of files cannot break the flowchart.

use std::fmt::Write;

use crate::marks::{MarkKind, PartMark};
use crate::mermaid::{arrow, brackets, escaped, shortened, written};
use crate::view::GraphView;

/// The classes, each with the style of its nodes and of its edges.
const CLASSES: [(MarkKind, &str, &str, &str); 3] = [
    (
        MarkKind::Added,
        "added",
        "fill:#d6f0dc,stroke:#2b7a3d,stroke-width:2px,color:#12351b",
        "stroke:#2b7a3d,stroke-width:3px",
    ),
    (
        MarkKind::Removed,
        "removed",
        "fill:#f8d7da,stroke:#a3202c,stroke-width:2px,stroke-dasharray:4 3,color:#4a0d13",
        "stroke:#a3202c,stroke-width:2px,stroke-dasharray:4 3",
    ),
    (
        MarkKind::Changed,
        "changed",
        "fill:#fdf0c8,stroke:#9a6700,stroke-width:2px,color:#3d2a00",
        "stroke:#9a6700,stroke-width:3px",
    ),
];

/// The flowchart of a graph with marked changes.
#[must_use]
pub fn mermaid(changed: &GraphView) -> String {
    let mut out = "flowchart TD\n".to_owned();
    for (position, node) in changed.nodes.iter().enumerate() {
        let (open, close) = brackets(node);
        let _ = writeln!(out, "  n{position}{open}\"{}\"{close}", written(node, 0));
    }
    let mut links: Vec<&[PartMark]> = Vec::new();
    for (edge, from, to) in changed.joined() {
        let Some(view) = changed.edges.get(edge) else { continue };
        let label = escaped(&shortened(&view.label()));
        let label = if label.is_empty() { label } else { format!("|\"{label}\"|") };
        let _ = writeln!(out, "  n{from} {}{label} n{to}", arrow(view, None));
        links.push(&view.marks);
    }
    let nodes: Vec<&[PartMark]> = changed.nodes.iter().map(|node| node.marks.as_slice()).collect();
    for (mark, class, node_look, edge_look) in CLASSES {
        let marked = |parts: &[&[PartMark]], prefix: &str| {
            let has = |marks: &[PartMark]| marks.iter().any(|found| found.kind == mark);
            let marked = parts.iter().enumerate().filter(|(_, marks)| has(marks));
            marked.map(|(position, _)| format!("{prefix}{position}")).collect::<Vec<_>>().join(",")
        };
        let (nodes, edges) = (marked(&nodes, "n"), marked(&links, ""));
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
        let marks = |kind| vec![PartMark::new(kind)];
        let node =
            |id: &str, marks| NodeView { id: id.into(), label: id.into(), marks, ..NodeView::default() };
        let edge = |from: &str, to: &str, marks| EdgeView {
            from: from.into(),
            to: to.into(),
            marks,
            ..EdgeView::default()
        };
        let changed = GraphView {
            nodes: vec![node("a", Vec::new()), node("b\"]", marks(MarkKind::Removed))],
            edges: vec![
                edge("a", "gone", marks(MarkKind::Added)),
                edge("a", "b\"]", marks(MarkKind::Changed)),
            ],
            ..GraphView::default()
        };
        assert_eq!(
            mermaid(&changed),
            "flowchart TD\n  n0[\"a\"]\n  n1[\"b#34;#93;\"]\n  n0 --> n1\n  classDef removed \
             fill:#f8d7da,stroke:#a3202c,stroke-width:2px,stroke-dasharray:4 3,color:#4a0d13\n  class n1 removed\n  \
             linkStyle 0 stroke:#9a6700,stroke-width:3px\n"
        );
    }
}
