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

/// Among more keys a part of a name does not stand for the whole.
const PARTS_MAX: usize = 200;

/// What is known of a graph as a whole.
#[derive(Debug)]
pub struct GraphFacts {
    /// The node that an id means.
    by_id: FxHashMap<SmolStr, usize>,
    /// For each node the one that its id means; nodes without id mean themselves.
    meant: Vec<usize>,
    /// The nodes at both ends of each edge, where they are nodes.
    ends: Vec<(Option<usize>, Option<usize>)>,
    /// For each meant node the positions of the edges that leave it, in order.
    outgoing: Vec<Vec<usize>>,
    /// For each meant node the positions of the edges that lead to it, in order.
    incoming: Vec<Vec<usize>>,
    /// For each meant node the nodes that it can hand a run to without an edge.
    handed: Vec<Vec<usize>>,
    /// For each meant node whether a run can reach it from the start.
    reached: Vec<bool>,
    /// For each meant node whether a run visits it by itself.
    visited: Vec<bool>,
    /// The nodes on the shortest way from the start to where a run may be over; `None` where there is no way.
    pub shortest_run: Option<usize>,
    /// Nodes that lead to one another, once a rule asked.
    circles: OnceLock<Circles>,
    /// Which nodes run together, in a system whose nodes wait for one another.
    batches: Batches,
    /// What each node reads and writes.
    pub access: Vec<NodeAccess>,
    /// How nodes read and write the state.
    model: &'static dyn StateModel,
    /// Who writes each key, in order of the nodes; nodes with a wildcard are not listed.
    writers: FxHashMap<SmolStr, Vec<usize>>,
    /// The nodes that may write every key.
    pub wildcard_writers: Vec<usize>,
    /// The keys that the graph is given.
    inputs: FxHashSet<SmolStr>,
    /// From which meant node an edge leads to which id, once a rule asked.
    ways: OnceLock<FxHashSet<(usize, SmolStr)>>,
    /// The ids, ordered for suggestions when the first one is wanted.
    near: OnceLock<Names>,
    /// The keys that are written or given, likewise.
    near_keys: OnceLock<Names>,
    /// The keys that nodes can really leave in the memory, once a rule asked.
    left: OnceLock<FxHashSet<SmolStr>>,
    /// Who leaves each key in the memory, once a rule asked.
    leavers: OnceLock<FxHashMap<SmolStr, Vec<usize>>>,
}

impl GraphFacts {
    /// The facts of a graph.
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
        // An edge out of the start or the end means that place, whatever nodes are called.
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

    /// The position of the node that an id means.
    #[must_use]
    pub fn node(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }

    /// The position of the node that the id of the node at `position` means.
    #[must_use]
    pub fn meant(&self, position: usize) -> usize {
        self.meant.get(position).copied().unwrap_or(position)
    }

    /// Whether the node has an id, and its id means it.
    pub(crate) fn is_meant(&self, graph: &Graph, position: usize) -> bool {
        let has_id = graph.nodes.get(position).is_some_and(|node| node.id.is_some());
        has_id && self.meant(position) == position
    }

    /// The id nearest to a word.
    #[must_use]
    pub fn nearest(&self, word: &str) -> Option<&str> {
        self.near.get_or_init(|| Names::new(self.by_id.keys().cloned())).nearest(word, |_| true)
    }

    /// The key nearest to a word that some node writes or the run brings.
    #[must_use]
    pub fn nearest_key(&self, word: &str) -> Option<&str> {
        let keys = || self.writers.keys().chain(&self.inputs).cloned();
        let near = self.near_keys.get_or_init(|| Names::new(keys())).nearest(word, |_| true);
        near.or_else(|| {
            // A part of a name stands for the whole where few are there: `results` for `all_results`. Many are not even listed,
            // because each node of a large graph may ask.
            if self.writers.len() + self.inputs.len() > PARTS_MAX {
                return None;
            }
            let keys: Vec<&str> = self.writers.keys().chain(&self.inputs).map(SmolStr::as_str).collect();
            meant(word, &keys)
        })
    }

    /// The positions of the edges that leave the node that is meant at `position`, in order.
    #[must_use]
    pub fn outgoing(&self, position: usize) -> &[usize] {
        self.outgoing.get(self.meant(position)).map(Vec::as_slice).unwrap_or_default()
    }

    /// The positions of the edges that lead to the node that is meant at `position`, in order.
    #[must_use]
    pub fn incoming(&self, position: usize) -> &[usize] {
        self.incoming.get(self.meant(position)).map(Vec::as_slice).unwrap_or_default()
    }

    /// The node that an edge comes from, if it is one.
    #[must_use]
    pub fn source(&self, edge: usize) -> Option<usize> {
        self.ends.get(edge)?.0
    }

    /// The node that an edge leads to, if it is one.
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

    /// Whether a run can reach the node that is meant at `position` from the start.
    #[must_use]
    pub fn is_reached(&self, position: usize) -> bool {
        self.reached.get(self.meant(position)).copied().unwrap_or_default()
    }

    /// Nodes that lead to one another by edges, each circle once, from its first node on.
    #[must_use]
    pub fn circles(&self) -> &[Vec<usize>] {
        &self.known_circles().circles
    }

    /// Whether edges lead from the node back to it.
    #[must_use]
    pub fn is_circular(&self, position: usize) -> bool {
        self.known_circles().is_circular.get(position).copied().unwrap_or_default()
    }

    fn known_circles(&self) -> &Circles {
        self.circles.get_or_init(|| Circles::new(self))
    }

    /// The nodes that the node at `position` can hand a run to without an edge.
    #[must_use]
    pub fn handed(&self, position: usize) -> &[usize] {
        self.handed.get(self.meant(position)).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether an edge leads from the node at `position` to a node of that id.
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

    /// Who leaves each key in the memory, in order of the nodes. What a map's worker writes ends up in the map's results
    /// instead.
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

    /// The nodes that may write a key, wildcards left out.
    #[must_use]
    pub fn writers(&self, key: &str) -> &[usize] {
        self.writers.get(key).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether every node sees the key without a grant.
    #[must_use]
    pub fn is_ambient(&self, key: &str) -> bool {
        self.model.ambient_keys().contains(&key)
    }

    /// Whether the runtime itself writes the key, whatever a graph declares.
    #[must_use]
    pub fn is_reserved_key(&self, key: &str) -> bool {
        self.model.reserved_keys().contains(&key)
    }

    /// Whether some node may write the key, as the release counts it, or the run brings it.
    #[must_use]
    pub fn is_producible(&self, key: &str) -> bool {
        self.is_ambient(key) || self.is_input(key) || self.writers.contains_key(key)
    }

    /// Whether the memory may hold the key when a run ends, whatever the release counts.
    #[must_use]
    pub fn may_hold(&self, key: &str) -> bool {
        let left = || self.access.iter().flat_map(|access| &access.leaves).cloned().collect();
        let is_written = !self.wildcard_writers.is_empty() || self.writers.contains_key(key);
        is_written || self.is_input(key) || self.left.get_or_init(left).contains(key)
    }

    /// Whether the graph declares the key as one that it is given.
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

/// The ids of the nodes that a node can hand a run to without an edge, whatever runs there itself.
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

/// Whether an edge comes from a node, and not from where runs begin or end.
fn comes_from_a_node(edge: &GraphEdge) -> bool {
    edge.source.as_ref().is_none_or(|source| !matches!(source.role, EndpointRole::Start | EndpointRole::End))
}
