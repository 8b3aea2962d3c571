//! Where the points of a net stand.
//!
//! Input: a net whose layers are in order; output: the middle of each point, the extent of each layer. Invariant: the order
//! of each layer and the distances in it are kept; within that, points stand as close as can be to the mean of what they are
//! joined to, and long ways straight before short ones.

use super::net::Net;

/// The number of sweeps that move layers towards their neighbours.
const SWEEPS: usize = 20;
/// The weight of a point's own place, so that a point without neighbours stays where it is.
const INERTIA: f64 = 0.05;
/// The maximum horizontal distance at which two points are aligned vertically, if there is space.
const SNAP: f64 = 14.0;
/// The space between two layers of nodes.
const GAP: f64 = 46.0;
/// The share of an edge's horizontal distance that is added to the space between layers, so that edges are less flat.
const SLANT: f64 = 0.06;
const SLANT_MAX: f64 = 70.0;

/// The places of all points.
pub(super) struct Placed {
    pub(super) x: Vec<f64>,
    /// The vertical extent of each layer.
    pub(super) layers: Vec<Span>,
}

/// The vertical extent of a layer.
#[derive(Clone, Copy, Default)]
pub(super) struct Span {
    pub(super) top: f64,
    pub(super) bottom: f64,
}

impl Span {
    pub(super) fn middle(self) -> f64 {
        (self.top + self.bottom) / 2.0
    }
}

/// Places the points.
pub(super) fn place(net: &Net) -> Placed {
    let mut x = breadths(net);
    straighten(net, &mut x);
    let layers = depths(net, &x);
    Placed { x, layers }
}

/// The neighbours towards which a layer moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pull {
    Up,
    Down,
    Both,
}

fn breadths(net: &Net) -> Vec<f64> {
    let mut x = vec![0.0; net.sizes.len()];
    for layer in &net.layers {
        let wanted = vec![0.0; layer.len()];
        settle(net, layer, &wanted, &vec![1.0; layer.len()], &mut x);
    }
    let count = net.layers.len();
    for sweep in 0..SWEEPS {
        let is_down = sweep % 2 == 0;
        let pull = match (sweep + 4 >= SWEEPS, is_down) {
            (true, _) => Pull::Both,
            (false, true) => Pull::Up,
            (false, false) => Pull::Down,
        };
        for step in 0..count {
            let layer = if is_down { step } else { count - 1 - step };
            draw(net, &net.layers[layer], pull, &mut x);
        }
    }
    x
}

/// Moves a layer towards its neighbours.
fn draw(net: &Net, layer: &[usize], pull: Pull, x: &mut [f64]) {
    let mut wanted = Vec::with_capacity(layer.len());
    let mut weights = Vec::with_capacity(layer.len());
    for point in layer {
        let above = net.above[*point].iter().filter(|_| pull != Pull::Down);
        let below = net.below[*point].iter().filter(|_| pull != Pull::Up);
        let (mut sum, mut weight) = (INERTIA * port(net, *point, x), INERTIA);
        for other in above.chain(below) {
            let stiffness = net.stiffness(*point, *other);
            sum += stiffness * port(net, *other, x);
            weight += stiffness;
        }
        // Edges meet the centre of the box, without the space for edges to the node itself.
        wanted.push(sum / weight + net.loops.get(*point).map_or(0.0, |room| room / 2.0));
        weights.push(weight);
    }
    settle(net, layer, &wanted, &weights, x);
}

/// The horizontal place at which edges meet a point: the centre of its box.
fn port(net: &Net, point: usize, x: &[f64]) -> f64 {
    x[point] - net.loops.get(point).map_or(0.0, |room| room / 2.0)
}

/// Places the points of a layer as close to the wanted places as their order and distances allow (weighted least
/// squares).
///
/// Without the distances, this is isotonic regression: places must only increase. Where wanted places decrease,
/// neighbours form a block at their weighted mean.
fn settle(net: &Net, layer: &[usize], wanted: &[f64], weights: &[f64], x: &mut [f64]) {
    struct Block {
        sum: f64,
        weight: f64,
        count: usize,
    }
    let mut shifts = Vec::with_capacity(layer.len());
    let mut blocks: Vec<Block> = Vec::new();
    let mut shift = 0.0;
    let mut last: Option<usize> = None;
    for ((point, wish), weight) in layer.iter().zip(wanted).zip(weights) {
        shift += last.map_or(0.0, |left| net.distance(left, *point));
        last = Some(*point);
        shifts.push(shift);
        let mut block = Block { sum: (wish - shift) * weight, weight: *weight, count: 1 };
        while let Some(before) = blocks.last()
            && before.sum / before.weight > block.sum / block.weight
        {
            block.sum += before.sum;
            block.weight += before.weight;
            block.count += before.count;
            blocks.pop();
        }
        blocks.push(block);
    }
    let bases = blocks.iter().flat_map(|block| std::iter::repeat_n(block.sum / block.weight, block.count));
    for ((point, base), shift) in layer.iter().zip(bases).zip(shifts) {
        x[*point] = base + shift;
    }
}

