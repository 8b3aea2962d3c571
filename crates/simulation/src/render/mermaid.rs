//! The graphs of a run as a Mermaid flowchart, the path painted.
//!
//! Input: a recording; output: Mermaid's text. Invariant: names of files and conditions cannot break the flowchart.

use crate::paint::{PaintedNode, Painting, paintings};
use crate::recording::Recording;
use crate::words;

/// Conditions are shortened to so many characters.
const LABEL_MAX: usize = 60;

/// The flowchart.
#[must_use]
pub fn mermaid(recording: &Recording) -> String {
    let paintings = paintings(recording);
    let mut out = String::from("flowchart TD\n");
    let mut followed: Vec<usize> = Vec::new();
    let mut links = 0;
    let several = paintings.len() > 1;
    for (number, painting) in paintings.iter().enumerate() {
        let indent = if several { "    " } else { "  " };
        if several {
            out.push_str(&format!("  subgraph g{number} [\"{}\"]\n", escaped(&painting.graph)));
        }
        for (position, node) in painting.nodes.iter().enumerate() {
            out.push_str(&format!("{indent}{}{}\n", id(number, position), shape(node)));
        }
        for edge in &painting.edges {
            let label = escaped(&words::shortened(&edge.label, LABEL_MAX));
            let label = if label.is_empty() { label } else { format!("|\"{label}\"|") };
            let (from, to) = (id(number, edge.from), id(number, edge.to));
            let arrow = if edge.followed > 0 { "==>" } else { "-.->" };
            out.push_str(&format!("{indent}{from} {arrow}{label} {to}\n"));
            if edge.followed > 0 {
                followed.push(links);
            }
            links += 1;
        }
        if several {
            out.push_str("  end\n");
        }
    }
    out.push_str("  classDef visited fill:#d6f0dc,stroke:#2b7a3d,stroke-width:2px,color:#12351b\n");
    out.push_str("  classDef failed fill:#f8d7da,stroke:#a3202c,stroke-width:2px,color:#4a0d13\n");
    out.push_str("  classDef idle fill:#f4f4f4,stroke:#aaaaaa,color:#777777\n");
    out.push_str(&classes(&paintings));
    if !followed.is_empty() {
        let links: Vec<String> = followed.iter().map(usize::to_string).collect();
        out.push_str(&format!("  linkStyle {} stroke:#2b7a3d,stroke-width:3px\n", links.join(",")));
    }
    out
}

fn classes(paintings: &[Painting]) -> String {
    let mut out = String::new();
    for (class, belongs) in [
        ("visited", (|node: &PaintedNode| node.visits > 0 && !node.failed) as fn(&PaintedNode) -> bool),
        ("failed", |node| node.failed),
        ("idle", |node| node.visits == 0 && !node.is_mark),
    ] {
        let mut ids: Vec<String> = Vec::new();
        for (number, painting) in paintings.iter().enumerate() {
            let fitting = painting.nodes.iter().enumerate().filter(|(_, node)| belongs(node));
            ids.extend(fitting.map(|(position, _)| id(number, position)));
        }
        if !ids.is_empty() {
            out.push_str(&format!("  class {} {class}\n", ids.join(",")));
        }
    }
    out
}

fn id(graph: usize, node: usize) -> String {
    format!("g{graph}n{node}")
}

fn shape(node: &PaintedNode) -> String {
    let label = escaped(&node.label);
    if node.is_mark {
        return format!("([\"{label}\"])");
    }
    let kind = if node.kind.is_empty() { String::new() } else { format!("<br/>{}", escaped(&node.kind)) };
    let times = if node.visits > 1 { format!(" ×{}", node.visits) } else { String::new() };
    format!("[\"{label}{times}{kind}\"]")
}

/// A text inside quotes; Mermaid reads numbered entities there.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '"' | '<' | '>' | '&' | '#' | '`' | ';' | '\\' => {
                out.push_str(&format!("#{};", u32::from(character)))
            }
            character if character.is_control() => out.push(' '),
            character => out.push(character),
        }
    }
    out
}
