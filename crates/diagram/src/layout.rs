//! Places for the nodes of a graph in layers, and ways for its edges around them.
//!
//! Input: how large nodes and labels are, and which nodes lead where; output: the middle of each node, a curve for each
//! edge, the middle of each label. Invariant: nodes and labels do not overlap one another, edges pass nodes by, and the
//! time is n log n in what is drawn: an edge over very many layers of a very large graph goes straight.
//!
//! The layers run downwards here; a drawing that runs to the right is the same with x and y exchanged.

mod levels;
mod net;
mod order;
mod place;
mod route;
#[cfg(test)]
mod tests;

use self::net::Net;

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Point {
    /// The distance from the left.
    pub x: f64,
    /// The distance from the top.
    pub y: f64,
}

/// The size of a box.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Size {
    pub width: f64,
    pub height: f64,
}

/// An edge to draw. It names its nodes by their index.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wire {
    /// The node that it leaves.
    pub from: usize,
    /// The node that it leads to.
    pub to: usize,
    /// The size of its label, if it has one.
    pub label: Option<Size>,
}

/// The path of an edge: a start, and cubic Bézier curves.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EdgeRoute {
    pub start: Point,
    /// The curves. Each has two control points and its end.
    pub curves: Vec<[Point; 3]>,
    /// The centre of the label.
    pub label: Option<Point>,
}

/// The places of all nodes and edges. All coordinates are between zero and `size`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Layout {
    /// The centre of each node.
    pub middles: Vec<Point>,
    /// The path of each edge.
    pub routes: Vec<EdgeRoute>,
    /// The size of the whole drawing.
    pub size: Size,
}

/// The direction of edges in the drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Direction {
    /// From top to bottom.
    #[default]
    Down,
    /// From left to right.
    Right,
}

/// The space between parts of a graph that no edge connects.
const PART_GAP: f64 = 40.0;
/// The maximum width of a row of such parts. If a part is wider, its width is the maximum.
const ROW_WIDTH: f64 = 1100.0;

/// Computes the layout of nodes and edges. An edge whose node does not exist has an empty path.
#[must_use]
pub fn layered(sizes: &[Size], wires: &[Wire], direction: Direction) -> Layout {
    match direction {
        Direction::Down => down(sizes, wires),
        Direction::Right => {
            let turned: Vec<Size> = sizes.iter().map(|size| size.turned()).collect();
            let turn = |wire: &Wire| Wire { label: wire.label.map(Size::turned), ..*wire };
            let turned_wires: Vec<Wire> = wires.iter().map(turn).collect();
            down(&turned, &turned_wires).turned()
        }
    }
}

fn down(sizes: &[Size], wires: &[Wire]) -> Layout {
    let mut layout = Layout {
        middles: vec![Point::default(); sizes.len()],
        routes: vec![EdgeRoute::default(); wires.len()],
        size: Size::default(),
    };
    let mut shelf = Shelf::default();
    let parts: Vec<(Part, Layout)> = parts(sizes.len(), wires)
        .into_iter()
        .map(|part| {
            let laid_out = part.layout(sizes, wires);
            (part, laid_out)
        })
        .collect();
    shelf.row_width = parts.iter().map(|(_, part)| part.size.width).fold(ROW_WIDTH, f64::max);
    for (part, inner) in parts {
        let by = shelf.put(inner.size);
        for (node, middle) in part.nodes.iter().zip(&inner.middles) {
            if let Some(slot) = layout.middles.get_mut(*node) {
                *slot = middle.moved(by);
            }
        }
        for (wire, route) in part.wires.iter().zip(inner.routes) {
            if let Some(slot) = layout.routes.get_mut(*wire) {
                *slot = route.map(|point| point.moved(by));
            }
        }
    }
    layout.size = shelf.size;
    layout
}

/// Nodes that are connected by edges, with these edges, by their indices in the whole graph.
#[derive(Default)]
struct Part {
    nodes: Vec<usize>,
    wires: Vec<usize>,
}

