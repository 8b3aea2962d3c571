//! A graph as text for people.
//!
//! Input: a graph, and how the caller shows places; output: its nodes in order, below each where it leads. Invariant:
//! every node and every edge has one line.

use std::fmt::Write;

use nodewise_model::Origin;

use crate::view::{EdgeKind, EdgeView, GraphView, NodeView, Stroke, one_line};

/// Writes a place as text; `None` if the place cannot be found.
pub type TextPlaceFormat<'p> = &'p dyn Fn(Origin) -> Option<String>;

#[must_use]
pub fn text(view: &GraphView, place: TextPlaceFormat<'_>) -> String {
    let mut out = String::new();
    graph(&mut out, view, 0, place);
    out
}

fn graph(out: &mut String, view: &GraphView, depth: usize, place: TextPlaceFormat<'_>) {
    let indent = "  ".repeat(depth);
    let _ = writeln!(out, "{indent}{}{}", one_line(&view.title), shown(view.at, place));
    let mut leaving: Vec<Vec<(usize, usize)>> = vec![Vec::new(); view.nodes.len()];
    for (edge, from, to) in view.joined() {
        if let Some(list) = leaving.get_mut(from) {
            list.push((edge, to));
        }
    }
    for (node, edges) in view.nodes.iter().zip(leaving) {
        // The end of a run has no edges, so there is nothing to list.
        if node.is_mark() && edges.is_empty() {
            continue;
        }
        let _ = writeln!(out, "{indent}  {}{}{}", name(node), described(node), shown(node.at, place));
        for (edge, to) in edges {
            if let (Some(edge), Some(to)) = (view.edges.get(edge), view.nodes.get(to)) {
                let _ = writeln!(
                    out,
                    "{indent}    {} {}{}",
                    arrow(edge),
                    name(to),
                    reason(edge) + &remarked(&edge.remarks())
                );
            }
        }
        if let Some(inner) = &node.inner {
            graph(out, inner, depth + 2, place);
        }
    }
}

fn name(node: &NodeView) -> String {
    let label = one_line(&node.label);
    if label.is_empty() { "?".to_owned() } else { label }
}

/// The description of a node, with its problems.
fn described(node: &NodeView) -> String {
    let caption = if node.is_mark() { String::new() } else { node.caption() };
    let caption = if caption.is_empty() { caption } else { format!("  {caption}") };
    format!("{caption}{}", remarked(&node.remarks()))
}

fn remarked(remarks: &[String]) -> String {
    if remarks.is_empty() { String::new() } else { format!("  ({})", remarks.join(", ")) }
}

fn arrow(edge: &EdgeView) -> &'static str {
    match edge.kind.stroke() {
        Stroke::Solid => "->",
        Stroke::Dashed => "~>",
        Stroke::Dotted => "..>",
    }
}

fn reason(edge: &EdgeView) -> String {
    let label = edge.label();
    match edge.kind {
        _ if label.is_empty() => String::new(),
        EdgeKind::Conditional | EdgeKind::Personality => format!("  when {label}"),
        _ => format!("  {label}"),
    }
}

fn shown(at: Option<Origin>, place: TextPlaceFormat<'_>) -> String {
    at.and_then(place).map(|place| format!("  {place}")).unwrap_or_default()
}
