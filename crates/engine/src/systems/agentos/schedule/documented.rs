//! Which nodes are ready, as documented: those that an edge was followed to, when no other edge can lead there any more.
//!
//! Input: which names were chosen; output: the ready nodes. Invariant: a node whose incoming edges are all ruled out
//! is skipped, with everything that can be reached only through it. An edge that leads back starts its target again,
//! and all that comes after it.

use std::collections::{BTreeSet, VecDeque};

use super::super::node::Id;
use super::super::program::Graph;

/// How far a run is.
#[derive(Debug, Clone)]
pub(in super::super) struct Flow {
    ways: Vec<EdgeProgress>,
    /// For each node, how many incoming edges are undecided, and how many were followed.
    open: Vec<u32>,
    taken: Vec<u32>,
    ready: BTreeSet<u32>,
    pub(super) completed: Vec<Id>,
    pub(super) skipped: Vec<Id>,
}

/// What is known of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EdgeProgress {
    Open,
    Taken,
    Ended,
}

impl Flow {
    pub(super) fn new(graph: &Graph) -> Flow {
        Flow {
            ways: vec![EdgeProgress::Open; graph.edges.len()],
            open: graph.ways_forward(),
            taken: vec![0; graph.nodes.len()],
            ready: BTreeSet::new(),
            completed: Vec::new(),
            skipped: Vec::new(),
        }
    }

    pub(super) fn ready(&self) -> VecDeque<u32> {
        self.ready.iter().copied().collect()
    }

    pub(super) fn complete(&mut self, graph: &Graph, id: Id) {
        self.completed.push(id);
        if let Some(node) = graph.node_of(id) {
            self.ready.remove(&node);
        }
    }

    /// Decides the edges of a name by what was chosen; returns what is skipped.
    pub(super) fn route(&mut self, graph: &Graph, source: Id, chosen: &[Id]) -> Vec<Id> {
        let mut direct: BTreeSet<Id> = chosen.iter().copied().collect();
        let mut decided = Vec::new();
        for edge in graph.ways_from(source) {
            if let Some(target) = graph.target(*edge) {
                decided.push((*edge, chosen.binary_search(&target).is_ok()));
                direct.remove(&target);
            }
        }
        // Edges are decided in their order.
        decided.reverse();
        let skipped = self.decide(graph, decided);
        // A chosen node without an edge to it begins all the same.
        self.ready.extend(direct.into_iter().filter_map(|name| graph.node_of(name)));
        skipped
    }

    fn decide(&mut self, graph: &Graph, mut decided: Vec<(u32, bool)>) -> Vec<Id> {
        let mut skipped = Vec::new();
        while let Some((edge, is_taken)) = decided.pop() {
            let Some(target) = graph.target(edge).and_then(|target| graph.node_of(target)) else { continue };
            if graph.leads_back(edge) {
                if is_taken {
                    self.begin_anew(graph, target);
                }
                continue;
            }
            let (open, taken) =
                self.set(edge, target, if is_taken { EdgeProgress::Taken } else { EdgeProgress::Ended });
            if open > 0 {
                continue;
            }
            if taken > 0 {
                self.ready.insert(target);
                continue;
            }
            let id = graph.node(target).id;
            skipped.push(id);
            self.skipped.push(id);
            decided.extend(graph.ways_from(id).iter().rev().map(|edge| (*edge, false)));
        }
        skipped
    }

    /// Sets the state of an edge; returns how many edges to its target are undecided, and how many were followed.
    fn set(&mut self, edge: u32, target: u32, now: EdgeProgress) -> (u32, u32) {
        let Some(way) = self.ways.get_mut(edge as usize) else { return (0, 0) };
        let before = std::mem::replace(way, now);
        let count = |counts: &mut Vec<u32>, counted: EdgeProgress| {
            let Some(count) = counts.get_mut(target as usize) else { return 0 };
            *count = count.saturating_sub(u32::from(before == counted));
            *count = count.saturating_add(u32::from(now == counted));
            *count
        };
        (count(&mut self.open, EdgeProgress::Open), count(&mut self.taken, EdgeProgress::Taken))
    }

    /// Makes everything after a node undecided again, and the node ready.
    fn begin_anew(&mut self, graph: &Graph, node: u32) {
        let mut reached = BTreeSet::from([node]);
        let mut next = vec![node];
        while let Some(node) = next.pop() {
            for edge in graph.ways_from(graph.node(node).id) {
                let target = graph.target(*edge).and_then(|target| graph.node_of(target));
                let Some(target) = target.filter(|_| !graph.leads_back(*edge)) else { continue };
                self.set(*edge, target, EdgeProgress::Open);
                if reached.insert(target) {
                    next.push(target);
                }
            }
        }
        self.ready.retain(|ready| !reached.contains(ready));
        self.ready.insert(node);
    }
}
