//! A part of a graph with its edges cut at every layer that they cross.
//!
//! Input: nodes, edges, layers; output: points in layers, joined from each layer to the next. Invariant: the first points
//! are the nodes, and every chain begins and ends at one; what lies between them are bends, of which one may hold the
//! edge's label.

use nodewise_platform::sorting::Sorting;

use super::levels::Levels;
use super::{Size, Wire};

/// More bends than this make a drawing slow without making it better: edges that would need them go straight.
const BENDS_MAX: usize = 40_000;
/// How far a way from a node to itself stands off, and how wide it is.
pub(super) const LOOP: f64 = 26.0;
/// The space beside a label.
const LABEL_MARGIN: f64 = 10.0;

/// Points in layers.
pub(super) struct Net {
    /// The room of each point: nodes first, then bends.
    pub(super) sizes: Vec<Size>,
    /// How many of them are nodes.
    pub(super) nodes: usize,
    /// What of a node's width, on its right, belongs to ways to itself.
    pub(super) loops: Vec<f64>,
    /// The layer of each point.
    pub(super) layer: Vec<usize>,
    /// The points of each layer, from left to right.
    pub(super) layers: Vec<Vec<usize>>,
    /// Which points of the next layer each leads to, and of the one before leads to it.
    pub(super) below: Vec<Vec<usize>>,
    pub(super) above: Vec<Vec<usize>>,
    /// The path of each edge; none for those to themselves, and for those that go straight.
    pub(super) chains: Vec<Option<Chain>>,
    /// Whether labels have layers of their own between those of the nodes.
    pub(super) has_label_layers: bool,
}

/// The points of an edge, from the upper to the lower one.
pub(super) struct Chain {
    pub(super) points: Vec<usize>,
    /// The one that holds the label.
    pub(super) label: Option<usize>,
    /// Whether the edge leads upwards.
    pub(super) is_turned: bool,
}

impl Net {
    /// The net of nodes and edges that are one part.
    pub(super) fn new(sizes: &[Size], wires: &[Wire]) -> Net {
        let levels = Levels::new(sizes.len(), wires);
        let has_label_layers = wires.iter().any(|wire| wire.label.is_some() && wire.from != wire.to);
        let step = if has_label_layers { 2 } else { 1 };
        let mut net = Net {
            sizes: sizes.to_vec(),
            nodes: sizes.len(),
            loops: vec![0.0; sizes.len()],
            layer: levels.layer.iter().map(|layer| layer * step).collect(),
            layers: Vec::new(),
            below: vec![Vec::new(); sizes.len()],
            above: vec![Vec::new(); sizes.len()],
            chains: Vec::new(),
            has_label_layers,
        };
        net.chains.resize_with(wires.len(), || None);
        for wire in wires.iter().filter(|wire| wire.from == wire.to) {
            net.make_room_for_loop(wire);
        }
        let span = |wire: &Wire| net.layer[wire.from].abs_diff(net.layer[wire.to]);
        let mut shortest_first: Vec<usize> =
            (0..wires.len()).filter(|wire| wires[*wire].from != wires[*wire].to).collect();
        shortest_first.arrange_by_key(|wire| span(&wires[*wire]));
        let mut bends = 0;
        let fit = shortest_first.iter().take_while(|wire| {
            bends += span(&wires[**wire]).saturating_sub(1);
            bends <= BENDS_MAX
        });
        let mut kept: Vec<usize> = fit.copied().collect();
        kept.sort_unstable();
        for wire in kept {
            let chain = net.chain(&wires[wire], levels.is_turned[wire]);
            net.chains[wire] = Some(chain);
        }
        net.fill_layers();
        net
    }

    fn make_room_for_loop(&mut self, wire: &Wire) {
        let label = wire.label.unwrap_or_default();
        let width = LOOP + label.width;
        let size = &mut self.sizes[wire.from];
        size.width += width;
        size.height = size.height.max(label.height);
        self.loops[wire.from] += width;
    }

    /// Cuts an edge at the layers that it crosses. Its label stands in the layer next to where it comes from.
    fn chain(&mut self, wire: &Wire, is_turned: bool) -> Chain {
        let (upper, lower) = if is_turned { (wire.to, wire.from) } else { (wire.from, wire.to) };
        let (first, last) = (self.layer[upper] + 1, self.layer[lower]);
        let label_layer = if is_turned { last.saturating_sub(1) } else { first };
        let mut chain = Chain { points: vec![upper], label: None, is_turned };
        for layer in first..last {
            let label = wire.label.filter(|_| layer == label_layer);
            let room = label.map(|label| Size { width: label.width + LABEL_MARGIN, ..label });
            let bend = self.sizes.len();
            self.sizes.push(room.unwrap_or_default());
            self.layer.push(layer);
            self.below.push(Vec::new());
            self.above.push(Vec::new());
            if label.is_some() {
                chain.label = Some(bend);
            }
            chain.points.push(bend);
        }
        chain.points.push(lower);
        for pair in chain.points.windows(2) {
            if let [one, other] = pair {
                self.below[*one].push(*other);
                self.above[*other].push(*one);
            }
        }
        chain
    }

    /// Puts points into their layers in the order in which a walk comes to them, which leaves trees without crossings.
    fn fill_layers(&mut self) {
        let depth = self.layer.iter().max().map_or(0, |deepest| deepest + 1);
        self.layers = vec![Vec::new(); depth];
        let mut is_seen = vec![false; self.sizes.len()];
        let first = (0..self.nodes).filter(|node| self.above[*node].is_empty());
        for root in first.chain(0..self.sizes.len()) {
            let mut open = vec![root];
            while let Some(point) = open.pop() {
                if !std::mem::replace(&mut is_seen[point], true) {
                    self.layers[self.layer[point]].push(point);
                    open.extend(self.below[point].iter().rev());
                }
            }
        }
    }

    /// Whether it is a bend of an edge, and no node.
    pub(super) fn is_bend(&self, point: usize) -> bool {
        point >= self.nodes
    }

    /// How far the middles of neighbours in a layer are apart at least.
    pub(super) fn distance(&self, left: usize, right: usize) -> f64 {
        const NODES: f64 = 30.0;
        const EDGES: f64 = 18.0;
        let gap = match (self.is_bend(left), self.is_bend(right)) {
            (false, false) => NODES,
            _ => EDGES,
        };
        (self.sizes[left].width + self.sizes[right].width) / 2.0 + gap
    }

    /// How much it matters that a way from one point to the next is straight.
    pub(super) fn stiffness(&self, one: usize, other: usize) -> f64 {
        match (self.is_bend(one), self.is_bend(other)) {
            (false, false) => 1.0,
            (true, true) => 8.0,
            _ => 2.0,
        }
    }
}
