//! What is known of a graph as a whole: which node an id means, where each node leads, what a run can reach, which
//! keys of the state each node reads and writes, which nodes form circles, and, where nodes wait for one another, which of
//! them run together.
//!
//! In: a graph of the model, with the conventions of its system; out: facts by position of the node. Computed once for each
//! graph, in time that grows no faster than the graph and its logarithm; nothing here looks at another file. Where nodes
//! are documents, the graph is the whole project, and [`crate::index`] keeps who leads to whom.

mod batches;
mod choices;
mod circles;
mod dominators;
mod order;
mod parts;
mod reach;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use nodewise_model::Located;
use nodewise_model::conventions::RepeatedId;
use nodewise_model::graph::{Endpoint, EndpointRole, Graph, GraphEdge, GraphNode};
use nodewise_model::state::{NodeAccess, StateModel};
use nodewise_model::work::{AnyWork, HandOverKind};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::suggest::{Names, meant};
use batches::Batches;
pub(crate) use batches::leads_to_the_end;
use circles::Circles;
pub(crate) use parts::State;

/// Graphs with more keys than this are not searched for keys that contain a word as a part.
const PARTS_MAX: usize = 200;

/// Facts about a graph as a whole. Nodes and edges are given by their positions in the graph.
#[derive(Debug)]
pub struct GraphFacts {
    /// The position of the node that an id refers to. Which of several nodes with the same id counts depends on the system.
    by_id: FxHashMap<SmolStr, usize>,
    /// For each node, the node that its id refers to: itself, or another node with the same id. Nodes without an id refer
    /// to themselves.
    meant: Vec<usize>,
    /// For each edge its source and target; `None` for an end that is not a node.
    ends: Vec<(Option<usize>, Option<usize>)>,
    /// For each node the edges that leave it, in order. Empty for a node whose id refers to another node; so are the next
    /// two.
    outgoing: Vec<Vec<usize>>,
    /// For each node the edges that lead to it, in order.
    incoming: Vec<Vec<usize>>,
    /// For each node the nodes to which it can hand over a run without an edge.
    handed: Vec<Vec<usize>>,
    /// For each node whether a run can reach it from the start.
    reached: Vec<bool>,
    /// For each node whether a run visits it by itself; see [`GraphFacts::is_visited`].
    visited: Vec<bool>,
    /// The number of nodes on the shortest path from the start to a node where a run may end; `None` if there is no path.
    pub shortest_run: Option<usize>,
    /// The cycles in the graph, computed when a rule first asks.
    circles: OnceLock<Circles>,
    /// Which nodes run together. Only filled for a system whose nodes wait for one another.
    batches: Batches,
    /// The state keys that each node reads and writes.
    pub access: Vec<NodeAccess>,
    /// The system's rules for reading and writing the state.
    model: &'static dyn StateModel,
    /// The nodes that write each key, in order. Nodes that may write every key are in `wildcard_writers` instead.
    writers: FxHashMap<SmolStr, Vec<usize>>,
    /// The nodes that may write every key.
    pub wildcard_writers: Vec<usize>,
    /// The keys that the graph declares as inputs.
    inputs: FxHashSet<SmolStr>,
    /// Pairs of a node and an id to which an edge of the node leads, computed when a rule first asks.
    ways: OnceLock<FxHashSet<(usize, SmolStr)>>,
    /// The ids, prepared for suggestions when the first one is needed.
    near: OnceLock<Names>,
    /// The written keys and the inputs, prepared for suggestions when the first one is needed.
    near_keys: OnceLock<Names>,
    /// All keys that some node leaves in the memory, computed when a rule first asks.
    left: OnceLock<FxHashSet<SmolStr>>,
    /// The nodes that leave each key in the memory, computed when a rule first asks.
    leavers: OnceLock<FxHashMap<SmolStr, Vec<usize>>>,
}

impl GraphFacts {
    /// Computes the facts of a graph.
    #[must_use]
    pub fn new(graph: &Graph) -> GraphFacts {
        let conventions = graph.conventions;
        let mut by_id: FxHashMap<SmolStr, usize> = FxHashMap::default();
        for (position, node) in graph.nodes.iter().enumerate() {
            let Some(id) = &node.id else { continue };
            match conventions.repeated_id {
                RepeatedId::First => {
                    by_id.entry(id.value.clone()).or_insert(position);
                }
                RepeatedId::Last => {
                    by_id.insert(id.value.clone(), position);
                }
            }
        }
        let mean = |(position, node): (usize, &GraphNode)| {
            node.id.as_ref().and_then(|id| by_id.get(&id.value).copied()).unwrap_or(position)
        };
        let meant: Vec<usize> = graph.nodes.iter().enumerate().map(mean).collect();
        let end = |name: Option<&SmolStr>| name.and_then(|name| by_id.get(name).copied());
        // An edge from the start or the end place comes from there, even if a node has the same name.
        let source = |edge: &GraphEdge| end(name_of(&edge.source).filter(|_| comes_from_a_node(edge)));
        let ends = graph.edges.iter().map(|edge| (source(edge), end(name_of(&edge.target)))).collect();
        let count = graph.nodes.len();
        let mut facts = GraphFacts {
            by_id,
            meant,
            ends,
            outgoing: vec![Vec::new(); count],
            incoming: vec![Vec::new(); count],
            handed: vec![Vec::new(); count],
            reached: Vec::new(),
            visited: Vec::new(),
            shortest_run: None,
            circles: OnceLock::new(),
            batches: Batches::default(),
            access: conventions.state.accesses(graph),
            model: conventions.state,
            writers: FxHashMap::default(),
            wildcard_writers: Vec::new(),
            inputs: graph.inputs.iter().flatten().map(|port| port.key.value.clone()).collect(),
            ways: OnceLock::new(),
            near: OnceLock::new(),
            near_keys: OnceLock::new(),
            left: OnceLock::new(),
            leavers: OnceLock::new(),
        };
        facts.connect(graph);
        facts.reached = reach::reached(graph, &facts);
        facts.visited = reach::visited(graph, &facts);
        facts.shortest_run = reach::shortest_run(graph, &facts);
        if conventions.runs_in_batches {
            facts.batches = Batches::new(graph, &facts);
        }
        facts.list_writers();
        facts
    }

