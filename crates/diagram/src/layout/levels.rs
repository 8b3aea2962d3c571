//! Which layer each node stands in.
//!
//! Input: nodes and which lead where; output: the layer of each, and which edges are turned for it. Invariant: an edge that
//! is not turned leads at least one layer further, a turned one at least one layer back.

use super::Wire;

/// The layer of each node, from 0, and for each edge whether it is reversed for the layout.
pub(super) struct Levels {
    pub(super) layer: Vec<usize>,
    pub(super) is_turned: Vec<bool>,
}

/// The state of a node in the depth-first search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    Open,
    Done,
}

impl Levels {
    /// The layers of `count` nodes. Every edge must be between two of these nodes.
    pub(super) fn new(count: usize, wires: &[Wire]) -> Levels {
        let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut ways_in = vec![0_usize; count];
        for (position, wire) in wires.iter().enumerate().filter(|(_, wire)| wire.from != wire.to) {
            leaving[wire.from].push(position);
            ways_in[wire.to] += 1;
        }
        let is_turned = turned(wires, &leaving, &ways_in);
        let ends = |position: usize| match is_turned[position] {
            true => (wires[position].to, wires[position].from),
            false => (wires[position].from, wires[position].to),
        };
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); count];
        for position in leaving.iter().flatten() {
            let (from, to) = ends(*position);
            next[from].push(to);
            before[to].push(from);
        }
        let order = sorted(&next, &before);
        let mut layer = vec![0; count];
        for node in &order {
            for to in &next[*node] {
                layer[*to] = layer[*to].max(layer[*node] + 1);
            }
        }
        // A node with more outgoing than incoming edges moves next to its targets, which shortens more edges than it
        // lengthens.
        for node in order.iter().rev() {
            if next[*node].len() > before[*node].len()
                && let Some(nearest) = next[*node].iter().map(|to| layer[*to]).min()
            {
                layer[*node] = nearest - 1;
            }
        }
        Levels { layer, is_turned }
    }
}

/// Which edges lead back to a node on the current path of the depth-first search, so that they close a cycle.
fn turned(wires: &[Wire], leaving: &[Vec<usize>], ways_in: &[usize]) -> Vec<bool> {
    let mut marks = vec![Mark::New; leaving.len()];
    let mut is_turned = vec![false; wires.len()];
    // Start at the nodes without incoming edges. The search from all nodes then finds parts that are only cycles.
    let first = (0..leaving.len()).filter(|node| ways_in[*node] == 0);
    for root in first.chain(0..leaving.len()) {
        let mut open: Vec<(usize, usize)> = Vec::new();
        if marks[root] == Mark::New {
            marks[root] = Mark::Open;
            open.push((root, 0));
        }
        while let Some((node, next)) = open.pop() {
            let Some(wire) = leaving[node].get(next).copied() else {
                marks[node] = Mark::Done;
                continue;
            };
            open.push((node, next + 1));
            let to = wires[wire].to;
            match marks[to] {
                Mark::New => {
                    marks[to] = Mark::Open;
                    open.push((to, 0));
                }
                Mark::Open => is_turned[wire] = true,
                Mark::Done => {}
            }
        }
    }
    is_turned
}

/// The nodes in topological order: each one after all nodes that lead to it.
fn sorted(next: &[Vec<usize>], before: &[Vec<usize>]) -> Vec<usize> {
    let mut waits: Vec<usize> = before.iter().map(Vec::len).collect();
    let mut order: Vec<usize> = (0..next.len()).filter(|node| waits[*node] == 0).collect();
    let mut at = 0;
    while let Some(node) = order.get(at).copied() {
        at += 1;
        for to in &next[node] {
            waits[*to] -= 1;
            if waits[*to] == 0 {
                order.push(*to);
            }
        }
    }
    order
}
