//! What is known of a graph as a whole: which node an id means, where each node leads, what a run can reach, which
//! keys of the state each node reads and writes. In: a graph of the model; out: facts by position of the node.
//! Computed once for each graph, in linear time; nothing here looks at another file.

mod access;
mod flow;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use nodewise_model::Located;
use nodewise_model::graph::{EndpointRole, Graph, GraphEdge, GraphNode};
use nodewise_model::work::{Swarm, Work};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::near::{Names, meant};
pub use access::{
    AMBIENT, HANDOFF_KEY, HUMAN_KEYS, NodeAccess, WILDCARD, implied_results, is_hidden, top_level,
};
pub use flow::Reach;

/// Among more keys a part of a name does not stand for the whole.
const PARTS_MAX: usize = 200;

/// What is known of a graph as a whole.
#[derive(Debug)]
pub struct GraphFacts {
    /// The node that an id means: the last of that id.
    by_id: FxHashMap<SmolStr, usize>,
    /// For each node the one that its id means; nodes without id mean themselves.
    meant: Vec<usize>,
    /// For each edge the node that it leads to, if there is one.
    targets: Vec<Option<usize>>,
    /// For each meant node the positions of the edges that leave it, in order.
    outgoing: Vec<Vec<usize>>,
    /// For each meant node the nodes that it can hand a run to without an edge.
    handed: Vec<Vec<usize>>,
    /// What a run can reach from the start.
    pub reach: Reach,
    /// For each meant node whether a run visits it by itself.
    visited: Vec<bool>,
    /// The nodes on the shortest way from the start to where a run may be over; `None` where there is no way.
    pub shortest_run: Option<usize>,
    /// Whether edges lead back to a node that they left.
    pub has_cycle: bool,
    /// What each node reads and writes.
    pub access: Vec<NodeAccess>,
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
        let id = |node: &GraphNode| node.id.as_ref().map(|id| id.value.clone());
        let by_id: FxHashMap<SmolStr, usize> = graph
            .nodes
            .iter()
            .enumerate()
            .filter_map(|(position, node)| Some((id(node)?, position)))
            .collect();
        let mean = |(position, node): (usize, &GraphNode)| {
            id(node).and_then(|id| by_id.get(&id).copied()).unwrap_or(position)
        };
        let meant: Vec<usize> = graph.nodes.iter().enumerate().map(mean).collect();
        let target = |edge: &GraphEdge| by_id.get(&edge.target.as_ref()?.name.value).copied();
        let mut facts = GraphFacts {
            targets: graph.edges.iter().map(target).collect(),
            outgoing: vec![Vec::new(); graph.nodes.len()],
            handed: vec![Vec::new(); graph.nodes.len()],
            by_id,
            meant,
            reach: Reach::default(),
            visited: Vec::new(),
            shortest_run: None,
            has_cycle: false,
            access: Vec::new(),
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
        facts.reach = flow::reach(graph, &facts);
        facts.visited = flow::visited(graph, &facts);
        facts.shortest_run = flow::shortest_run(graph, &facts);
        facts.has_cycle = flow::has_cycle(graph, &facts);
        facts.access = access::of_graph(graph, &facts);
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
            let keys: Vec<&str> = self.writers.keys().chain(&self.inputs).map(SmolStr::as_str).collect();
            // A part of a name stands for the whole where few are there: `results` for `all_results`.
            (keys.len() <= PARTS_MAX).then(|| meant(word, &keys)).flatten()
        })
    }

    /// The keys that nodes write.
    pub(crate) fn written_keys(&self) -> impl Iterator<Item = &str> {
        self.writers.keys().map(SmolStr::as_str)
    }

    /// The positions of the edges that leave the node that is meant at `position`, in order.
    #[must_use]
    pub fn outgoing(&self, position: usize) -> &[usize] {
        self.outgoing.get(self.meant(position)).map(Vec::as_slice).unwrap_or_default()
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
                    for key in access.leaves.iter().filter(|key| *key != HANDOFF_KEY) {
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
    pub fn is_ambient(key: &str) -> bool {
        access::AMBIENT.contains(&key)
    }

    /// Whether some node may write the key, as the release counts it, or the run brings it.
    #[must_use]
    pub fn is_producible(&self, key: &str) -> bool {
        GraphFacts::is_ambient(key) || self.is_input(key) || self.writers.contains_key(key)
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
        for (position, edge) in graph.edges.iter().enumerate() {
            let Some(source) = edge.source.as_ref().filter(|end| end.role == EndpointRole::Node) else {
                continue;
            };
            if let Some(from) = self.by_id.get(&source.name.value) {
                self.outgoing[*from].push(position);
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

/// The swarm of an agent, unless the agent anneals: then nothing reads it.
#[must_use]
pub fn working_swarm(node: &GraphNode) -> Option<&Swarm> {
    match &node.work {
        Work::Agent(agent) if agent.annealing.is_none() => agent.swarm.as_deref(),
        _ => None,
    }
}

/// The ids of the nodes that a node can hand a run to without an edge, whatever runs there itself.
#[must_use]
pub fn handed_ids(node: &GraphNode) -> Vec<&Located<SmolStr>> {
    let mut ids = Vec::new();
    for work in std::iter::once(&node.work).chain(&node.idle) {
        match work {
            Work::Supervisor(supervisor) => ids.extend(&supervisor.managed),
            Work::Map(map) => ids.extend(map.worker.iter().chain(&map.synthesizer)),
            Work::Agent(agent) => ids.extend(agent.swarm.iter().flat_map(|swarm| &swarm.peers)),
            Work::Human(human) => ids.extend(&human.rejection),
            Work::Tool(_)
            | Work::Router(_)
            | Work::Subgraph(_)
            | Work::Model(_)
            | Work::Extension(_)
            | Work::Guardrail(_)
            | Work::Voice(_)
            | Work::Synthesizer
            | Work::RemoteAgent(_)
            | Work::Voting(_)
            | Work::Evolution(_)
            | Work::Verifier(_)
            | Work::Reflection(_)
            | Work::Unknown => {}
        }
    }
    ids
}
