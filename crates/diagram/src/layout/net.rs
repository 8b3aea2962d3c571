//! A part of a graph with its edges cut at every layer that they cross.
//!
//! Input: nodes, edges, layers; output: points in layers, joined from each layer to the next. Invariant: the first points
//! are the nodes, and every chain begins and ends at one; what lies between them are bends, of which one may hold the
//! edge's label.

use nodewise_platform::sorting::Sorting;

use super::levels::Levels;
use super::{Size, Wire};

/// The maximum number of bends. More would make the layout slow without improving it, so the longest edges become
/// straight lines.
const BENDS_MAX: usize = 40_000;
/// How far an edge from a node to itself extends to the right of the node.
pub(super) const LOOP: f64 = 26.0;
/// The space next to a label.
const LABEL_MARGIN: f64 = 10.0;

/// The points of the layout in their layers. A point is a node, or a bend where an edge crosses a layer.
pub(super) struct Net {
    /// The size of each point: nodes first, then bends.
    pub(super) sizes: Vec<Size>,
    /// How many of the points are nodes.
    pub(super) nodes: usize,
    /// How much of a node's width, at its right side, is space for edges to itself.
    pub(super) loops: Vec<f64>,
    /// The layer of each point.
    pub(super) layer: Vec<usize>,
    /// The points of each layer, from left to right.
    pub(super) layers: Vec<Vec<usize>>,
    /// For each point, the connected points in the next layer and in the layer before.
    pub(super) below: Vec<Vec<usize>>,
    pub(super) above: Vec<Vec<usize>>,
    /// The points of each edge; `None` for edges from a node to itself, and for straight lines.
    pub(super) chains: Vec<Option<Chain>>,
    /// Whether there are additional layers for labels between those of the nodes.
    pub(super) has_label_layers: bool,
}

/// The points of an edge, from top to bottom.
pub(super) struct Chain {
    pub(super) points: Vec<usize>,
    /// The point with the label.
    pub(super) label: Option<usize>,
    /// Whether the edge leads upwards.
    pub(super) is_turned: bool,
}

impl Net {
    /// The net of one connected part.
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
        // Short edges need few bends. With them first, most edges fit into the limit.
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

    /// Divides an edge at the layers that it crosses. Its label is in the layer next to its source.
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

    /// Puts the points into their layers in the order of a depth-first search, which gives trees no crossings.
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

    /// Whether the point is a bend of an edge, and not a node.
    pub(super) fn is_bend(&self, point: usize) -> bool {
        point >= self.nodes
    }

    /// The minimum distance between the centres of two neighbours in a layer.
    pub(super) fn distance(&self, left: usize, right: usize) -> f64 {
        const NODES: f64 = 30.0;
        const EDGES: f64 = 18.0;
        let gap = match (self.is_bend(left), self.is_bend(right)) {
            (false, false) => NODES,
            _ => EDGES,
        };
        (self.sizes[left].width + self.sizes[right].width) / 2.0 + gap
    }

    /// How important it is that the line between two points is straight. Long edges have many bends, so lines between
    /// bends count most.
    pub(super) fn stiffness(&self, one: usize, other: usize) -> f64 {
        match (self.is_bend(one), self.is_bend(other)) {
            (false, false) => 1.0,
            (true, true) => 8.0,
            _ => 2.0,
        }
    }
}