    /// The position of the node that an id refers to.
    #[must_use]
    pub fn node(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }

    /// The position of the node that the id of the node at `position` refers to; see `meant` above.
    #[must_use]
    pub fn meant(&self, position: usize) -> usize {
        self.meant.get(position).copied().unwrap_or(position)
    }

    /// Whether the node has an id that refers to this node and not to another one with the same id.
    pub(crate) fn is_meant(&self, graph: &Graph, position: usize) -> bool {
        let has_id = graph.nodes.get(position).is_some_and(|node| node.id.is_some());
        has_id && self.meant(position) == position
    }

    /// The id that is most similar to a word, if one is similar enough.
    #[must_use]
    pub fn nearest(&self, word: &str) -> Option<&str> {
        self.near.get_or_init(|| Names::new(self.by_id.keys().cloned())).nearest(word, |_| true)
    }

    /// The key most similar to a word, among the written keys and the inputs.
    #[must_use]
    pub fn nearest_key(&self, word: &str) -> Option<&str> {
        let keys = || self.writers.keys().chain(&self.inputs).cloned();
        let near = self.near_keys.get_or_init(|| Names::new(keys())).nearest(word, |_| true);
        near.or_else(|| {
            // In small graphs, a part of a name also suggests the whole name: `results` for `all_results`. In large graphs,
            // where each node may ask, even listing all keys would take too long.
            if self.writers.len() + self.inputs.len() > PARTS_MAX {
                return None;
            }
            let keys: Vec<&str> = self.writers.keys().chain(&self.inputs).map(SmolStr::as_str).collect();
            meant(word, &keys)
        })
    }

    /// The edges that leave the node at `position`, in order.
    #[must_use]
    pub fn outgoing(&self, position: usize) -> &[usize] {
        self.outgoing.get(self.meant(position)).map(Vec::as_slice).unwrap_or_default()
    }

    /// The edges that lead to the node at `position`, in order.
    #[must_use]
    pub fn incoming(&self, position: usize) -> &[usize] {
        self.incoming.get(self.meant(position)).map(Vec::as_slice).unwrap_or_default()
    }

    /// The source of an edge; `None` if it is not a node.
    #[must_use]
    pub fn source(&self, edge: usize) -> Option<usize> {
        self.ends.get(edge)?.0
    }

    /// The target of an edge; `None` if it is not a node.
    #[must_use]
    pub fn target(&self, edge: usize) -> Option<usize> {
        self.ends.get(edge)?.1
    }

    /// Whether some edge leads from one node to the other.
    #[must_use]
    pub fn is_linked(&self, from: usize, to: usize) -> bool {
        let (outgoing, incoming) = (self.outgoing(from), self.incoming(to));
        match outgoing.len() <= incoming.len() {
            true => outgoing.iter().any(|edge| self.target(*edge) == Some(to)),
            false => incoming.iter().any(|edge| self.source(*edge) == Some(from)),
        }
    }

    /// Whether a run can reach the node at `position` from the start.
    #[must_use]
    pub fn is_reached(&self, position: usize) -> bool {
        self.reached.get(self.meant(position)).copied().unwrap_or_default()
    }

    /// The cycles of the graph: one shortest cycle for each group of nodes that reach one another, from its first node on.
    #[must_use]
    pub fn circles(&self) -> &[Vec<usize>] {
        &self.known_circles().circles
    }

    /// Whether edges lead from the node back to itself.
    #[must_use]
    pub fn is_circular(&self, position: usize) -> bool {
        self.known_circles().is_circular.get(position).copied().unwrap_or_default()
    }

    fn known_circles(&self) -> &Circles {
        self.circles.get_or_init(|| Circles::new(self))
    }

