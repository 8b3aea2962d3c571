//! What the rules about AgentOS graphs share: the guardrail policies, where nodes keep their output, the graph that
//! a subgraph node runs.

use nodewise_model::graph::{GraphNode, GuardrailPolicy};
use nodewise_model::work::Work;
use nodewise_model::{Declaration, Located, Reference};
use smol_str::SmolStr;

use crate::index::Resolution;
use crate::rule::Context;

/// The guardrail policies of the nodes and edges of a file of AgentOS.
pub(super) fn guardrail_policies<'a>(
    context: &Context<'a>,
) -> impl Iterator<Item = &'a GuardrailPolicy> + use<'a> {
    let of_nodes = context.steps().filter_map(|node| node.host.as_deref());
    let of_edges =
        context.flows().flat_map(|(graph, _)| &graph.edges).filter_map(|edge| edge.host.as_deref());
    of_nodes.chain(of_edges).filter_map(|host| host.guardrails.as_ref())
}

/// Where the node's output is kept among the artifacts; none for nodes that only route.
pub(super) fn artifact(node: &GraphNode) -> Option<&Located<SmolStr>> {
    match node.work {
        Work::Router(_) | Work::Unknown => None,
        _ => node.conduct.output_as.as_ref().or(node.id.as_ref()),
    }
}

/// The declaration that a reference leads to.
pub(super) fn declaration<'a>(context: &Context<'a>, reference: &Reference) -> Option<&'a Declaration> {
    let Resolution::To(declared) = context.index.resolve(reference) else { return None };
    let document =
        context.source(declared.document.source)?.documents.get(declared.document.position as usize)?;
    context.index.effective(document)?.declaration.as_ref()
}
