//! What the rules about single nodes of graphs share: every node with all that is known of it, and which nodes a run
//! visits by themselves. In: the file; out: nodes in order of the document. Each walk is linear in nodes and edges.

use nodewise_model::Origin;
use nodewise_model::cycgraph::Work;
use nodewise_model::graph::{Graph, GraphNode};

use crate::graphs::GraphFacts;
use crate::rule::Context;
use crate::rules::ranges;
use nodewise_model::state::NodeAccess;

/// A node with its graph and the facts about both.
#[derive(Clone, Copy)]
pub(in crate::rules) struct Visit<'a> {
    pub graph: &'a Graph,
    /// The facts of the graph.
    pub facts: &'a GraphFacts,
    pub node: &'a GraphNode,
    /// The position of the node in the graph.
    pub position: usize,
    /// The keys that the node reads and writes.
    pub access: &'a NodeAccess,
}

/// All nodes in the graphs of a file.
pub(in crate::rules) fn nodes<'a>(context: &Context<'a>) -> impl Iterator<Item = Visit<'a>> + use<'a> {
    context.graphs_with_facts().flat_map(|(graph, facts)| of_graph(graph, facts))
}

/// The nodes of a graph.
pub(in crate::rules) fn of_graph<'a>(
    graph: &'a Graph,
    facts: &'a GraphFacts,
) -> impl Iterator<Item = Visit<'a>> {
    let nodes = graph.nodes.iter().zip(&facts.access).enumerate();
    nodes.map(move |(position, (node, access))| Visit { graph, facts, node, position, access })
}

/// The node to which an id refers.
pub(in crate::rules) fn node<'a>(graph: &'a Graph, facts: &GraphFacts, id: &str) -> Option<&'a GraphNode> {
    graph.nodes.get(facts.node(id)?)
}

/// A key as it is written, without quotes.
pub(in crate::rules) fn key<'a>(context: &Context<'a>, at: Origin) -> &'a str {
    ranges::source(context, at).trim_matches(['"', '\''])
}

/// Whether the node's result is the plain text of its agent: it is an agent node, or a synthesizer with an agent.
pub(in crate::rules) fn answers_in_text(node: &GraphNode) -> bool {
    match Work::of(node) {
        Work::Agent(_) | Work::Synthesizer => node.agent.is_some(),
        _ => false,
    }
}
