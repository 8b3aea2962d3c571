//! What the rules about trust share: which nodes bring in untrusted text, act outside of the run, or check what comes by.
//!
//! Input: a graph, and what its system says about each node. Output: the same for every node, with the nodes that run other
//! graphs, and the flows between them. Invariant: a node that runs a graph of which nothing is known checks, so that nothing is
//! reported behind it.

use nodewise_model::graph::{Graph, GraphNode};
use nodewise_model::{Declaration, Reference};
use smol_str::SmolStr;

use crate::facts::DocumentId;
use crate::flows::{FlowRole, FlowSearch, FlowStep, Flows};
use crate::graphs::GraphFacts;
use crate::rule::Context;
use crate::rules::state::subgraph_calls;
use crate::rules::wording::short;
use crate::steps::StepBudget;

/// The most steps of all searches in one graph.
pub(super) const STEPS_MAX: u32 = 500_000;

/// Graphs that are nested deeper than this count as unknown.
pub(super) const DEPTH_MAX: usize = 8;

/// How a node handles untrusted text.
#[derive(Debug, Clone, Default)]
pub(in crate::rules) struct NodeTrust {
    /// How the node brings in untrusted text, as a phrase for messages: "calls `web_search`". `None` if it does not.
    pub(in crate::rules) source: Option<String>,
    /// What the node changes outside the run: "calls `pay_card`".
    pub(in crate::rules) effect: Option<String>,
    /// What the node does that cannot be undone, as a phrase for messages.
    pub(in crate::rules) irreversible: Option<String>,
    /// Whether a person or a check decides at the node.
    pub(in crate::rules) is_check: bool,
    /// Whether what the node writes depends on what it reads.
    pub(in crate::rules) is_carrier: bool,
}

#[derive(Clone, Copy)]
pub(in crate::rules) struct GraphPlace<'a> {
    pub(in crate::rules) document: DocumentId,
    pub(in crate::rules) declaration: &'a Declaration,
    pub(in crate::rules) graph: &'a Graph,
    pub(in crate::rules) facts: &'a GraphFacts,
}

/// A system's function that says how a node handles untrusted text.
pub(in crate::rules) type TrustOf = fn(&Context<'_>, GraphPlace<'_>, &GraphNode) -> NodeTrust;

/// The paths of untrusted text in a graph.
pub(in crate::rules) struct TrustedGraph<'a> {
    pub(in crate::rules) place: GraphPlace<'a>,
    /// How each node handles untrusted text, by position.
    pub(in crate::rules) nodes: Vec<NodeTrust>,
    /// The nodes that untrusted text can get to.
    pub(in crate::rules) flows: Flows,
    /// Whether the search stopped early because it exceeded its limit.
    pub(in crate::rules) is_partial: bool,
}

/// The phrase for a node that runs a graph which does `action`.
pub(super) fn of_call(graph: &str, action: &str) -> String {
    format!("runs `{}`, which {action}", short(graph))
}

/// The paths of untrusted text in each graph of a file that has any.
pub(in crate::rules) fn graphs<'a>(context: &Context<'a>, trust_of: TrustOf) -> Vec<TrustedGraph<'a>> {
    let mut found = Vec::new();
    for document in context.documents() {
        let Some(effective) = context.index.effective(document) else { continue };
        let Some(declaration) = &effective.declaration else { continue };
        for (graph, facts) in context.facts_of(effective).filter(|(graph, _)| !graph.is_fragment) {
            let place = GraphPlace { document: document.id, declaration, graph, facts };
            let steps = StepBudget::new(STEPS_MAX);
            found.extend(trusted(context, place, trust_of, &[], (DEPTH_MAX, &steps)));
        }
    }
    found
}

