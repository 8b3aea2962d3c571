//! How a graph runs whose nodes wait for one another, in batches: which node waits for which, what can be left out, what
//! runs at once.
//!
//! Input: a graph; output: positions of nodes and edges in it. Invariant: every position that comes out is one of the
//! graph's, and the whole is computed once, in time that grows no faster than the graph and its logarithm.

mod choices;
mod circles;
mod dominators;

use std::sync::OnceLock;

use nodewise_model::graph::{EndpointRole, Graph, GraphEdge};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::near::Names;
use dominators::{Branch, Dominators};

/// How a graph runs. Of nodes with the same id only the first counts, as for the runtime.
#[derive(Debug)]
pub(crate) struct Flow {
    positions: FxHashMap<SmolStr, usize>,
    /// The nodes at both ends of each edge, where they are nodes.
    ends: Vec<(Option<usize>, Option<usize>)>,
    /// The edges out of each node, in the order of the document.
    outgoing: Vec<Vec<usize>>,
    /// The edges into each node, in the order of the document.
    incoming: Vec<Vec<usize>>,
    /// Nodes that the release's ordering finds a place for, in that order.
    order: Vec<usize>,
    is_ordered: Vec<bool>,
    is_reached: Vec<bool>,
    /// The batch in which each ordered node runs when nothing is left out, from 0.
    batches: Vec<usize>,
    /// For each edge whether its source may decide against its target.
    is_refusable: Vec<bool>,
    dominators: Dominators,
    circles: Vec<Vec<usize>>,
    is_circular: Vec<bool>,
    /// The ids, ordered for suggestions when the first one is wanted.
    near: OnceLock<Names>,
}

impl Flow {
    pub(crate) fn new(graph: &Graph) -> Flow {
        let mut positions = FxHashMap::default();
        for (position, node) in graph.nodes.iter().enumerate() {
            if let Some(id) = &node.id {
                positions.entry(id.value.clone()).or_insert(position);
            }
        }
        let end = |name: Option<&SmolStr>| name.and_then(|name| positions.get(name).copied());
        // An edge out of the start or the end means that place, whatever nodes are called.
        let source = |edge: &GraphEdge| end(name_of(&edge.source).filter(|_| is_waited_for(edge)));
        let ends: Vec<_> =
            graph.edges.iter().map(|edge| (source(edge), end(name_of(&edge.target)))).collect();
        let mut outgoing = vec![Vec::new(); graph.nodes.len()];
        let mut incoming = vec![Vec::new(); graph.nodes.len()];
        for (position, (source, target)) in ends.iter().enumerate() {
            if let Some(source) = source {
                outgoing[*source].push(position);
            }
            if let Some(target) = target {
                incoming[*target].push(position);
            }
        }
        let mut flow = Flow {
            positions,
            ends,
            outgoing,
            incoming,
            order: Vec::new(),
            is_ordered: vec![false; graph.nodes.len()],
            is_reached: Vec::new(),
            batches: vec![0; graph.nodes.len()],
            is_refusable: Vec::new(),
            dominators: Dominators::default(),
            circles: Vec::new(),
            is_circular: Vec::new(),
            near: OnceLock::new(),
        };
        flow.sort(graph);
        flow.is_reached = flow.reached(graph);
        flow.is_refusable = choices::refusable(graph, &flow);
        flow.dominators = Dominators::new(&flow);
        (flow.circles, flow.is_circular) = circles::circles(&flow);
        flow
    }

    /// The node of that id.
    pub(crate) fn node(&self, id: &str) -> Option<usize> {
        self.positions.get(id).copied()
    }

    /// Whether the node is the first of its id.
    pub(crate) fn is_first(&self, graph: &Graph, node: usize) -> bool {
        let id = graph.nodes.get(node).and_then(|node| node.id.as_ref());
        id.is_some_and(|id| self.node(&id.value) == Some(node))
    }

