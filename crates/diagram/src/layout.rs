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
    /// To the right.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}

/// The room that something takes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Size {
    /// From left to right.
    pub width: f64,
    /// From top to bottom.
    pub height: f64,
}

/// An edge of the drawing, between nodes by position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wire {
    /// The node that it leaves.
    pub from: usize,
    /// The node that it leads to.
    pub to: usize,
    /// How large its label is, if it has one.
    pub label: Option<Size>,
}

/// The path of an edge: from a point along cubic curves, each two controls and an end.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EdgeRoute {
    /// Where it begins.
    pub start: Point,
    /// Two controls and an end each.
    pub curves: Vec<[Point; 3]>,
    /// The middle of its label.
    pub label: Option<Point>,
}

/// Where everything is; everything lies between zero and the size.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Layout {
    /// The middle of each node.
    pub middles: Vec<Point>,
    /// The path of each edge.
    pub routes: Vec<EdgeRoute>,
    /// The room that all of it takes.
    pub size: Size,
}

/// Where a graph's layers run to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Direction {
    /// What leads stands above what it leads to.
    #[default]
    Down,
    /// What leads stands left of what it leads to.
    Right,
}

/// The space between parts of a graph that nothing joins.
const PART_GAP: f64 = 40.0;
/// Parts stand side by side up to this width, or that of the widest of them.
const ROW_WIDTH: f64 = 1100.0;

/// Places nodes of these sizes, joined by these edges. An edge that names no node has no path.
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

/// Nodes that edges join, and those edges, by their positions in the whole.
#[derive(Default)]
struct Part {
    nodes: Vec<usize>,
    wires: Vec<usize>,
}

impl Part {
    fn layout(&self, sizes: &[Size], wires: &[Wire]) -> Layout {
        let size = |node: &usize| sizes.get(*node).copied().unwrap_or_default();
        // Nodes of a part are in order, so that a search finds their position in it.
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

/// The parts that nothing joins with one another, each in the order of its nodes. Edges that name no node belong to none.
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

/// The first node of the part that a node belongs to; paths to it are shortened during the search.
fn find(leader: &mut [usize], node: usize) -> usize {
    let mut at = node;
    while leader[at] != at {
        leader[at] = leader[leader[at]];
        at = leader[at];
    }
    at
}

/// Parts of a drawing side by side, row below row.
#[derive(Default)]
struct Shelf {
    row_width: f64,
    next: Point,
    row_height: f64,
    size: Size,
}

impl Shelf {
    /// Where the next part of that size goes.
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
    /// The same way with every point somewhere else.
    pub(crate) fn map(&self, place: impl Fn(Point) -> Point) -> EdgeRoute {
        EdgeRoute {
            start: place(self.start),
            curves: self.curves.iter().map(|curve| curve.map(&place)).collect(),
            label: self.label.map(&place),
        }
    }

    /// The same way from its end to its start.
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
