//! The command that computes the layout of a drawing, for editors that draw graphs with their own font.
//!
//! Input: the sizes of nodes and labels, and the edges. Output: JSON with the centre of each node and the path of each
//! edge. Invariant: the layout is that of `nodewise graph`, and equal sizes give equal places.

use nodewise_diagram::Direction;
use nodewise_diagram::layout::{EdgeRoute, Layout, Point, Size, Wire, layered};
use nodewise_diagram::svg::path;
use serde::Deserialize;
use serde_json::{Value, json};

/// The nodes and edges of the drawing.
#[derive(Debug, Deserialize)]
pub(crate) struct LayoutParams {
    /// The direction of the layers.
    #[serde(default)]
    direction: Towards,
    /// The size of the view, from which the best direction is found.
    room: Option<Drawn>,
    /// The sizes of the nodes.
    nodes: Vec<Drawn>,
    #[serde(default)]
    edges: Vec<Edge>,
}

/// The direction of the layers.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Towards {
    #[default]
    Down,
    Right,
    Best,
}

/// The size of a node, of a label or of the view.
#[derive(Debug, Clone, Copy, Deserialize)]
struct Drawn {
    width: f64,
    height: f64,
}

/// An edge between nodes, given by their indices.
#[derive(Debug, Deserialize)]
struct Edge {
    from: usize,
    to: usize,
    /// The size of its label, if it has one.
    label: Option<Drawn>,
}

/// The maximum size, which keeps sums of sizes finite.
const SIZE_MAX: f64 = 1e5;

/// For the best direction, the layout goes to the right only if this makes the drawing larger by this factor.
const DOWNWARDS: f64 = 1.25;

/// `nodewise.layout`.
pub(crate) fn layout(subject: &LayoutParams) -> Value {
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

    /// The scale at which a drawing of this size fits into the room. It is never above 1.
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

fn edge(route: &EdgeRoute) -> Value {
    json!({"way": path(route), "label": route.label.as_ref().map(point)})
}

fn point(point: &Point) -> Value {
    json!([tenths(point.x), tenths(point.y)])
}

fn tenths(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}
