//! Graphs as a picture.
//!
//! Input: graphs, perhaps what a run did in them; output: a complete SVG document without scripts, fonts or references,
//! light or dark as its reader has it. Invariant: texts of files stand in it as text only, and equal graphs give equal bytes.

mod shapes;
mod style;

use std::fmt::Write;

use crate::layout::{Direction, EdgeRoute, Layout, Point, Size, Wire, layered};
use crate::measure::{width, wrapped};
use crate::trail::Trail;
use crate::view::{EdgeView, GraphView, NodeView, Stroke, one_line};
use shapes::NodeAppearance;
use style::STYLE;

/// A graph to draw, and what a run did in it.
#[derive(Debug, Clone, Copy)]
pub struct Picture<'p> {
    pub view: &'p GraphView,
    /// The trail of a run; `None` draws the graph as declared.
    pub trail: Option<&'p Trail>,
}

/// The margin of the whole picture.
const MARGIN: f64 = 24.0;
/// The height of a graph's title, and the space between graphs.
const TITLE: f64 = 30.0;
const BETWEEN: f64 = 40.0;
/// The space around a graph inside a node, and for the name of that node.
const INNER: f64 = 18.0;
const INNER_HEAD: f64 = 44.0;
/// Font sizes and line heights.
const NAME: f64 = 13.0;
const LABEL: f64 = 11.0;
const LABEL_LINE: f64 = 14.0;
const LABEL_WIDTH: f64 = 180.0;
const LABEL_LINES: usize = 3;
const TITLE_LETTERS: f64 = 14.0;

impl<'p> Picture<'p> {
    /// A picture of the graph as it is declared.
    #[must_use]
    pub fn plain(view: &'p GraphView) -> Picture<'p> {
        Picture { view, trail: None }
    }
}

#[must_use]
pub fn svg(title: &str, pictures: &[Picture<'_>], direction: Direction) -> String {
    let mut body = String::new();
    let mut size = Size { width: 0.0, height: MARGIN };
    for (number, picture) in pictures.iter().enumerate() {
        if number > 0 {
            size.height += BETWEEN;
        }
        let heading = heading(&picture.view.title);
        size.width = size.width.max(width(&heading, TITLE_LETTERS) * 1.1);
        let _ = writeln!(
            body,
            "<text class=\"title\" x=\"{MARGIN}\" y=\"{}\">{}</text>",
            rounded(size.height + TITLE_LETTERS),
            escaped(&heading)
        );
        size.height += TITLE;
        let drawing = Drawing::new(picture, direction);
        let _ = write!(
            body,
            "<g transform=\"translate({MARGIN} {})\">\n{}</g>\n",
            rounded(size.height),
            drawing.body
        );
        size.width = size.width.max(drawing.size.width);
        size.height += drawing.size.height;
    }
    let (width, height) = ((size.width + 2.0 * MARGIN).ceil(), (size.height + MARGIN).ceil());
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\">\n<title>{}</title>\n<style>{STYLE}</style>\n<defs>{}{}{}</defs>\n\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n{body}</svg>\n",
        escaped(&heading(title)),
        arrow("arrow", "head"),
        arrow("arrow-followed", "head-followed"),
        arrow("arrow-wrong", "head-wrong"),
    )
}

/// The title of a picture. Names in backticks get typographic quotes.
fn heading(title: &str) -> String {
    let title = one_line(title);
    match (title.find('`'), title.rfind('`')) {
        (Some(open), Some(close)) if open < close => {
            let (before, rest) = title.split_at(open);
            let (name, behind) = rest.split_at(close - open);
            let (name, behind) = (name.trim_start_matches('`'), behind.trim_start_matches('`'));
            format!("{before}“{name}”{behind}")
        }
        _ => title,
    }
}

fn arrow(id: &str, class: &str) -> String {
    format!(
        "<marker id=\"{id}\" viewBox=\"0 0 8 8\" refX=\"7.5\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
         markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path class=\"{class}\" d=\"M0 0.5L8 4L0 7.5z\"/></marker>"
    )
}

/// A drawing of one graph. Its coordinates begin at zero.
struct Drawing {
    body: String,
    size: Size,
}

impl Drawing {
    fn new(picture: &Picture<'_>, direction: Direction) -> Drawing {
        let view = picture.view;
        let faces: Vec<NodeAppearance> = view
            .nodes
            .iter()
            .enumerate()
            .map(|(position, node)| appearance(picture, position, node, direction))
            .collect();
        let sizes: Vec<Size> = faces.iter().map(|appearance| appearance.size).collect();
        let joined = view.joined();
        let labels: Vec<Vec<String>> =
            joined.iter().map(|(edge, _, _)| label_of(&view.edges, *edge)).collect();
        let wires: Vec<Wire> = joined
            .iter()
            .zip(&labels)
            .map(|((_, from, to), label)| Wire { from: *from, to: *to, label: room(label) })
            .collect();
        let layout = layered(&sizes, &wires, direction);
        let mut drawing = Drawing { body: String::new(), size: layout.size };
        for ((edge, _, _), route) in joined.iter().zip(&layout.routes) {
            if let Some(view) = view.edges.get(*edge) {
                drawing.edge(picture, *edge, view, route);
            }
        }
        drawing.labels(&labels, &layout);
        for ((node, appearance), middle) in view.nodes.iter().zip(&faces).zip(&layout.middles) {
            drawing.node(node, appearance, *middle);
        }
        drawing
    }