    /// The first node with the id of this one; nodes without id mean themselves.
    pub(crate) fn meant(&self, graph: &Graph, node: usize) -> usize {
        let id = graph.nodes.get(node).and_then(|node| node.id.as_ref());
        id.and_then(|id| self.node(&id.value)).unwrap_or(node)
    }

    /// The id nearest to a word.
    pub(crate) fn nearest(&self, word: &str) -> Option<&str> {
        self.near.get_or_init(|| Names::new(self.positions.keys().cloned())).nearest(word, |_| true)
    }

    /// For each node whether a way leads from it to the end.
    pub(crate) fn on_the_way_to_the_end(&self, graph: &Graph) -> Vec<bool> {
        let mut leads = vec![false; graph.nodes.len()];
        let last = graph.edges.iter().enumerate().filter(|(_, edge)| leads_to_the_end(edge));
        let mut pending: Vec<usize> = last.filter_map(|(position, _)| self.source(position)).collect();
        while let Some(node) = pending.pop() {
            if !std::mem::replace(&mut leads[node], true) {
                pending.extend(self.incoming(node).iter().filter_map(|edge| self.source(*edge)));
            }
        }
        leads
    }

    /// The node that the edge comes from, if it is one.
    pub(crate) fn source(&self, edge: usize) -> Option<usize> {
        self.ends.get(edge)?.0
    }

    /// The node that the edge leads to, if it is one.
    pub(crate) fn target(&self, edge: usize) -> Option<usize> {
        self.ends.get(edge)?.1
    }

    /// The edges out of a node, in the order of the document.
    pub(crate) fn outgoing(&self, node: usize) -> &[usize] {
        self.outgoing.get(node).map(Vec::as_slice).unwrap_or_default()
    }

