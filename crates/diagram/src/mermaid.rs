//! Graphs as a Mermaid flowchart.
//!
//! Input: graphs, perhaps what a run did in them; output: Mermaid's text. Invariant: names of files and conditions cannot
//! break the flowchart: they stand in quotes, with numbers for what Mermaid or Markdown would read as more than letters.

use std::fmt::Write;

use crate::layout::Direction;
use crate::svg::Picture;
use crate::view::{EdgeView, GraphView, NodeRole, NodeView, Stroke, one_line};
use nodewise_model::work::WorkKind;

/// The maximum number of characters of a name or a condition.
const TEXT_MAX: usize = 80;
/// The number of edges that Mermaid draws with its default settings. It refuses more.
pub const EDGES_MAX: usize = 500;

/// The flowchart. Several graphs are drawn next to each other.
#[must_use]
pub fn mermaid(pictures: &[Picture<'_>], direction: Direction) -> String {
    let way = match direction {
        Direction::Down => "TD",
        Direction::Right => "LR",
    };
    let mut chart = Chart { out: format!("flowchart {way}\n"), ..Chart::default() };
    let several = pictures.len() > 1;
    for (number, picture) in pictures.iter().enumerate() {
        let prefix = format!("g{number}");
        if several {
            let _ = writeln!(chart.out, "  subgraph {prefix} [\"{}\"]", escaped(&picture.view.title));
        }
        chart.graph(&prefix, picture, if several { 2 } else { 1 });
        if several {
            chart.out.push_str("  end\n");
        }
    }
    chart.finish(pictures.iter().any(|picture| picture.trail.is_some()))
}

/// A Markdown document: a heading for each graph, and its flowchart in a block.
#[must_use]
pub fn markdown(views: &[GraphView], direction: Direction) -> String {
    let mut out = String::new();
    for view in views {
        if !out.is_empty() {
            out.push('\n');
        }
        let title = heading(&view.title);
        let _ = write!(out, "## {title}\n\n```mermaid\n{}```\n", mermaid(&[Picture::plain(view)], direction));
    }
    out
}

/// A title as the text of a Markdown heading, with special characters escaped.
fn heading(title: &str) -> String {
    let mut out = String::with_capacity(title.len());
    for character in one_line(title).chars() {
        if character.is_ascii_punctuation() && !matches!(character, '`' | '-' | '.' | ',' | '/' | ':') {
            out.push('\\');
        }
        out.push(character);
    }
    out
}

/// The number of edges of a graph, with those of the graphs inside its nodes.
#[must_use]
pub fn edges(view: &GraphView) -> usize {
    let inner = view.nodes.iter().filter_map(|node| node.inner.as_deref());
    view.edges.len() + inner.map(edges).sum::<usize>()
}

#[derive(Default)]
struct Chart {
    out: String,
    links: usize,
    followed: Vec<usize>,
    /// The indices of the links with errors.
    wrong: Vec<usize>,
    /// The nodes of each class, in the order of `CLASSES`.
    classes: [Vec<String>; CLASSES.len()],
}

/// The classes with their styles.
const CLASSES: [(&str, &str); 6] = [
    ("visited", "fill:#d6f0dc,stroke:#2b7a3d,stroke-width:2px,color:#12351b"),
    ("failed", "fill:#f8d7da,stroke:#a3202c,stroke-width:2px,color:#4a0d13"),
    ("idle", "fill:#f4f4f4,stroke:#aaaaaa,color:#777777"),
    ("error", "stroke:#d1242f,stroke-width:3px"),
    ("missing", "fill:none,stroke:#d1242f,stroke-dasharray:4 3"),
    ("unreachable", "stroke-dasharray:3 3,opacity:0.6"),
];

impl Chart {
    fn graph(&mut self, prefix: &str, picture: &Picture<'_>, depth: usize) {
        let indent = "  ".repeat(depth);
        for (position, node) in picture.view.nodes.iter().enumerate() {
            let id = format!("{prefix}n{position}");
            match &node.inner {
                Some(inner) => {
                    let _ = writeln!(self.out, "{indent}subgraph {id} [\"{}\"]", written(node, 0));
                    self.graph(&id, &Picture::plain(inner), depth + 1);
                    let _ = writeln!(self.out, "{indent}end");
                }
                None => {
                    let visits = picture.trail.map_or(0, |trail| trail.node(position).visits);
                    let (open, close) = brackets(node);
                    let _ = writeln!(self.out, "{indent}{id}{open}\"{}\"{close}", written(node, visits));
                }
            }
            self.classify(&id, picture, position, node);
        }
        for (edge, from, to) in picture.view.joined() {
            let Some(view) = picture.view.edges.get(edge) else { continue };
            let is_followed = picture.trail.map(|trail| trail.follows(edge));
            let arrow = arrow(view, is_followed);
            let label = escaped(&shortened(&view.label()));
            let label = if label.is_empty() { label } else { format!("|\"{label}\"|") };
            let _ = writeln!(self.out, "{indent}{prefix}n{from} {arrow}{label} {prefix}n{to}");
            if is_followed == Some(true) {
                self.followed.push(self.links);
            } else if is_followed.is_none() && view.errors > 0 {
                self.wrong.push(self.links);
            }
            self.links += 1;
        }
    }

    fn classify(&mut self, id: &str, picture: &Picture<'_>, position: usize, node: &NodeView) {
        let trail = picture.trail.map(|trail| trail.node(position));
        let belongs = [
            trail.is_some_and(|trail| trail.visits > 0 && !trail.failed),
            trail.is_some_and(|trail| trail.failed),
            trail.is_some_and(|trail| trail.visits == 0) && !node.is_mark(),
            trail.is_none() && node.errors > 0,
            trail.is_none() && node.role == NodeRole::Unknown && node.kind.is_empty(),
            trail.is_none() && node.is_unreachable,
        ];
        for (nodes, belongs) in self.classes.iter_mut().zip(belongs) {
            if belongs {
                nodes.push(id.to_owned());
            }
        }
    }

    fn finish(mut self, is_run: bool) -> String {
        for (nodes, (class, look)) in self.classes.iter().zip(CLASSES) {
            // The classes of a run have no style here. They are for the user's own styles.
            let is_of_run = matches!(class, "visited" | "failed" | "idle");
            if !nodes.is_empty() || is_run && is_of_run {
                let _ = writeln!(self.out, "  classDef {class} {look}");
            }
        }
        for (nodes, (class, _)) in self.classes.iter().zip(CLASSES) {
            if !nodes.is_empty() {
                let _ = writeln!(self.out, "  class {} {class}", nodes.join(","));
            }
        }
        for (links, look) in [
            (self.followed, "stroke:#2b7a3d,stroke-width:3px"),
            (self.wrong, "stroke:#d1242f,stroke-width:2px"),
        ] {
            if !links.is_empty() {
                let links: Vec<String> = links.iter().map(usize::to_string).collect();
                let _ = writeln!(self.out, "  linkStyle {} {look}", links.join(","));
            }
        }
        self.out
    }
}

pub(crate) fn arrow(edge: &EdgeView, is_followed: Option<bool>) -> &'static str {
    match (is_followed, edge.kind.stroke()) {
        (Some(true), _) => "==>",
        (Some(false), _) => "-.->",
        (None, Stroke::Solid) => "-->",
        (None, Stroke::Dashed | Stroke::Dotted) => "-.->",
    }
}

