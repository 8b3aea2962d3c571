//! How nodes look: the outline says what runs in them, the letters what they are called.
//!
//! Input: a node, what a run did there, the graph inside it; output: its size, and its outline at a place. Invariant: what is
//! written fits into the outline, and the upper and lower side of it are level where edges meet them.

use std::fmt::Write;

use super::{Drawing, INNER, INNER_HEAD, LABEL, NAME, rounded};
use crate::layout::{Point, Size};
use crate::measure::{width, wrapped};
use crate::trail::NodeTrail;
use crate::view::{NodeRole, NodeView, one_line};
use nodewise_model::work::WorkKind;

/// The line height of names, and of the text below them.
pub(super) const NAME_LINE: f64 = 16.0;
pub(super) const KIND_LINE: f64 = 13.0;
/// The maximum width of a line of a name, and the maximum number of lines. Longer names are shortened.
const NAME_WIDTH: f64 = 190.0;
const NAME_LINES: usize = 3;
const KIND_LINES: usize = 2;
/// The space above and below the text.
const PADDING: f64 = 9.0;
const WIDTH_MIN: f64 = 76.0;
const MARK_HEIGHT: f64 = 26.0;
const MARK_WIDTH: f64 = 60.0;
/// How far the slanted sides of an outline lean.
const LEAN: f64 = 14.0;
/// The distance of the copies behind an outline.
const COPY: f64 = 4.0;

/// The shape of a node, its size, and the places of its texts.
pub(super) struct NodeAppearance {
    pub(super) class: String,
    pub(super) name: Vec<String>,
    pub(super) caption: Vec<String>,
    pub(super) size: Size,
    /// The vertical place of the first line, relative to the centre.
    pub(super) first_line: f64,
    pub(super) inner: Option<Drawing>,
    shape: Shape,
}

/// An outline.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Pill,
    Round,
    Plain,
    LeftBar,
    Bars,
    Hexagon,
    Octagon,
    Trapezoid,
    Stack,
    Cylinder,
}

impl NodeAppearance {
    pub(super) fn new(node: &NodeView, trail: Option<NodeTrail>, inner: Option<Drawing>) -> NodeAppearance {
        let shape = shape(node);
        let label = one_line(&node.label);
        let label = if label.is_empty() { "?".to_owned() } else { label };
        let name = wrapped(&label, NAME, NAME_WIDTH, NAME_LINES);
        let mut caption = if node.is_mark() { String::new() } else { node.caption() };
        if let Some(trail) = trail.filter(|trail| trail.visits > 1) {
            let _ = write!(caption, " ×{}", trail.visits);
        }
        let caption = wrapped(caption.trim_start(), LABEL, NAME_WIDTH, KIND_LINES);
        let widest =
            |lines: &[String], letters| lines.iter().map(|line| width(line, letters)).fold(0.0, f64::max);
        let written = widest(&name, NAME).max(widest(&caption, LABEL));
        let lines = name.len() as f64 * NAME_LINE + caption.len() as f64 * KIND_LINE;
        let (side, rise) = shape.margins();
        let mut size = match node.is_mark() {
            true => Size { width: (written + 28.0).max(MARK_WIDTH), height: MARK_HEIGHT },
            false => Size {
                width: (written + 2.0 * side).max(WIDTH_MIN),
                height: lines + 2.0 * PADDING + 2.0 * rise,
            },
        };
        let mut first_line = -lines / 2.0 + NAME_LINE * 0.75;
        if let Some(inner) = &inner {
            size.width = size.width.max(inner.size.width + 2.0 * INNER);
            size.height = inner.size.height + INNER_HEAD + INNER;
            first_line = -size.height / 2.0 + NAME_LINE + 2.0;
        }
        let class = class(node, trail, inner.is_some());
        NodeAppearance { class, name, caption, size, first_line, inner, shape }
    }

    /// Draws the outline.
    pub(super) fn outline(&self, middle: Point, out: &mut String) {
        let Size { width, height } = self.size;
        let (left, top) = (middle.x - width / 2.0, middle.y - height / 2.0);
        let (right, bottom) = (left + width, top + height);
        match self.shape {
            Shape::Pill => rect(out, left, top, self.size, height / 2.0),
            Shape::Round => rect(out, left, top, self.size, 9.0),
            Shape::Plain => rect(out, left, top, self.size, 2.0),
            Shape::Stack => {
                for copy in [2.0, 1.0, 0.0] {
                    rect(out, left + copy * COPY, top + copy * COPY, self.size, 4.0);
                }
            }
            Shape::LeftBar | Shape::Bars => {
                rect(out, left, top, self.size, 2.0);
                let bars: &[f64] =
                    if self.shape == Shape::Bars { &[left + 6.0, right - 6.0] } else { &[left + 6.0] };
                for x in bars {
                    let _ = write!(
                        out,
                        "<path class=\"b\" d=\"M{x} {}V{}\"/>",
                        rounded(top),
                        rounded(bottom),
                        x = rounded(*x)
                    );
                }
            }
            Shape::Hexagon => polygon(
                out,
                &[
                    (left + LEAN, top),
                    (right - LEAN, top),
                    (right, middle.y),
                    (right - LEAN, bottom),
                    (left + LEAN, bottom),
                    (left, middle.y),
                ],
            ),
            Shape::Octagon => polygon(
                out,
                &[
                    (left + 9.0, top),
                    (right - 9.0, top),
                    (right, top + 9.0),
                    (right, bottom - 9.0),
                    (right - 9.0, bottom),
                    (left + 9.0, bottom),
                    (left, bottom - 9.0),
                    (left, top + 9.0),
                ],
            ),
            Shape::Trapezoid => {
                polygon(out, &[(left, top), (right, top), (right - LEAN, bottom), (left + LEAN, bottom)]);
            }
            Shape::Cylinder => cylinder(out, left, top, self.size),
        }
    }