/// The paths of untrusted text in a graph; `None` if nothing brings untrusted text in.
fn trusted<'a>(
    context: &Context<'a>,
    place: GraphPlace<'a>,
    trust_of: TrustOf,
    given: &[SmolStr],
    (depth, steps): (usize, &StepBudget),
) -> Option<TrustedGraph<'a>> {
    let nodes: Vec<NodeTrust> = place
        .graph
        .nodes
        .iter()
        .map(|node| match node.work.call() {
            _ if !steps.take() => NodeTrust::default(),
            Some(_) => called(context, place, node, trust_of, (depth, steps)),
            None => trust_of(context, place, node),
        })
        .collect();
    if given.is_empty() && nodes.iter().all(|node| node.source.is_none()) {
        return None;
    }
    let role = |node: &NodeTrust| FlowRole {
        is_source: node.source.is_some(),
        is_check: node.is_check,
        is_carrier: node.is_carrier,
        is_last: false,
    };
    let roles: Vec<FlowRole> = nodes.iter().map(role).collect();
    let search = FlowSearch { graph: place.graph, facts: place.facts, roles: &roles, steps };
    let flows = search.run(given);
    Some(TrustedGraph { place, nodes, flows, is_partial: steps.is_out() })
}

/// How a node that runs another graph handles untrusted text. A graph that is unknown or contains a check counts as a
/// check.
fn called<'a>(
    context: &Context<'a>,
    place: GraphPlace<'a>,
    node: &'a GraphNode,
    trust_of: TrustOf,
    (depth, steps): (usize, &StepBudget),
) -> NodeTrust {
    let unknown = NodeTrust { is_check: true, ..NodeTrust::default() };
    let Some(call) = node.work.call() else { return unknown };
    let Some(reference) = call.graph.as_ref().filter(|_| depth > 0 && steps.take()) else { return unknown };
    let Some(inner) = run_graph(context, place, reference) else { return unknown };
    let within = (depth - 1, steps);
    let given: Vec<SmolStr> =
        call.inputs.iter().filter_map(|mapping| Some(mapping.to.as_ref()?.value.clone())).collect();
    let all = trusted(context, inner, trust_of, &given, within);
    if all.as_ref().is_some_and(|all| all.nodes.iter().any(|node| node.is_check)) {
        return unknown;
    }
    let is_mapped = |key: &str| call.outputs.iter().any(|mapping| mapping.from.value == key);
    let own = trusted(context, inner, trust_of, &[], within);
    let source = own.and_then(|own| {
        let leaves = |position: &usize| {
            let access = &own.place.facts.access[*position];
            access.leaves.iter().chain(&access.writes).any(|key| is_mapped(key))
        };
        let first = own.flows.moves().iter().map(|(position, _)| *position).find(leaves)?;
        let path = own.flows.path(first)?;
        let action = own.nodes[path.first()?.node].source.as_ref()?;
        Some(of_call(&reference.name, action))
    });
    let effect = all.and_then(|all| {
        let acts = |position: &usize| all.nodes[*position].effect.is_some() && all.flows.reach(*position);
        let position = (0..all.nodes.len()).find(acts)?;
        Some(of_call(&reference.name, all.nodes[position].effect.as_ref()?))
    });
    NodeTrust { source, effect, is_carrier: true, ..NodeTrust::default() }
}

/// The graph to which a reference leads, if the project declares it.
pub(super) fn run_graph<'a>(
    context: &Context<'a>,
    place: GraphPlace<'a>,
    reference: &Reference,
) -> Option<GraphPlace<'a>> {
    let declared = context.index.meant(place.document, reference)?;
    let (graph, facts) = subgraph_calls::graph(context, (declared.document, declared.part()))?;
    let file = context.source(declared.document.source)?;
    let document = file.documents.get(declared.document.position as usize)?;
    let declaration = context.index.effective(document)?.declaration.as_ref()?;
    Some(GraphPlace { document: declared.document, declaration, graph, facts })
}

impl TrustedGraph<'_> {
    /// The nodes that act on untrusted text, each with the path on which the text gets there.
    pub(in crate::rules) fn effects(&self) -> Vec<(usize, Vec<FlowStep>)> {
        let acts = (0..self.nodes.len()).filter(|node| self.nodes[*node].effect.is_some());
        acts.filter_map(|node| Some((node, self.flows.path(node)?))).collect()
    }
}
