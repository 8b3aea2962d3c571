//! The graphs of a run as a picture, the path painted.
//!
//! Input: a recording; output: a complete SVG document without scripts, fonts or references. Invariant: texts of files
//! stand in it as text only.

use crate::layout::{Layout, Point, layered};
use crate::paint::{PaintedEdge, PaintedNode, Painting, paintings};
use crate::recording::Recording;
use crate::words;

/// Sizes in the picture's units.
const HEIGHT: f64 = 44.0;
const CHARACTER: f64 = 7.6;
const PADDING: f64 = 26.0;
const MARGIN: f64 = 48.0;
const TITLE: f64 = 30.0;
/// How far a line that goes up bends aside.
const BOW: f64 = 90.0;
/// How much of names and conditions is shown.
const NAME_MAX: usize = 40;
const LABEL_MAX: usize = 36;

const STYLE: &str = "text{font:13px ui-sans-serif,system-ui,sans-serif;fill:#24292f}\
.kind{font-size:10.5px;fill:#57606a}.title{font-weight:600}.label{font-size:10.5px;fill:#57606a}\
rect{fill:#f6f8fa;stroke:#afb8c1}.visited rect{fill:#dafbe1;stroke:#1a7f37;stroke-width:2}\
.failed rect{fill:#ffebe9;stroke:#cf222e;stroke-width:2}.idle text{fill:#8c959f}\
path{fill:none;stroke:#afb8c1;stroke-width:1.2;stroke-dasharray:4 3}\
.followed path{stroke:#1a7f37;stroke-width:2.2;stroke-dasharray:none}";

/// The picture.
#[must_use]
pub fn svg(recording: &Recording) -> String {
    let mut body = String::new();
    let (mut width, mut top) = (0.0_f64, MARGIN / 2.0);
    for painting in &paintings(recording) {
        let layout = layout(painting);
        let bows = painting.edges.iter().any(|edge| goes_up(edge, &layout));
        width = width.max(layout.width + if bows { BOW } else { 0.0 });
        body.push_str(&drawn(painting, &layout, top));
        top += TITLE + layout.height + HEIGHT + MARGIN;
    }
    let (width, height) = (width + 2.0 * MARGIN, top);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" role=\"img\">\n<title>{}</title>\n<style>{STYLE}</style>\n\
         <defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
         orient=\"auto-start-reverse\"><path d=\"M0 0L8 4L0 8z\" style=\"fill:#57606a;stroke:none\"/></marker></defs>\n\
         {body}</svg>\n",
        escaped(&recording.title),
    )
}

fn layout(painting: &Painting) -> Layout {
    let widths: Vec<f64> = painting.nodes.iter().map(width_of).collect();
    let edges: Vec<(usize, usize)> = painting.edges.iter().map(|edge| (edge.from, edge.to)).collect();
    layered(&widths, &edges)
}

fn drawn(painting: &Painting, layout: &Layout, top: f64) -> String {
    let mut out = format!(
        "<text class=\"title\" x=\"{MARGIN}\" y=\"{:.0}\">{}</text>\n",
        top + 4.0,
        escaped(&words::shortened(&painting.graph, NAME_MAX)),
    );
    let shift = |point: &Point| Point { x: point.x + MARGIN, y: point.y + top + TITLE + HEIGHT / 2.0 };
    let middles: Vec<Point> = layout.middles.iter().map(shift).collect();
    for edge in &painting.edges {
        if let (Some(from), Some(to)) = (middles.get(edge.from), middles.get(edge.to)) {
            out.push_str(&edge_line(edge, *from, *to));
        }
    }
    for (node, middle) in painting.nodes.iter().zip(&middles) {
        out.push_str(&node_box(node, *middle));
    }
    out
}

fn goes_up(edge: &PaintedEdge, layout: &Layout) -> bool {
    let height = |node: usize| layout.middles.get(node).map(|middle| middle.y);
    height(edge.to) <= height(edge.from)
}

fn width_of(node: &PaintedNode) -> f64 {
    let characters = shown(node).chars().count().max(node.kind.chars().count());
    characters as f64 * CHARACTER + PADDING
}

fn shown(node: &PaintedNode) -> String {
    let name = words::shortened(&node.label, NAME_MAX);
    if node.visits > 1 { format!("{name} ×{}", node.visits) } else { name }
}

fn node_box(node: &PaintedNode, middle: Point) -> String {
    let class = match (node.is_mark, node.failed, node.visits) {
        (true, ..) => "mark",
        (_, true, _) => "failed",
        (_, _, 0) => "idle",
        _ => "visited",
    };
    let width = width_of(node);
    let radius = if node.is_mark { HEIGHT / 2.0 } else { 6.0 };
    let (x, y) = (middle.x - width / 2.0, middle.y - HEIGHT / 2.0);
    let name_y = if node.kind.is_empty() { middle.y + 4.5 } else { middle.y - 2.0 };
    let mut out = format!(
        "<g class=\"{class}\"><rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{HEIGHT}\" \
         rx=\"{radius}\"/><text x=\"{:.1}\" y=\"{name_y:.1}\" text-anchor=\"middle\">{}</text>",
        middle.x,
        escaped(&shown(node)),
    );
    if !node.kind.is_empty() {
        let kind = escaped(&words::shortened(&node.kind, NAME_MAX));
        out.push_str(&format!(
            "<text class=\"kind\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{kind}</text>",
            middle.x,
            middle.y + 13.0,
        ));
    }
    out.push_str("</g>\n");
    out
}

/// An edge: down in a gentle curve; up, or to itself, in a bow beside the nodes.
fn edge_line(edge: &PaintedEdge, from: Point, to: Point) -> String {
    let class = if edge.followed > 0 { "followed" } else { "left" };
    let (path, label) = if to.y > from.y {
        let (start, end) = (from.y + HEIGHT / 2.0, to.y - HEIGHT / 2.0);
        let bend = (end - start) / 2.0;
        let path = format!(
            "M{:.1} {start:.1}C{:.1} {:.1} {:.1} {:.1} {:.1} {end:.1}",
            from.x,
            from.x,
            start + bend,
            to.x,
            end - bend,
            to.x,
        );
        (path, Point { x: (from.x + to.x) / 2.0, y: (start + end) / 2.0 })
    } else {
        let side = from.x.max(to.x) + BOW;
        let path = format!(
            "M{:.1} {:.1}C{side:.1} {:.1} {side:.1} {:.1} {:.1} {:.1}",
            from.x + 20.0,
            from.y + HEIGHT / 2.0,
            from.y + 60.0,
            to.y - 60.0,
            to.x + 20.0,
            to.y - HEIGHT / 2.0,
        );
        (path, Point { x: side - 20.0, y: (from.y + to.y) / 2.0 })
    };
    let mut out = format!("<g class=\"{class}\"><path d=\"{path}\" marker-end=\"url(#arrow)\"/>");
    if !edge.label.is_empty() {
        out.push_str(&format!(
            "<text class=\"label\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            label.x,
            label.y,
            escaped(&words::shortened(&edge.label, LABEL_MAX)),
        ));
    }
    out.push_str("</g>\n");
    out
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            character if character.is_control() => out.push(' '),
            character => out.push(character),
        }
    }
    out
}
