//! Graphs in the language of Graphviz.
//!
//! Input: graphs; output: one directed graph in DOT, a cluster for each where there are several, and for graphs inside
//! nodes. Invariant: texts of files stand in quoted strings only.

use std::fmt::Write;

use crate::layout::Direction;
use crate::view::{GraphView, NodeRole, NodeView, Stroke, one_line};
use nodewise_model::work::WorkKind;

/// The maximum number of characters of a name or a condition. Tooltips have the whole text.
const TEXT_MAX: usize = 60;

/// Several graphs as one DOT file.
#[must_use]
pub fn dot(title: &str, views: &[&GraphView], direction: Direction) -> String {
    let way = match direction {
        Direction::Down => "TB",
        Direction::Right => "LR",
    };
    let mut out = format!(
        "digraph {} {{\n  rankdir={way};\n  compound=true;\n  node [fontname=\"Helvetica,Arial\", fontsize=12, shape=box];\n  \
         edge [fontname=\"Helvetica,Arial\", fontsize=10];\n",
        quoted(&one_line(title))
    );
    let several = views.len() > 1;
    for (number, view) in views.iter().enumerate() {
        let prefix = format!("g{number}");
        if several {
            let _ = writeln!(
                out,
                "  subgraph cluster_{prefix} {{\n    label={};",
                quoted(&one_line(&view.title))
            );
        }
        graph(&mut out, &prefix, view, if several { 2 } else { 1 });
        if several {
            out.push_str("  }\n");
        }
    }
    out.push_str("}\n");
    out
}

fn graph(out: &mut String, prefix: &str, view: &GraphView, depth: usize) {
    let indent = "  ".repeat(depth);
    for (position, node) in view.nodes.iter().enumerate() {
        let id = format!("{prefix}n{position}");
        match &node.inner {
            Some(inner) => {
                let label = quoted(&format!("{} ({})", shortened(&node.label), shortened(&node.caption())));
                let _ = writeln!(out, "{indent}subgraph cluster_{id} {{\n{indent}  label={label};");
                // Edges of Graphviz can only end at nodes. This invisible node stands for the whole graph.
                let _ = writeln!(out, "{indent}  {id} [shape=point, style=invis];");
                graph(out, &id, inner, depth + 1);
                let _ = writeln!(out, "{indent}}}");
            }
            None => {
                let _ = writeln!(out, "{indent}{id} [{}];", look(node));
            }
        }
    }
    for (edge, from, to) in view.joined() {
        let Some(edge) = view.edges.get(edge) else { continue };
        let mut parts = Vec::new();
        let label = edge.label();
        if !label.is_empty() {
            parts.push(format!("label={}", quoted(&shortened(&label))));
            parts.push(format!("tooltip={}", quoted(&label)));
        }
        match edge.kind.stroke() {
            Stroke::Solid => {}
            Stroke::Dashed => parts.push("style=dashed".to_owned()),
            Stroke::Dotted => parts.push("style=dotted".to_owned()),
        }
        if edge.errors > 0 {
            parts.push("color=red".to_owned());
        }
        let is_nest = |node: usize| view.nodes.get(node).is_some_and(|node| node.inner.is_some());
        for (end, word) in [(from, "ltail"), (to, "lhead")] {
            if is_nest(end) && from != to {
                parts.push(format!("{word}=cluster_{prefix}n{end}"));
            }
        }
        let parts = if parts.is_empty() { String::new() } else { format!(" [{}]", parts.join(", ")) };
        let _ = writeln!(out, "{indent}{prefix}n{from} -> {prefix}n{to}{parts};");
    }
}

fn look(node: &NodeView) -> String {
    let shape = match (node.role, node.work) {
        (NodeRole::Start, _) => "oval",
        (NodeRole::End, _) => "oval, peripheries=2",
        (NodeRole::Unknown, _) if !node.kind.is_empty() => "box, style=dashed",
        (NodeRole::Unknown, _) => "box, style=dashed, color=red",
        (NodeRole::Node, work) => match work {
            WorkKind::Agent => "box, style=rounded",
            WorkKind::Tool | WorkKind::Unknown => "box",
            WorkKind::Function => "cds",
            WorkKind::Choice => "hexagon",
            WorkKind::Person => "invtrapezium",
            WorkKind::Judge => "octagon",
            WorkKind::Many => "box3d",
            WorkKind::Graph => "component",
            WorkKind::Memory => "cylinder",
        },
    };
    let caption = if node.is_mark() { String::new() } else { shortened(&node.caption()) };
    let name = shortened(&node.label);
    let name = if name.is_empty() { "?".to_owned() } else { name };
    let label = if caption.is_empty() { name } else { format!("{name}\n{caption}") };
    let mut look = format!("label={}, shape={shape}", quoted(&label));
    if node.errors > 0 {
        look.push_str(", color=red, penwidth=2");
    }
    if node.is_unreachable {
        look.push_str(", style=dashed, fontcolor=gray50");
    }
    look
}

fn shortened(text: &str) -> String {
    let text = one_line(text);
    match text.char_indices().nth(TEXT_MAX) {
        Some(_) => text.chars().take(TEXT_MAX - 1).chain(['…']).collect(),
        None => text,
    }
}

/// A text as a DOT string. Line breaks are kept.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            // Graphviz interprets HTML entities in labels.
            '&' => out.push_str("&amp;"),
            character => out.push(character),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stand_in_strings() {
        assert_eq!(quoted("say \"hi\" \\ &lt;\nthere"), r#""say \"hi\" \\ &amp;lt;\nthere""#);
        assert_eq!(shortened(&"x".repeat(100)).chars().count(), TEXT_MAX);
    }
}
