//! The ways of edges through a net that is placed, and the whole as a layout.
//!
//! Input: a net and where its points stand; output: a layout. Invariant: between two layers a way only ever runs towards
//! where it enters the next one, and inside a layer of nodes it runs straight through the place that was kept for it, so
//! that it meets no box.

use nodewise_platform::sorting::Sorting;

use super::net::{Chain, LOOP, Net};
use super::place::Placed;
use super::{EdgeRoute, Layout, Point, Size, Wire};

/// The minimum distance of edges from the corners of boxes.
const CORNER: f64 = 16.0;
const APART: f64 = 20.0;
/// The maximum distance from the centre of a box at which a single edge meets it, if the edge is straight then.
const STRAIGHT: f64 = 12.0;

/// The layout of a net whose points have their places.
pub(super) fn layout(net: &Net, placed: &Placed, sizes: &[Size], wires: &[Wire]) -> Layout {
    let middle = |point: usize| Point {
        x: placed.x[point] - net.loops.get(point).map_or(0.0, |room| room / 2.0),
        y: placed.layers[net.layer[point]].middle(),
    };
    let router = Router { net, placed, sizes, ports: Ports::new(net, placed, sizes) };
    let mut loops = vec![0.0; net.nodes];
    let mut routes = Vec::with_capacity(wires.len());
    for (position, wire) in wires.iter().enumerate() {
        let route = match &net.chains[position] {
            Some(chain) => router.route(chain, position),
            None if wire.from == wire.to => {
                around(middle(wire.from), sizes[wire.from], wire, &mut loops[wire.from])
            }
            None => straight(middle(wire.from), sizes[wire.from], middle(wire.to), sizes[wire.to]),
        };
        routes.push(route);
    }
    let middles = (0..net.nodes).map(middle).collect();
    moved_to_zero(net, placed, Layout { middles, routes, size: Size::default() })
}

/// The places at which edges meet the boxes of nodes.
struct Ports {
    /// For each edge, where it leaves the upper node and where it enters the lower one.
    ends: Vec<(f64, f64)>,
}

impl Ports {
    /// Edges that meet the same side of a box are placed next to each other, in the order of the points that they come
    /// from.
    fn new(net: &Net, placed: &Placed, sizes: &[Size]) -> Ports {
        let mut ends = vec![(0.0, 0.0); net.chains.len()];
        let mut leaving: Vec<Vec<(f64, usize)>> = vec![Vec::new(); net.nodes];
        let mut entering: Vec<Vec<(f64, usize)>> = vec![Vec::new(); net.nodes];
        for (wire, chain) in net.chains.iter().enumerate() {
            let Some(chain) = chain else { continue };
            if let ([upper, second, ..], [.., last_but_one, lower]) =
                (chain.points.as_slice(), chain.points.as_slice())
            {
                leaving[*upper].push((placed.x[*second], wire));
                entering[*lower].push((placed.x[*last_but_one], wire));
            }
        }
        let mut spread = |lists: Vec<Vec<(f64, usize)>>, is_leaving: bool| {
            for (node, mut list) in lists.into_iter().enumerate() {
                list.arrange_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
                let middle = placed.x[node] - net.loops[node] / 2.0;
                let half = (sizes[node].width / 2.0 - CORNER).max(0.0);
                let wishes: Vec<f64> = list.iter().map(|(x, _)| x - middle).collect();
                for ((_, wire), shift) in list.into_iter().zip(side_by_side(&wishes, half)) {
                    let end = &mut ends[wire];
                    *if is_leaving { &mut end.0 } else { &mut end.1 } = middle + shift;
                }
            }
        };
        spread(leaving, true);
        spread(entering, false);
        Ports { ends }
    }
}

/// Where edges meet a side of a box with this half width. `wishes` are the places at which each would be straight. The
/// results are in order, with space between them.
fn side_by_side(wishes: &[f64], half: f64) -> Vec<f64> {
    // A single edge meets the centre, unless it is almost straight.
    if let [wish] = wishes {
        return vec![if wish.abs() <= STRAIGHT.min(half) { *wish } else { 0.0 }];
    }
    let between = wishes.len().saturating_sub(1) as f64;
    let apart = APART.min(2.0 * half / between.max(1.0));
    let mut shifts: Vec<f64> = Vec::with_capacity(wishes.len());
    for wish in wishes {
        let least = shifts.last().map_or(-half, |last| last + apart);
        shifts.push(wish.max(least));
    }
    // Move back from the right end those that went too far.
    let mut most = half;
    for shift in shifts.iter_mut().rev() {
        *shift = shift.min(most);
        most = *shift - apart;
    }
    shifts
}

struct Router<'n> {
    net: &'n Net,
    placed: &'n Placed,
    sizes: &'n [Size],
    ports: Ports,
}