    /// The edges into a node, in the order of the document.
    pub(crate) fn incoming(&self, node: usize) -> &[usize] {
        self.incoming.get(node).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether some edge leads from one node to the other.
    pub(crate) fn is_linked(&self, from: usize, to: usize) -> bool {
        let (outgoing, incoming) = (self.outgoing(from), self.incoming(to));
        match outgoing.len() <= incoming.len() {
            true => outgoing.iter().any(|edge| self.target(*edge) == Some(to)),
            false => incoming.iter().any(|edge| self.source(*edge) == Some(from)),
        }
    }

    /// Whether the release's ordering finds a place for the node: it waits for no circle and nothing unknown.
    pub(crate) fn is_ordered(&self, node: usize) -> bool {
        self.is_ordered.get(node).copied().unwrap_or_default()
    }

    /// Whether a way leads from the beginning of a run to the node.
    pub(crate) fn is_reached(&self, node: usize) -> bool {
        self.is_reached.get(node).copied().unwrap_or_default()
    }

    /// The batch in which the node runs when nothing is left out.
    pub(crate) fn batch(&self, node: usize) -> usize {
        self.batches.get(node).copied().unwrap_or_default()
    }

    /// Whether the edge's source may decide against its target.
    pub(crate) fn is_refusable(&self, edge: usize) -> bool {
        self.is_refusable.get(edge).copied().unwrap_or_default()
    }

    /// Nodes that wait for one another, each circle once.
    pub(crate) fn circles(&self) -> &[Vec<usize>] {
        &self.circles
    }

    /// Whether a way leads from the node back to it.
    pub(crate) fn is_circular(&self, node: usize) -> bool {
        self.is_circular.get(node).copied().unwrap_or_default()
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
            let branch = self.dominators.branch(node, *source);
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
        self.dominators.children(node)
    }

    /// The nearest arm of a choice that the node lies in, itself included.
    pub(crate) fn arm(&self, node: usize) -> Option<usize> {
        self.dominators.arm(node)
    }

    /// Whether a choice decides between the two nodes, so that at most one of them is meant to run.
    pub(crate) fn are_exclusive(&self, one: usize, other: usize) -> bool {
        self.dominators.are_exclusive(one, other)
    }

    /// Kahn's algorithm as the release applies it: what comes from the beginning or the end is not waited for,
    /// what comes from an unknown node is waited for in vain, and a placeholder is an edge to every node.
    fn sort(&mut self, graph: &Graph) {
        let blocks_all = graph.edges.iter().any(|edge| is_placeholder(edge) && is_waited_for(edge));
        if blocks_all {
            return;
        }
        let mut waiting: Vec<usize> = self
            .incoming
            .iter()
            .map(|edges| edges.iter().filter(|edge| is_waited_for(&graph.edges[**edge])).count())
            .collect();
        let mut pending: Vec<usize> = (0..graph.nodes.len())
            .filter(|node| waiting[*node] == 0 && self.is_first(graph, *node))
            .collect();
        while let Some(node) = pending.pop() {
            self.order.push(node);
            self.is_ordered[node] = true;
            let next = self.batches[node] + 1;
            for edge in &self.outgoing[node] {
                let Some(target) = self.ends[*edge].1.filter(|_| is_waited_for(&graph.edges[*edge])) else {
                    continue;
                };
                self.batches[target] = self.batches[target].max(next);
                waiting[target] -= 1;
                if waiting[target] == 0 {
                    pending.push(target);
                }
            }
        }
    }

    /// A walk over all edges, whatever decides them, that begins at the start and passes through the end.
    fn reached(&self, graph: &Graph) -> Vec<bool> {
        let comes_from = |role| {
            let edges = graph.edges.iter();
            edges.filter(move |edge| edge.source.as_ref().is_some_and(|source| source.role == role))
        };
        let mut reached = vec![false; graph.nodes.len()];
        // A node with the id of the start is where the walk begins.
        let start = graph.conventions.terminals.as_ref().and_then(|terminals| self.node(terminals.start));
        if let Some(start) = start {
            reached[start] = true;
        }
        let mut edges: Vec<&GraphEdge> = comes_from(EndpointRole::Start).collect();
        let (mut is_past_the_end, mut is_everywhere) = (false, false);
        while let Some(edge) = edges.pop() {
            let role = edge.target.as_ref().map(|target| target.role);
            if matches!(role, Some(EndpointRole::End | EndpointRole::Placeholder))
                && !std::mem::replace(&mut is_past_the_end, true)
            {
                edges.extend(comes_from(EndpointRole::End));
            }
            let targets = match role {
                // One placeholder reaches every node; more of them reach nothing else.
                Some(EndpointRole::Placeholder) if !std::mem::replace(&mut is_everywhere, true) => {
                    (0..graph.nodes.len()).filter(|node| self.is_first(graph, *node)).collect()
                }
                _ => name_of(&edge.target).and_then(|name| self.node(name)).into_iter().collect::<Vec<_>>(),
            };
            for node in targets {
                if !std::mem::replace(&mut reached[node], true) {
                    edges.extend(self.outgoing[node].iter().filter_map(|edge| graph.edges.get(*edge)));
                }
            }
        }
        reached
    }
}

/// Whether the edge leads to the end, or to every node and the end.
pub(crate) fn leads_to_the_end(edge: &GraphEdge) -> bool {
    let role = edge.target.as_ref().map(|target| target.role);
    matches!(role, Some(EndpointRole::End | EndpointRole::Placeholder))
}

/// The name at an end of an edge.
fn name_of(end: &Option<nodewise_model::graph::Endpoint>) -> Option<&SmolStr> {
    end.as_ref().map(|end| &end.name.value)
}

fn is_placeholder(edge: &GraphEdge) -> bool {
    edge.target.as_ref().is_some_and(|target| target.role == EndpointRole::Placeholder)
}

/// Whether the edge's target waits for its source.
fn is_waited_for(edge: &GraphEdge) -> bool {
    edge.source.as_ref().is_none_or(|source| !matches!(source.role, EndpointRole::Start | EndpointRole::End))
}

#[cfg(test)]
mod tests;