    /// The nodes to which the node at `position` can hand over a run without an edge.
    #[must_use]
    pub fn handed(&self, position: usize) -> &[usize] {
        self.handed.get(self.meant(position)).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether an edge leads from the node at `position` to the id `target`, even if no node has this id.
    #[must_use]
    pub fn has_edge(&self, graph: &Graph, position: usize, target: &SmolStr) -> bool {
        let ways = || {
            let leaving = self.outgoing.iter().enumerate();
            let ways = leaving.flat_map(|(from, edges)| edges.iter().map(move |edge| (from, *edge)));
            let way = |(from, edge): (usize, usize)| {
                Some((from, graph.edges.get(edge)?.target.as_ref()?.name.value.clone()))
            };
            ways.filter_map(way).collect()
        };
        self.ways.get_or_init(ways).contains(&(self.meant(position), target.clone()))
    }

    /// Whether a run visits the node of that id by itself: at the start, over an edge, chosen by a supervisor, a peer
    /// or a rejection. The worker of a map is not visited but run inside the map.
    #[must_use]
    pub fn is_visited(&self, id: &str) -> bool {
        self.node(id).and_then(|position| self.visited.get(position)).copied().unwrap_or(false)
    }

    /// The nodes that leave each key in the memory, in order. The keys of a map's worker are not included, because they end
    /// up in the map's results.
    #[must_use]
    pub fn leavers(&self, graph: &Graph) -> &FxHashMap<SmolStr, Vec<usize>> {
        self.leavers.get_or_init(|| {
            let mut leavers: FxHashMap<SmolStr, Vec<usize>> = FxHashMap::default();
            for (position, (node, access)) in graph.nodes.iter().zip(&self.access).enumerate() {
                if node.id.is_none() || self.visited.get(self.meant(position)) == Some(&true) {
                    let is_kept = |key: &&SmolStr| self.model.transient_key() != Some(key.as_str());
                    for key in access.leaves.iter().filter(is_kept) {
                        leavers.entry(key.clone()).or_default().push(position);
                    }
                }
            }
            leavers
        })
    }

    /// The nodes that may write a key, without those that may write every key.
    #[must_use]
    pub fn writers(&self, key: &str) -> &[usize] {
        self.writers.get(key).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether every node can read the key without a grant.
    #[must_use]
    pub fn is_ambient(&self, key: &str) -> bool {
        self.model.ambient_keys().contains(&key)
    }

    /// Whether the runtime itself writes the key, whatever the graph declares.
    #[must_use]
    pub fn is_reserved_key(&self, key: &str) -> bool {
        self.model.reserved_keys().contains(&key)
    }

    /// Whether a node may write the key, by the rules of the release, or the run starts with it.
    #[must_use]
    pub fn is_producible(&self, key: &str) -> bool {
        self.is_ambient(key) || self.is_input(key) || self.writers.contains_key(key)
    }

    /// Whether the memory may contain the key when a run ends, whatever the release checks.
    #[must_use]
    pub fn may_hold(&self, key: &str) -> bool {
        let left = || self.access.iter().flat_map(|access| &access.leaves).cloned().collect();
        let is_written = !self.wildcard_writers.is_empty() || self.writers.contains_key(key);
        is_written || self.is_input(key) || self.left.get_or_init(left).contains(key)
    }

    /// Whether the graph declares the key as an input.
    #[must_use]
    pub fn is_input(&self, key: &str) -> bool {
        self.inputs.contains(key)
    }

    fn connect(&mut self, graph: &Graph) {
        for (position, (source, target)) in self.ends.iter().enumerate() {
            if let Some(source) = source {
                self.outgoing[*source].push(position);
            }
            if let Some(target) = target {
                self.incoming[*target].push(position);
            }
        }
        for (position, node) in graph.nodes.iter().enumerate() {
            if self.meant[position] == position {
                let targets =
                    handed_ids(node).into_iter().filter_map(|id| self.by_id.get(&id.value).copied());
                self.handed[position] = targets.collect();
            }
        }
    }

    fn list_writers(&mut self) {
        for (position, access) in self.access.iter().enumerate() {
            if access.writes_all {
                self.wildcard_writers.push(position);
            }
            for key in &access.writes {
                let writers = self.writers.entry(key.clone()).or_default();
                if writers.last() != Some(&position) {
                    writers.push(position);
                }
            }
        }
    }
}

/// The ids of the nodes to which a node can hand over a run without an edge. Includes settings that its type does not use.
#[must_use]
pub fn handed_ids(node: &GraphNode) -> Vec<&Located<SmolStr>> {
    let works = std::iter::once(&node.work).chain(&node.idle);
    let hand_overs = works.flat_map(|work: &AnyWork| work.hand_overs());
    let handed = hand_overs.filter(|hand_over| hand_over.kind != HandOverKind::Violation);
    handed.map(|hand_over| hand_over.target).collect()
}

/// The name at an end of an edge.
fn name_of(end: &Option<Endpoint>) -> Option<&SmolStr> {
    end.as_ref().map(|end| &end.name.value)
}

/// Whether an edge comes from a node, and not from the place where runs begin or end.
fn comes_from_a_node(edge: &GraphEdge) -> bool {
    edge.source.as_ref().is_none_or(|source| !matches!(source.role, EndpointRole::Start | EndpointRole::End))
}
