//! The order of nodes that wait for one another, and the batches in which they run.
//!
//! Input: a graph and its connections; output: positions of its nodes. Invariant: what waits for a circle or for nothing that
//! exists has no place.

use nodewise_model::graph::{EndpointRole, Graph, GraphEdge};

use super::{GraphFacts, comes_from_a_node};

/// The order in which a run visits nodes if none is skipped.
#[derive(Debug, Default)]
pub(super) struct Order {
    /// The nodes in the release's topological order. Nodes that the release cannot order are not in it.
    pub(super) nodes: Vec<usize>,
    /// For each node whether it is in `nodes`.
    pub(super) is_ordered: Vec<bool>,
    /// For each node the number of its batch, from 0.
    pub(super) batches: Vec<usize>,
}

impl Order {
    /// Kahn's algorithm as the release applies it: an edge from the start or the end is not waited for, an edge from an
    /// unknown node is waited for forever, and a placeholder counts as an edge to every node.
    pub(super) fn new(graph: &Graph, facts: &GraphFacts) -> Order {
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

fn is_placeholder(edge: &GraphEdge) -> bool {
    edge.target.as_ref().is_some_and(|target| target.role == EndpointRole::Placeholder)
}