    fn edge(&mut self, picture: &Picture<'_>, position: usize, edge: &EdgeView, route: &EdgeRoute) {
        let stroke = match edge.kind.stroke() {
            Stroke::Solid => "",
            Stroke::Dashed => " dashed",
            Stroke::Dotted => " dotted",
        };
        let (class, head) = match picture.trail {
            Some(trail) if trail.follows(position) => (" followed", "arrow-followed"),
            Some(_) => (" left", "arrow"),
            None if edge.errors > 0 => (" wrong", "arrow-wrong"),
            None => ("", "arrow"),
        };
        let _ = writeln!(
            self.body,
            "<g class=\"edge{stroke}{class}\"><title>{}</title><path d=\"{}\" marker-end=\"url(#{head})\"/></g>",
            escaped(&tip(picture.view, edge)),
            path(route)
        );
    }

    /// Draws the labels, each on a background, so that lines do not cross its letters.
    fn labels(&mut self, labels: &[Vec<String>], layout: &Layout) {
        for (lines, route) in labels.iter().zip(&layout.routes) {
            let (Some(middle), Some(size)) = (route.label, room(lines)) else { continue };
            let (left, top) = (middle.x - size.width / 2.0, middle.y - size.height / 2.0);
            let _ = write!(
                self.body,
                "<g class=\"label\"><rect class=\"paper\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"3\"/>",
                rounded(left),
                rounded(top),
                rounded(size.width),
                rounded(size.height)
            );
            for (number, line) in lines.iter().enumerate() {
                let y = top + LABEL_LINE * (number as f64 + 1.0) - 3.0;
                self.line("", line, Point { x: middle.x, y });
            }
            self.body.push_str("</g>\n");
        }
    }

    fn node(&mut self, node: &NodeView, appearance: &NodeAppearance, middle: Point) {
        let mut title = one_line(&node.label);
        for more in [node.caption()].into_iter().filter(|caption| !caption.is_empty()).chain(node.remarks()) {
            let _ = write!(title, " · {more}");
        }
        let _ =
            write!(self.body, "<g class=\"node {}\"><title>{}</title>", appearance.class, escaped(&title));
        appearance.outline(middle, &mut self.body);
        let mut y = middle.y + appearance.first_line;
        for line in &appearance.name {
            self.line("", line, Point { x: middle.x, y });
            y += shapes::NAME_LINE;
        }
        y -= 2.0;
        for line in &appearance.caption {
            self.line(" class=\"kind\"", line, Point { x: middle.x, y });
            y += shapes::KIND_LINE;
        }
        if node.errors > 0 {
            appearance.badge(middle, &mut self.body);
        }
        if let Some(inner) = &appearance.inner {
            let left = middle.x - inner.size.width / 2.0;
            let top = middle.y - appearance.size.height / 2.0 + INNER_HEAD;
            let _ = write!(
                self.body,
                "\n<g transform=\"translate({} {})\">\n{}</g>",
                rounded(left),
                rounded(top),
                inner.body
            );
        }
        self.body.push_str("</g>\n");
    }

    fn line(&mut self, class: &str, text: &str, at: Point) {
        let _ = write!(
            self.body,
            "<text{class} x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            rounded(at.x),
            rounded(at.y),
            escaped(text)
        );
    }
}

/// The appearance of a node.
fn appearance(
    picture: &Picture<'_>,
    position: usize,
    node: &NodeView,
    direction: Direction,
) -> NodeAppearance {
    let inner = node.inner.as_ref().map(|inner| Drawing::new(&Picture::plain(inner), direction));
    NodeAppearance::new(node, picture.trail.map(|trail| trail.node(position)), inner)
}

fn label_of(edges: &[EdgeView], edge: usize) -> Vec<String> {
    let label = edges.get(edge).map(EdgeView::label).unwrap_or_default();
    wrapped(&label, LABEL, LABEL_WIDTH, LABEL_LINES)
}

/// The size of a label; `None` for an empty one.
fn room(lines: &[String]) -> Option<Size> {
    let widest = lines.iter().map(|line| width(line, LABEL)).fold(0.0, f64::max);
    (!lines.is_empty()).then_some(Size { width: widest + 8.0, height: lines.len() as f64 * LABEL_LINE + 3.0 })
}

/// The tooltip of an edge, with everything that is known about it.
fn tip(view: &GraphView, edge: &EdgeView) -> String {
    let label = |id: &str| {
        let node = view.nodes.iter().find(|node| node.id == id);
        one_line(node.map_or(id, |node| node.label.as_str()))
    };
    let text = edge.label();
    let behind = if text.is_empty() { text } else { format!(": {text}") };
    let remarks: String = edge.remarks().iter().map(|remark| format!(" · {remark}")).collect();
    format!("{} → {}{behind}{remarks}", label(&edge.from), label(&edge.to))
}

/// The path of an edge in the syntax of SVG; empty for an edge without a path.
#[must_use]
pub fn path(route: &EdgeRoute) -> String {
    if route.curves.is_empty() {
        return String::new();
    }
    let mut path = format!("M{} {}", rounded(route.start.x), rounded(route.start.y));
    for curve in &route.curves {
        let points: Vec<String> =
            curve.iter().map(|point| format!("{} {}", rounded(point.x), rounded(point.y))).collect();
        let _ = write!(path, "C{}", points.join(" "));
    }
    path
}

/// A number, rounded to one decimal.
fn rounded(number: f64) -> String {
    let tenths = (number * 10.0).round() / 10.0;
    // Adding zero turns a negative zero into zero.
    format!("{}", tenths + 0.0)
}

/// A text, escaped for XML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            character => out.push(character),
        }
    }
    out
}
