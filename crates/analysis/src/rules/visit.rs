//! What the rules about single nodes of graphs share: every node with all that is known of it, and which nodes a run
//! visits by themselves. In: the file; out: nodes in order of the document. Each walk is linear in nodes and edges.

use nodewise_model::Origin;
use nodewise_model::graph::{Graph, GraphNode};
use nodewise_model::work::{Swarm, Work};
use rustc_hash::FxHashSet;

use super::place;
use crate::graphs::{GraphFacts, NodeAccess};
use crate::rule::Context;

/// A node and all that is known of it.
#[derive(Clone, Copy)]
pub(super) struct Visit<'a> {
    /// Its graph.
    pub graph: &'a Graph,
    /// What is known of the graph.
    pub facts: &'a GraphFacts,
    /// The node.
    pub node: &'a GraphNode,
    /// Its position in the graph.
    pub position: usize,
    /// What it reads and writes.
    pub access: &'a NodeAccess,
}

/// The nodes of all graphs of a file.
pub(super) fn nodes<'a>(context: &Context<'a>) -> impl Iterator<Item = Visit<'a>> + use<'a> {
    context.graphs_with_facts().flat_map(|(graph, facts)| of_graph(graph, facts))
}

/// The nodes of a graph.
pub(super) fn of_graph<'a>(graph: &'a Graph, facts: &'a GraphFacts) -> impl Iterator<Item = Visit<'a>> {
    let nodes = graph.nodes.iter().zip(&facts.access).enumerate();
    nodes.map(move |(position, (node, access))| Visit { graph, facts, node, position, access })
}

/// The node that an id means.
pub(super) fn node<'a>(graph: &'a Graph, facts: &GraphFacts, id: &str) -> Option<&'a GraphNode> {
    graph.nodes.get(facts.node(id)?)
}

/// A key as it is written, without the quotes of JSON.
pub(super) fn key<'a>(context: &Context<'a>, at: Origin) -> &'a str {
    place::source(context, at).trim_matches(['"', '\''])
}

/// The ids of the nodes that a run visits by themselves: at the start, over an edge, chosen by a supervisor, a peer
/// or a rejection. The worker of a map is not visited but run inside the map.
pub(super) fn visited_ids(graph: &Graph) -> FxHashSet<&str> {
    let mut ids: FxHashSet<&str> = graph.start.iter().map(|start| start.value.as_str()).collect();
    ids.extend(graph.edges.iter().filter_map(|edge| Some(edge.target.as_ref()?.name.value.as_str())));
    for node in &graph.nodes {
        match &node.work {
            Work::Supervisor(supervisor) => ids.extend(supervisor.managed.iter().map(|id| id.value.as_str())),
            Work::Human(human) => ids.extend(human.rejection.iter().map(|id| id.value.as_str())),
            _ => ids.extend(
                working_swarm(node).iter().flat_map(|swarm| &swarm.peers).map(|peer| peer.value.as_str()),
            ),
        }
    }
    ids
}

/// The swarm of an agent, unless the agent anneals: then nothing reads it.
pub(super) fn working_swarm(node: &GraphNode) -> Option<&Swarm> {
    match &node.work {
        Work::Agent(agent) if agent.annealing.is_none() => agent.swarm.as_deref(),
        _ => None,
    }
}

/// The agent's plain text is an answer of the node's: an agent node, or a synthesizer with an agent.
pub(super) fn answers_in_text(node: &GraphNode) -> bool {
    match node.work {
        Work::Agent(_) | Work::Synthesizer => node.agent.is_some(),
        _ => false,
    }
}
