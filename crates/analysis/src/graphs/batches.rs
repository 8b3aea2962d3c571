//! How a graph runs whose nodes wait for one another, in batches: which node waits for which, what can be left out, what
//! runs at once.
//!
//! Input: a graph and its connections; output: positions of nodes and edges in it. Invariant: every position that comes out
//! is one of the graph's.

use nodewise_model::graph::{EndpointRole, Graph, GraphEdge};
use rustc_hash::FxHashMap;

use super::dominators::{Branch, Dominators};
use super::{GraphFacts, choices, comes_from_a_node};

/// Which nodes run together; empty where nodes do not wait for one another.
#[derive(Debug, Default)]
pub(super) struct Batches {
    order: Order,
    /// For each edge whether its source may decide against its target.
    is_refusable: Vec<bool>,
    dominators: Dominators,
}

/// The order in which a run comes to nodes when nothing is left out.
#[derive(Debug, Default)]
pub(super) struct Order {
    /// The nodes that the release's ordering finds a place for, in that order.
    pub(super) nodes: Vec<usize>,
    /// For each node whether it has such a place.
    pub(super) is_ordered: Vec<bool>,
    /// The batch in which each of them runs, from 0.
    pub(super) batches: Vec<usize>,
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
    /// Whether the release's ordering finds a place for the node: it waits for no circle and nothing unknown.
    pub(crate) fn is_ordered(&self, node: usize) -> bool {
        self.batches.order.is_ordered.get(node).copied().unwrap_or_default()
    }

    /// The batch in which the node runs when nothing is left out.
    pub(crate) fn batch(&self, node: usize) -> usize {
        self.batches.order.batches.get(node).copied().unwrap_or_default()
    }

    /// Whether the edge's source may decide against its target.
    pub(crate) fn is_refusable(&self, edge: usize) -> bool {
        self.batches.is_refusable.get(edge).copied().unwrap_or_default()
    }

    /// The refusable edges into a node that a run may also come to from another node: no choice decides between
    /// the two.
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

    /// The nodes that run only after this one, and directly so.
    pub(crate) fn dependents(&self, node: usize) -> &[usize] {
        self.batches.dominators.children(node)
    }

    /// The nearest arm of a choice that the node lies in, itself included.
    pub(crate) fn arm(&self, node: usize) -> Option<usize> {
        self.batches.dominators.arm(node)
    }

    /// Whether a choice decides between the two nodes, so that at most one of them is meant to run.
    pub(crate) fn are_exclusive(&self, one: usize, other: usize) -> bool {
        self.batches.dominators.are_exclusive(one, other)
    }
}

impl Order {
    /// Kahn's algorithm as the release applies it: what comes from the beginning or the end is not waited for,
    /// what comes from an unknown node is waited for in vain, and a placeholder is an edge to every node.
    fn new(graph: &Graph, facts: &GraphFacts) -> Order {
        let count = graph.nodes.len();
        let mut order = Order { nodes: Vec::new(), is_ordered: vec![false; count], batches: vec![0; count] };
        let blocks_all = graph.edges.iter().any(|edge| is_placeholder(edge) && comes_from_a_node(edge));
        if blocks_all {
            return order;
        }
        let is_waited_for = |edge: &usize| graph.edges.get(*edge).is_some_and(comes_from_a_node);
        let awaited = |node: &Vec<usize>| node.iter().filter(|edge| is_waited_for(edge)).count();
        let mut waiting: Vec<usize> = facts.incoming.iter().map(awaited).collect();
        let mut pending: Vec<usize> =
            (0..count).filter(|node| waiting[*node] == 0 && facts.is_meant(graph, *node)).collect();
        while let Some(node) = pending.pop() {
            order.nodes.push(node);
            order.is_ordered[node] = true;
            let next = order.batches[node] + 1;
            for edge in facts.outgoing(node).iter().filter(|edge| is_waited_for(edge)) {
                let Some(target) = facts.target(*edge) else { continue };
                order.batches[target] = order.batches[target].max(next);
                waiting[target] -= 1;
                if waiting[target] == 0 {
                    pending.push(target);
                }
            }
        }
        order
    }
}

/// Whether the edge leads to the end, or to every node and the end.
pub(crate) fn leads_to_the_end(edge: &GraphEdge) -> bool {
    let role = edge.target.as_ref().map(|target| target.role);
    matches!(role, Some(EndpointRole::End | EndpointRole::Placeholder))
}

fn is_placeholder(edge: &GraphEdge) -> bool {
    edge.target.as_ref().is_some_and(|target| target.role == EndpointRole::Placeholder)
}

#[cfg(test)]
mod tests;