impl Router<'_> {
    fn route(&self, chain: &Chain, wire: usize) -> EdgeRoute {
        let mut points: Vec<Point> = Vec::with_capacity(chain.points.len() * 2);
        let (out, into) = self.ports.ends[wire];
        let last = chain.points.len().saturating_sub(1);
        for (number, point) in chain.points.iter().enumerate() {
            let span = self.placed.layers[self.net.layer[*point]];
            let half = self.sizes.get(*point).map_or(0.0, |size| size.height / 2.0);
            match number {
                0 => {
                    points.push(Point { x: out, y: span.middle() + half });
                    points.push(Point { x: out, y: span.bottom });
                }
                _ if number == last => {
                    points.push(Point { x: into, y: span.top });
                    points.push(Point { x: into, y: span.middle() - half });
                }
                _ => self.pass(*point, &mut points),
            }
        }
        points.dedup_by(|one, other| one.y - other.y < 0.5 && one.x == other.x);
        let label = chain.label.map(|point| Point {
            x: self.placed.x[point],
            y: self.placed.layers[self.net.layer[point]].middle(),
        });
        let route = EdgeRoute { label, ..smooth(&points) };
        if chain.is_turned { route.reversed() } else { route }
    }

    /// Adds the path through a layer: straight past nodes, but not through layers that have only labels.
    fn pass(&self, point: usize, points: &mut Vec<Point>) {
        let layer = self.net.layer[point];
        let span = self.placed.layers[layer];
        let x = self.placed.x[point];
        let is_between = self.net.has_label_layers && layer % 2 == 1;
        if !is_between {
            points.push(Point { x, y: span.top });
            points.push(Point { x, y: span.bottom });
        } else if span.bottom > span.top {
            points.push(Point { x, y: span.middle() });
        }
    }
}

/// A smooth path through points from top to bottom. It is vertical at both ends, and no curve extends further to the
/// side than its points.
fn smooth(points: &[Point]) -> EdgeRoute {
    let slope = |one: &Point, other: &Point| {
        let down = other.y - one.y;
        if down > 0.0 { (other.x - one.x) / down } else { 0.0 }
    };
    let slopes: Vec<f64> = points.windows(2).map(|pair| slope(&pair[0], &pair[1])).collect();
    let lean =
        |position: usize| match (position.checked_sub(1).and_then(|at| slopes.get(at)), slopes.get(position))
        {
            // The harmonic mean of the slopes keeps the curve between its points.
            (Some(before), Some(behind)) if before * behind > 0.0 => {
                2.0 * before * behind / (before + behind)
            }
            _ => 0.0,
        };
    let curve = |(position, pair): (usize, &[Point])| {
        let (one, other) = (pair[0], pair[1]);
        let (first, second) = (lean(position), lean(position + 1));
        // A curve that is vertical at both ends may bend softly. A shorter reach keeps the others between their
        // points.
        let part = if first == 0.0 && second == 0.0 { 0.5 } else { 1.0 / 3.0 };
        let reach = (other.y - one.y) * part;
        [
            Point { x: one.x + first * reach, y: one.y + reach },
            Point { x: other.x - second * reach, y: other.y - reach },
            other,
        ]
    };
    EdgeRoute {
        start: points.first().copied().unwrap_or_default(),
        curves: points.windows(2).enumerate().map(curve).collect(),
        label: None,
    }
}

/// The path of an edge from a node to itself, on the right of the box. `used` is how far other such edges already
/// extend.
fn around(middle: Point, size: Size, wire: &Wire, used: &mut f64) -> EdgeRoute {
    let side = middle.x + size.width / 2.0;
    let reach = side + *used + LOOP * 0.8;
    let lift = (size.height / 4.0).min(14.0);
    let (top, bottom) = (middle.y - lift, middle.y + lift);
    let label = wire.label.map(|label| Point { x: side + *used + LOOP + label.width / 2.0, y: middle.y });
    *used += LOOP + wire.label.map_or(0.0, |label| label.width);
    EdgeRoute {
        start: Point { x: side, y: top },
        curves: vec![
            [
                Point { x: reach, y: top - lift / 2.0 },
                Point { x: reach, y: top },
                Point { x: reach, y: middle.y },
            ],
            [
                Point { x: reach, y: bottom },
                Point { x: reach, y: bottom + lift / 2.0 },
                Point { x: side, y: bottom },
            ],
        ],
        label,
    }
}

/// A straight line, for an edge that would need too many bends.
fn straight(from: Point, from_size: Size, to: Point, to_size: Size) -> EdgeRoute {
    let down = if to.y >= from.y { 1.0 } else { -1.0 };
    let start = Point { x: from.x, y: from.y + down * from_size.height / 2.0 };
    let end = Point { x: to.x, y: to.y - down * to_size.height / 2.0 };
    let part =
        |share: f64| Point { x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share };
    EdgeRoute { start, curves: vec![[part(1.0 / 3.0), part(2.0 / 3.0), end]], label: None }
}

/// Moves everything so that the coordinates begin at zero, and computes the size.
fn moved_to_zero(net: &Net, placed: &Placed, layout: Layout) -> Layout {
    let edges = |side: f64| net.sizes.iter().zip(&placed.x).map(move |(size, x)| x + side * size.width / 2.0);
    let left = edges(-1.0).fold(f64::INFINITY, f64::min);
    let right = edges(1.0).fold(f64::NEG_INFINITY, f64::max);
    let bottom = placed.layers.last().map_or(0.0, |span| span.bottom);
    if !(left.is_finite() && right.is_finite()) {
        return layout;
    }
    let by = Point { x: -left, y: 0.0 };
    Layout {
        middles: layout.middles.iter().map(|middle| middle.moved(by)).collect(),
        routes: layout.routes.iter().map(|route| route.map(|point| point.moved(by))).collect(),
        size: Size { width: right - left, height: bottom },
    }
}
