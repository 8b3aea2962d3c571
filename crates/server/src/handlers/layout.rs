//! The command that says where the parts of a drawing stand, for whoever draws a graph with letters of their own.
//!
//! Input: how large nodes and labels are drawn, and which nodes lead where. Output: JSON with the middle of each node and
//! the way of each edge. Invariant: the layout is that of `nodewise graph`, and the same sizes give the same places.

use nodewise_diagram::Direction;
use nodewise_diagram::layout::{Layout, Point, Route, Size, Wire, layered};
use nodewise_diagram::svg::path;
use serde::Deserialize;
use serde_json::{Value, json};

/// What is to be laid out.
#[derive(Debug, Deserialize)]
pub(crate) struct Subject {
    /// Where the layers run to.
    #[serde(default)]
    direction: Towards,
    /// What the drawing is fitted into, where its best direction is wanted.
    room: Option<Drawn>,
    /// How large the nodes are.
    nodes: Vec<Drawn>,
    /// Which nodes lead where.
    #[serde(default)]
    edges: Vec<Edge>,
}

/// Where the layers run to.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Towards {
    #[default]
    Down,
    Right,
    Best,
}

/// The room that something takes.
#[derive(Debug, Clone, Copy, Deserialize)]
struct Drawn {
    width: f64,
    height: f64,
}

/// An edge between nodes by their positions.
#[derive(Debug, Deserialize)]
struct Edge {
    from: usize,
    to: usize,
    /// How large its label is, if it has one.
    label: Option<Drawn>,
}

/// Nothing is drawn larger than this; sums of sizes stay finite.
const SIZE_MAX: f64 = 1e5;

/// Graphs run downwards unless they are seen so many times larger to the right.
const DOWNWARDS: f64 = 1.25;

/// `nodewise.layout`.
pub(crate) fn layout(subject: &Subject) -> Value {
    let sizes: Vec<Size> = subject.nodes.iter().map(Drawn::size).collect();
    let wire =
        |edge: &Edge| Wire { from: edge.from, to: edge.to, label: edge.label.as_ref().map(Drawn::size) };
    let wires: Vec<Wire> = subject.edges.iter().map(wire).collect();
    let down = || layered(&sizes, &wires, Direction::Down);
    let right = || layered(&sizes, &wires, Direction::Right);
    match subject.direction {
        Towards::Down => written(&down(), "down"),
        Towards::Right => written(&right(), "right"),
        Towards::Best => {
            let (down, right) = (down(), right());
            let scale = |layout: &Layout| subject.room.as_ref().map_or(1.0, |room| room.scale(layout.size));
            match scale(&right) > DOWNWARDS * scale(&down) {
                true => written(&right, "right"),
                false => written(&down, "down"),
            }
        }
    }
}

impl Drawn {
    fn size(&self) -> Size {
        Size { width: self.width.clamp(0.0, SIZE_MAX), height: self.height.clamp(0.0, SIZE_MAX) }
    }

    /// How large something is seen that fits into this room; nothing is enlarged.
    fn scale(&self, size: Size) -> f64 {
        (self.width / size.width.max(1.0)).min(self.height / size.height.max(1.0)).min(1.0)
    }
}

fn written(layout: &Layout, direction: &str) -> Value {
    json!({
        "direction": direction,
        "width": tenths(layout.size.width),
        "height": tenths(layout.size.height),
        "nodes": layout.middles.iter().map(point).collect::<Vec<_>>(),
        "edges": layout.routes.iter().map(edge).collect::<Vec<_>>(),
    })
}

fn edge(route: &Route) -> Value {
    json!({"way": path(route), "label": route.label.as_ref().map(point)})
}

fn point(point: &Point) -> Value {
    json!([tenths(point.x), tenths(point.y)])
}

fn tenths(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}