pub(crate) fn written(node: &NodeView, visits: u32) -> String {
    let label = escaped(&shortened(&node.label));
    let label = if label.is_empty() { "?".to_owned() } else { label };
    if node.is_mark() {
        return label;
    }
    let times = if visits > 1 { format!(" ×{visits}") } else { String::new() };
    let caption = escaped(&shortened(&node.caption()));
    let caption = if caption.is_empty() { caption } else { format!("<br/>{caption}") };
    format!("{label}{times}{caption}")
}

pub(crate) fn brackets(node: &NodeView) -> (&'static str, &'static str) {
    match (node.role, node.work) {
        (NodeRole::Start | NodeRole::End, _) => ("([", "])"),
        (NodeRole::Unknown, _) => ("[", "]"),
        (NodeRole::Node, WorkKind::Agent) => ("(", ")"),
        (NodeRole::Node, WorkKind::Tool | WorkKind::Function | WorkKind::Unknown) => ("[", "]"),
        (NodeRole::Node, WorkKind::Choice) => ("{", "}"),
        (NodeRole::Node, WorkKind::Person) => ("[\\", "/]"),
        (NodeRole::Node, WorkKind::Judge) => ("{{", "}}"),
        (NodeRole::Node, WorkKind::Many) => ("[/", "/]"),
        (NodeRole::Node, WorkKind::Graph) => ("[[", "]]"),
        (NodeRole::Node, WorkKind::Memory) => ("[(", ")]"),
    }
}

pub(crate) fn shortened(text: &str) -> String {
    let text = one_line(text);
    match text.char_indices().nth(TEXT_MAX) {
        Some(_) => text.chars().take(TEXT_MAX - 1).chain(['…']).collect(),
        None => text,
    }
}

/// A text for use in quotes. Mermaid decodes numbered entities there.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut is_number = false;
    for (position, character) in one_line(text).chars().enumerate() {
        // Markdown would read this as the start of a list.
        let begins_list = position == 0 && matches!(character, '-' | '+') || is_number && character == '.';
        is_number = character.is_ascii_digit() && (position == 0 || is_number);
        let is_plain = character.is_alphanumeric()
            || !character.is_ascii()
            || matches!(
                character,
                ' ' | '.' | ',' | '_' | '-' | '+' | '=' | '(' | ')' | '/' | '?' | '!' | '\''
            );
        if is_plain && !begins_list {
            out.push(character);
        } else {
            let _ = write!(out, "#{};", u32::from(character));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_escaped(text: &str, expected: &str) {
        assert_eq!(escaped(text), expected);
    }

    #[test]
    fn what_mermaid_and_markdown_would_read_becomes_numbers() {
        check_escaped("summarise_refund (v1.2)", "summarise_refund (v1.2)");
        check_escaped("a == \"x\" | b", "a == #34;x#34; #124; b");
        check_escaped("%%{init: {}}%%", "#37;#37;#123;init#58; #123;#125;#125;#37;#37;");
        check_escaped("<b>&amp;</b>", "#60;b#62;#38;amp#59;#60;/b#62;");
        check_escaped("1. item", "1#46; item");
        check_escaped("- item", "#45; item");
        check_escaped("a\nb\u{7}\u{202e}c", "a bc");
        check_escaped("größer 漢字 😀", "größer 漢字 😀");
    }
}
