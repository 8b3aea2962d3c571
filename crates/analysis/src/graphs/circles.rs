//! Nodes that lead to one another by edges, as circles to show.
//!
//! Input: a graph's connections; output: for each group of nodes that reach one another one circle. Invariant: a node is in
//! at most one circle, and nodes that only follow a circle are in none.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::GraphFacts;

/// The circles of a graph.
#[derive(Debug)]
pub(super) struct Circles {
    /// The nodes of each cycle, in order, from its first node on.
    pub(super) circles: Vec<Vec<usize>>,
    /// For each node whether a path leads from it back to it.
    pub(super) is_circular: Vec<bool>,
}

impl Circles {
    pub(super) fn new(facts: &GraphFacts) -> Circles {
        let (circles, is_circular) = circles(facts);
        Circles { circles, is_circular }
    }
}

fn circles(facts: &GraphFacts) -> (Vec<Vec<usize>>, Vec<bool>) {
    let group = groups(facts);
    let mut is_shown = vec![false; group.len()];
    let mut circles = Vec::new();
    for (start, group_of_start) in group.iter().enumerate() {
        let Some(own) = group_of_start else { continue };
        // Show only one cycle of each group, so that each group is searched only once.
        if !std::mem::replace(&mut is_shown[*own], true) {
            circles.extend(circle_through(facts, start, &group));
        }
    }
    (circles, group.iter().map(Option::is_some).collect())
}

/// The shortest cycle through a node.
fn circle_through(facts: &GraphFacts, start: usize, group: &[Option<usize>]) -> Option<Vec<usize>> {
    let mut reached_from: FxHashMap<usize, usize> = FxHashMap::default();
    let mut pending = VecDeque::from([start]);
    while let Some(node) = pending.pop_front() {
        for target in facts.outgoing(node).iter().filter_map(|edge| facts.target(*edge)) {
            if target == start {
                let way = std::iter::successors(Some(node), |node| reached_from.get(node).copied());
                let mut circle: Vec<usize> = way.collect();
                circle.reverse();
                return Some(circle);
            }
            if group[target] == group[start] && !reached_from.contains_key(&target) {
                reached_from.insert(target, node);
                pending.push_back(target);
            }
        }
    }
    None
}

/// For each node the number of its group of nodes that reach one another; `None` if it is on no cycle. This is Tarjan's
/// algorithm with an explicit stack, because a recursion could be as deep as the graph is large.
fn groups(facts: &GraphFacts) -> Vec<Option<usize>> {
    let count = facts.meant.len();
    let mut walk = Walk {
        index: vec![None; count],
        low: vec![0; count],
        open: Vec::new(),
        is_open: vec![false; count],
        group: vec![None; count],
        next: 0,
    };
    for root in 0..count {
        if walk.index[root].is_none() {
            walk.from(facts, root);
        }
    }
    walk.group
}

struct Walk {
    index: Vec<Option<usize>>,
    low: Vec<usize>,
    open: Vec<usize>,
    is_open: Vec<bool>,
    group: Vec<Option<usize>>,
    next: usize,
}

impl Walk {
    fn from(&mut self, facts: &GraphFacts, root: usize) {
        let mut frames = vec![(root, 0)];
        self.enter(root);
        while let Some((node, step)) = frames.last_mut() {
            let node = *node;
            let Some(edge) = facts.outgoing(node).get(*step) else {
                frames.pop();
                self.leave(facts, node);
                if let Some((above, _)) = frames.last() {
                    self.low[*above] = self.low[*above].min(self.low[node]);
                }
                continue;
            };
            *step += 1;
            let Some(target) = facts.target(*edge) else {
                continue;
            };
            match self.index[target] {
                None => {
                    self.enter(target);
                    frames.push((target, 0));
                }
                Some(index) if self.is_open[target] => self.low[node] = self.low[node].min(index),
                Some(_) => {}
            }
        }
    }

    fn enter(&mut self, node: usize) {
        self.index[node] = Some(self.next);
        self.low[node] = self.next;
        self.next += 1;
        self.open.push(node);
        self.is_open[node] = true;
    }

    /// If `node` is the root of a group, closes the group. A single node without an edge to itself gets no group.
    fn leave(&mut self, facts: &GraphFacts, node: usize) {
        if Some(self.low[node]) != self.index[node] {
            return;
        }
        let start = self.open.iter().rposition(|open| *open == node).unwrap_or_default();
        let members = self.open.split_off(start);
        let is_circle = members.len() > 1 || facts.is_linked(node, node);
        for member in members {
            self.is_open[member] = false;
            self.group[member] = is_circle.then_some(node);
        }
    }
}