/// Aligns points that are almost above one another: nodes with one incoming edge, and the bends of long edges, which
/// would otherwise lean a little in every layer.
fn straighten(net: &Net, x: &mut [f64]) {
    let neighbours = Neighbours::new(net);
    for point in net.layers.iter().flatten() {
        if let ([above], false) = (net.above[*point].as_slice(), net.is_bend(*point))
            && (port(net, *point, x) - port(net, *above, x)).abs() <= SNAP
        {
            let (left, right) = neighbours.room(net, *point, x);
            let wish = port(net, *above, x) + net.loops[*point] / 2.0;
            x[*point] = wish.clamp(left, right.max(left));
        }
    }
    for chain in net.chains.iter().flatten() {
        let [upper, bends @ .., lower] = chain.points.as_slice() else { continue };
        let mut rest = bends;
        while let Some(first) = rest.first() {
            // As many bends as can be aligned vertically.
            let (mut left, mut right) = neighbours.room(net, *first, x);
            let mut count = 1;
            for bend in rest.iter().skip(1) {
                let room = neighbours.room(net, *bend, x);
                let both = (left.max(room.0), right.min(room.1));
                if both.0 > both.1 {
                    break;
                }
                (left, right) = both;
                count += 1;
            }
            let (run, behind) = rest.split_at(count);
            let mean = run.iter().map(|bend| x[*bend]).sum::<f64>() / count as f64;
            let ends = [(behind.is_empty(), *lower), (run.len() + behind.len() == bends.len(), *upper)];
            let is_near = |end: &f64| (left..=right).contains(end) && (end - mean).abs() <= 2.0 * SNAP;
            let near = ends.iter().filter(|(touches, _)| *touches).map(|(_, end)| port(net, *end, x));
            let wish = near.into_iter().find(is_near).unwrap_or(mean).clamp(left, right.max(left));
            for bend in run {
                x[*bend] = wish;
            }
            rest = behind;
        }
    }
}

/// The left and the right neighbour of each point in its layer.
struct Neighbours {
    left: Vec<Option<usize>>,
    right: Vec<Option<usize>>,
}

impl Neighbours {
    fn new(net: &Net) -> Neighbours {
        let mut neighbours =
            Neighbours { left: vec![None; net.sizes.len()], right: vec![None; net.sizes.len()] };
        for pair in net.layers.iter().flat_map(|layer| layer.windows(2)) {
            if let [left, right] = pair {
                neighbours.left[*right] = Some(*left);
                neighbours.right[*left] = Some(*right);
            }
        }
        neighbours
    }

    /// The range in which a point can move.
    fn room(&self, net: &Net, point: usize, x: &[f64]) -> (f64, f64) {
        let left = self.left[point].map(|left| x[left] + net.distance(left, point));
        let right = self.right[point].map(|right| x[right] - net.distance(point, right));
        // Rounding errors may make the range exclude the point's own place, so include it.
        let (left, right) = (left.unwrap_or(f64::NEG_INFINITY), right.unwrap_or(f64::INFINITY));
        (left.min(x[point]), right.max(x[point]))
    }
}

fn depths(net: &Net, x: &[f64]) -> Vec<Span> {
    let gap = if net.has_label_layers { GAP / 2.0 } else { GAP };
    let mut spans = Vec::with_capacity(net.layers.len());
    let mut top = 0.0;
    for layer in &net.layers {
        let height = layer.iter().map(|point| net.sizes[*point].height).fold(0.0, f64::max);
        spans.push(Span { top, bottom: top + height });
        let sidewards = |point: &usize| {
            net.below[*point].iter().map(|other| (x[*point] - x[*other]).abs()).fold(0.0, f64::max)
        };
        let widest = layer.iter().map(sidewards).fold(0.0, f64::max);
        top += height + gap + (widest * SLANT).min(SLANT_MAX);
    }
    spans
}