impl Part {
    fn layout(&self, sizes: &[Size], wires: &[Wire]) -> Layout {
        let size = |node: &usize| sizes.get(*node).copied().unwrap_or_default();
        // The nodes of a part are sorted, so a binary search finds their index in it.
        let local = |node: usize| self.nodes.binary_search(&node).unwrap_or_default();
        let wire = |wire: &usize| {
            let wire = wires.get(*wire)?;
            Some(Wire { from: local(wire.from), to: local(wire.to), label: wire.label })
        };
        let sizes: Vec<Size> = self.nodes.iter().map(size).collect();
        let wires: Vec<Wire> = self.wires.iter().filter_map(wire).collect();
        let mut net = Net::new(&sizes, &wires);
        order::arrange(&mut net);
        let placed = place::place(&net);
        route::layout(&net, &placed, &sizes, &wires)
    }
}

/// The connected parts of a graph. The nodes of each are sorted. Edges whose nodes do not exist belong to no part.
fn parts(count: usize, wires: &[Wire]) -> Vec<Part> {
    let mut leader: Vec<usize> = (0..count).collect();
    for wire in wires.iter().filter(|wire| wire.from < count && wire.to < count) {
        let (one, other) = (find(&mut leader, wire.from), find(&mut leader, wire.to));
        leader[one.max(other)] = one.min(other);
    }
    let mut number: Vec<Option<usize>> = vec![None; count];
    let mut parts: Vec<Part> = Vec::new();
    for node in 0..count {
        let head = find(&mut leader, node);
        let part = *number[head].get_or_insert_with(|| {
            parts.push(Part::default());
            parts.len() - 1
        });
        number[node] = Some(part);
        parts[part].nodes.push(node);
    }
    for (position, wire) in wires.iter().enumerate() {
        if wire.to < count
            && let Some(part) = number.get(wire.from).copied().flatten()
        {
            parts[part].wires.push(position);
        }
    }
    parts
}

/// The first node of the part that a node belongs to. It shortens the chain of leaders during the search (union-find).
fn find(leader: &mut [usize], node: usize) -> usize {
    let mut at = node;
    while leader[at] != at {
        leader[at] = leader[leader[at]];
        at = leader[at];
    }
    at
}

/// Arranges parts of a drawing in rows.
#[derive(Default)]
struct Shelf {
    row_width: f64,
    next: Point,
    row_height: f64,
    size: Size,
}

impl Shelf {
    /// The place of the next part, which has this size.
    fn put(&mut self, size: Size) -> Point {
        if self.next.x > 0.0 && self.next.x + size.width > self.row_width {
            self.next = Point { x: 0.0, y: self.next.y + self.row_height + PART_GAP };
            self.row_height = 0.0;
        }
        let at = self.next;
        self.row_height = self.row_height.max(size.height);
        self.next.x += size.width + PART_GAP;
        self.size.width = self.size.width.max(at.x + size.width);
        self.size.height = self.size.height.max(at.y + size.height);
        at
    }
}

impl Point {
    pub(crate) fn moved(self, by: Point) -> Point {
        Point { x: self.x + by.x, y: self.y + by.y }
    }

    fn turned(self) -> Point {
        Point { x: self.y, y: self.x }
    }
}

impl Size {
    fn turned(self) -> Size {
        Size { width: self.height, height: self.width }
    }
}

impl EdgeRoute {
    /// The same path with every point moved by `place`.
    pub(crate) fn map(&self, place: impl Fn(Point) -> Point) -> EdgeRoute {
        EdgeRoute {
            start: place(self.start),
            curves: self.curves.iter().map(|curve| curve.map(&place)).collect(),
            label: self.label.map(&place),
        }
    }

    /// The same path in the other direction.
    fn reversed(&self) -> EdgeRoute {
        let mut points = vec![self.start];
        points.extend(self.curves.iter().flatten());
        points.reverse();
        let mut points = points.into_iter();
        let start = points.next().unwrap_or_default();
        let rest: Vec<Point> = points.collect();
        let curves = rest.as_chunks().0.to_vec();
        EdgeRoute { start, curves, label: self.label }
    }
}

impl Layout {
    fn turned(self) -> Layout {
        Layout {
            middles: self.middles.into_iter().map(Point::turned).collect(),
            routes: self.routes.iter().map(|route| route.map(Point::turned)).collect(),
            size: self.size.turned(),
        }
    }
}