    /// Draws the error mark at the upper right corner.
    pub(super) fn badge(&self, middle: Point, out: &mut String) {
        let (x, y) = (middle.x + self.size.width / 2.0 - 4.0, middle.y - self.size.height / 2.0 + 3.0);
        let _ = write!(
            out,
            "<circle class=\"badge\" cx=\"{x}\" cy=\"{y}\" r=\"7.5\"/><path class=\"badge-mark\" d=\"M{x} {}v3.6m0 2.9v.1\"/>",
            rounded(y - 3.8),
            x = rounded(x),
            y = rounded(y)
        );
    }
}

fn shape(node: &NodeView) -> Shape {
    match (node.role, node.work) {
        (NodeRole::Start | NodeRole::End, _) => Shape::Pill,
        (NodeRole::Unknown, _) => Shape::Plain,
        (NodeRole::Node, _) if node.inner.is_some() => Shape::Plain,
        (NodeRole::Node, work) => match work {
            WorkKind::Agent => Shape::Round,
            WorkKind::Tool | WorkKind::Unknown => Shape::Plain,
            WorkKind::Function => Shape::LeftBar,
            WorkKind::Choice => Shape::Hexagon,
            WorkKind::Person => Shape::Trapezoid,
            WorkKind::Judge => Shape::Octagon,
            WorkKind::Many => Shape::Stack,
            WorkKind::Graph => Shape::Bars,
            WorkKind::Memory => Shape::Cylinder,
        },
    }
}

fn class(node: &NodeView, trail: Option<NodeTrail>, is_nest: bool) -> String {
    let mut class = match (node.role, trail) {
        (NodeRole::Start | NodeRole::End, _) => "mark",
        (_, Some(trail)) if trail.failed => "failed",
        (_, Some(trail)) if trail.visits > 0 => "visited",
        (_, Some(_)) => "idle",
        (NodeRole::Unknown, None) if node.kind.is_empty() => "missing",
        (NodeRole::Unknown, None) => "unknown",
        (NodeRole::Node, None) => node.work.word(),
    }
    .to_owned();
    for (is_so, word) in [
        (is_nest, " nest"),
        (node.is_unreachable && trail.is_none(), " lost"),
        (node.errors > 0 && trail.is_none(), " error"),
    ] {
        if is_so {
            class.push_str(word);
        }
    }
    class
}

impl Shape {
    /// The space that an outline needs on each side of the text, and above and below it.
    fn margins(self) -> (f64, f64) {
        match self {
            Shape::Pill | Shape::Round | Shape::Plain => (14.0, 0.0),
            Shape::LeftBar | Shape::Bars => (18.0, 0.0),
            Shape::Hexagon | Shape::Trapezoid => (LEAN + 10.0, 0.0),
            Shape::Octagon => (16.0, 0.0),
            // The copies extend to the right and downwards. The text stays in the centre of the front one.
            Shape::Stack => (14.0, 0.0),
            Shape::Cylinder => (14.0, 4.0),
        }
    }
}

fn rect(out: &mut String, left: f64, top: f64, size: Size, radius: f64) {
    let _ = write!(
        out,
        "<rect class=\"b\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"/>",
        rounded(left),
        rounded(top),
        rounded(size.width),
        rounded(size.height),
        rounded(radius)
    );
}

fn polygon(out: &mut String, points: &[(f64, f64)]) {
    let points: Vec<String> =
        points.iter().map(|(x, y)| format!("{},{}", rounded(*x), rounded(*y))).collect();
    let _ = write!(out, "<polygon class=\"b\" points=\"{}\"/>", points.join(" "));
}

fn cylinder(out: &mut String, left: f64, top: f64, size: Size) {
    let (across, up) = (rounded(size.width / 2.0), "5");
    let (left, right) = (rounded(left), rounded(left + size.width));
    let (above, below) = (rounded(top + 5.0), rounded(top + size.height - 5.0));
    let _ = write!(
        out,
        "<path class=\"b\" d=\"M{left} {above}A{across} {up} 0 0 1 {right} {above}V{below}A{across} {up} 0 0 1 {left} {below}z\"/>\
         <path class=\"b\" d=\"M{left} {above}A{across} {up} 0 0 0 {right} {above}\" style=\"fill:none\"/>"
    );
}
