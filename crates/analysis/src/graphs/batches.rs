//! How a graph runs whose nodes wait for one another, in batches: which node waits for which, what can be left out, what
//! runs at once.
//!
//! Input: a graph and its connections; output: positions of nodes and edges in it. Invariant: every position that comes out
//! is one of the graph's.

use nodewise_model::graph::{EndpointRole, Graph, GraphEdge};
use rustc_hash::FxHashMap;

use super::dominators::{Branch, Dominators};
use super::order::Order;
use super::{GraphFacts, choices};

/// The batches in which nodes run. Empty for a system whose nodes do not wait for one another.
#[derive(Debug, Default)]
pub(super) struct Batches {
    order: Order,
    /// For each edge whether its source may decide not to follow it.
    is_refusable: Vec<bool>,
    dominators: Dominators,
}

impl Batches {
    pub(super) fn new(graph: &Graph, facts: &GraphFacts) -> Batches {
        let order = Order::new(graph, facts);
        let is_refusable = choices::refusable(graph, facts);
        let dominators = Dominators::new(facts, &order, &is_refusable);
        Batches { order, is_refusable, dominators }
    }
}

impl GraphFacts {
    /// Whether the release's topological order contains the node. It does not if the node waits for a cycle or for an
    /// unknown node.
    pub(crate) fn is_ordered(&self, node: usize) -> bool {
        self.batches.order.is_ordered.get(node).copied().unwrap_or_default()
    }

    /// The number of the batch, from 0, in which the node runs if no node is skipped.
    pub(crate) fn batch(&self, node: usize) -> usize {
        self.batches.order.batches.get(node).copied().unwrap_or_default()
    }

    /// Whether the source of the edge may decide not to follow it.
    pub(crate) fn is_refusable(&self, edge: usize) -> bool {
        self.batches.is_refusable.get(edge).copied().unwrap_or_default()
    }

    /// The edges into `node` that may be refused although a run may also reach the node from another source at the same
    /// time, because no choice decides between the two sources.
    pub(crate) fn lossy_edges(&self, node: usize) -> Vec<usize> {
        let sources: Vec<(usize, usize)> = self
            .incoming(node)
            .iter()
            .filter_map(|edge| Some((*edge, self.source(*edge).filter(|source| self.is_ordered(*source))?)))
            .collect();
        let mut branches: FxHashMap<usize, Branch> = FxHashMap::default();
        let mut in_arms: FxHashMap<usize, usize> = FxHashMap::default();
        let mut certain = 0;
        for (_, source) in &sources {
            let branch = self.batches.dominators.branch(node, *source);
            if branches.insert(*source, branch).is_none() {
                match branch {
                    Branch::Certain => certain += 1,
                    Branch::Arm(arm) => *in_arms.entry(arm).or_default() += 1,
                }
            }
        }
        let has_company = |source: &usize| match branches.get(source) {
            Some(Branch::Arm(arm)) => certain > 0 || in_arms.get(arm).is_some_and(|count| *count > 1),
            _ => branches.len() > 1,
        };
        let lossy = sources.iter().filter(|(edge, source)| self.is_refusable(*edge) && has_company(source));
        lossy.map(|(edge, _)| *edge).collect()
    }

    /// The nodes that are directly below this one in the dominator tree: they run only after it.
    pub(crate) fn dependents(&self, node: usize) -> &[usize] {
        self.batches.dominators.children(node)
    }

    /// The nearest arm of a choice that contains the node; the node itself may be the arm.
    pub(crate) fn arm(&self, node: usize) -> Option<usize> {
        self.batches.dominators.arm(node)
    }

    /// Whether a choice decides between the two nodes, so that at most one of them should run.
    pub(crate) fn are_exclusive(&self, one: usize, other: usize) -> bool {
        self.batches.dominators.are_exclusive(one, other)
    }
}

/// Whether the edge leads to the end, or is a placeholder that leads to every node and the end.
pub(crate) fn leads_to_the_end(edge: &GraphEdge) -> bool {
    let role = edge.target.as_ref().map(|target| target.role);
    matches!(role, Some(EndpointRole::End | EndpointRole::Placeholder))
}

#[cfg(test)]
mod tests;
