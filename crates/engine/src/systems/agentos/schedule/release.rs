//! Which nodes are ready in the release: those whose predecessors are all done or skipped, each at most once.
//!
//! Input: what was completed and skipped; output: the ready nodes in the order of the document. Invariant: a name is
//! completed or skipped at most once; what was ready stays ready until it is completed or skipped.

use std::collections::{BTreeSet, VecDeque};

use super::super::node::Id;
use super::super::program::Graph;

/// How far a run is.
#[derive(Debug, Clone)]
pub(in super::super) struct Steps {
    done: Vec<bool>,
    /// For each node, how many of its predecessors are not done.
    pending: Vec<u32>,
    /// How many of the names that every node waits for are not done.
    common: usize,
    ready: BTreeSet<u32>,
    pub(super) completed: Vec<Id>,
    pub(super) skipped: Vec<Id>,
}

impl Steps {
    /// The start of a run: only the start node is done.
    pub(super) fn new(graph: &Graph) -> Steps {
        let pending = graph.waits.clone();
        let ready = (0_u32..).zip(&pending).filter(|(_, pending)| **pending == 0).map(|(node, _)| node);
        let mut schedule = Steps {
            done: vec![false; graph.names.len()],
            common: graph.everyone_waits_for.len(),
            ready: ready.collect(),
            pending,
            completed: Vec::new(),
            skipped: Vec::new(),
        };
        schedule.finish(graph, Id::START);
        schedule
    }

    /// The ready nodes, in the order of the document.
    pub(super) fn ready(&self) -> VecDeque<u32> {
        let ready = Some(&self.ready).filter(|_| self.common == 0);
        ready.into_iter().flatten().copied().collect()
    }

    /// Skips the targets of a node's edges that the node does not choose; returns what was skipped.
    pub(super) fn route(&mut self, graph: &Graph, node: u32, chosen: &[Id]) -> Vec<Id> {
        let left = graph.ways(node).map(|(_, edge)| edge.target);
        let mut skipped: Vec<Id> = left.filter(|target| chosen.binary_search(target).is_err()).collect();
        skipped.retain(|target| self.skip(graph, *target));
        skipped
    }

    /// Records that a name is done because its node ran.
    pub(super) fn complete(&mut self, graph: &Graph, id: Id) {
        self.completed.push(id);
        self.finish(graph, id);
    }

    /// Records that a name is done because a choice led elsewhere; `false` if it was done already.
    pub(super) fn skip(&mut self, graph: &Graph, id: Id) -> bool {
        let is_new = !self.is_done(id);
        if is_new {
            self.skipped.push(id);
            self.finish(graph, id);
        }
        is_new
    }

    /// Whether a name is completed or skipped.
    pub(super) fn is_done(&self, id: Id) -> bool {
        self.done.get(id.place()).copied().unwrap_or_default()
    }

    fn finish(&mut self, graph: &Graph, id: Id) {
        let Some(done) = self.done.get_mut(id.place()).filter(|done| !**done) else { return };
        *done = true;
        self.common -= usize::from(graph.everyone_waits_for.contains(&id));
        if let Some(node) = graph.node_of(id) {
            self.ready.remove(&node);
        }
        for follower in graph.followers(id) {
            let Some(pending) = self.pending.get_mut(*follower as usize) else { continue };
            *pending = pending.saturating_sub(1);
            let is_free = *pending == 0;
            let is_open = graph.nodes.get(*follower as usize).is_some_and(|node| !self.is_done(node.id));
            if is_free && is_open {
                self.ready.insert(*follower);
            }
        }
    }
}
