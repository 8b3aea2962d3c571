//! What the rules about AgentOS graphs share: the guardrail policies, the nodes that choices name, where nodes keep
//! their output.

use nodewise_model::Located;
use nodewise_model::agentos::Work;
use nodewise_model::graph::{
    EdgeGuard, Endpoint, EndpointRole, Graph, GraphNode, GuardrailPolicy, HostPolicies,
};
use smol_str::SmolStr;

use crate::graphs::GraphFacts;
use crate::rule::Context;
use crate::suggest::nearest;

/// The guardrail policies of all nodes and edges in a file.
pub(in crate::rules) fn guardrail_policies<'a>(
    context: &Context<'a>,
) -> impl Iterator<Item = &'a GuardrailPolicy> + use<'a> {
    let of_nodes = context.graph_nodes().filter_map(|node| node.host.as_deref());
    let of_edges =
        context.whole_graphs().flat_map(|(graph, _)| &graph.edges).filter_map(|edge| edge.host.as_deref());
    of_nodes.chain(of_edges).filter_map(|host| host.guardrails.as_ref())
}

/// Whether an edge with a misspelt end probably leads from the router to the node `name`. `unknown-node` reports the end.
pub(in crate::rules) fn has_misspelt_edge(
    context: &Context<'_>,
    (graph, facts): (&Graph, &GraphFacts),
    router: usize,
    name: &str,
) -> bool {
    if context.file.settings.is_literal || facts.node(name).is_none() {
        return false;
    }
    let router = graph.nodes.get(router).and_then(|node| node.id.as_ref()).map_or("", |id| &id.value);
    let is_meant = |end: &Option<Endpoint>, id: &str| {
        let named =
            end.as_ref().filter(|end| end.role == EndpointRole::Node).map(|end| end.name.value.as_str());
        named
            .is_some_and(|named| named == id || facts.node(named).is_none() && nearest(named, [id]).is_some())
    };
    graph.edges.iter().any(|edge| is_meant(&edge.source, router) && is_meant(&edge.target, name))
}

/// A node that a choice names, in addition to the targets of edges.
pub(in crate::rules) struct Chosen<'a> {
    /// The id of the node that chooses.
    pub(in crate::rules) source: Option<&'a str>,
    pub(in crate::rules) target: &'a Located<SmolStr>,
    /// Whether the choice can have this result.
    pub(in crate::rules) is_possible: bool,
}

/// All nodes that choices name, except the two outcomes of a personality edge.
pub(in crate::rules) fn chosen(graph: &Graph) -> impl Iterator<Item = Chosen<'_>> {
    let of_nodes = graph.nodes.iter().flat_map(|node| {
        let source = node.id.as_ref().map(|id| id.value.as_str());
        chosen_by(node).into_iter().map(move |(target, is_possible)| Chosen { source, target, is_possible })
    });
    let of_edges = graph.edges.iter().flat_map(|edge| {
        let source = edge.source.as_ref().map(|source| source.name.value.as_str());
        let fallback = match &edge.guard {
            EdgeGuard::Discovery(search) => search.fallback.as_ref(),
            _ => None,
        };
        let targets = fallback.into_iter().chain(rerouted(edge.host.as_deref()));
        targets.map(move |target| Chosen { source, target, is_possible: true })
    });
    of_nodes.chain(of_edges)
}

fn chosen_by(node: &GraphNode) -> Vec<(&Located<SmolStr>, bool)> {
    let mut names: Vec<_> = rerouted(node.host.as_deref()).map(|name| (name, true)).into_iter().collect();
    match Work::of(node) {
        Work::Guardrail(guardrail) => names.extend(guardrail.reroute.as_ref().map(|name| (name, true))),
        Work::Voice(voice) => names.extend(node.execution.exits.iter().filter_map(|exit| {
            Some((exit.target.as_ref()?, exit.kind.as_ref().is_some_and(|reason| voice.can_end(reason))))
        })),
        _ => {}
    }
    names
}

fn rerouted(host: Option<&HostPolicies>) -> Option<&Located<SmolStr>> {
    host.and_then(|host| host.guardrails.as_ref()).and_then(|policy| policy.reroute.as_ref())
}

/// The key of the artifact that contains the node's output; `None` for nodes that only route.
pub(in crate::rules) fn artifact(node: &GraphNode) -> Option<&Located<SmolStr>> {
    match Work::of(node) {
        Work::Router(_) | Work::Unknown => None,
        _ => node.execution.output_as.as_ref().or(node.id.as_ref()),
    }
}
