//! Nodes that do what cannot be undone before anyone decides. Input: a graph that no other graph of the project runs, and what
//! its system says about each node. Output: those nodes, each with the shortest path from the start. Invariant: a graph of which
//! nothing is known, and one that has a check, counts as a check, so that nothing is reported behind it.

use nodewise_model::Origin;
use nodewise_model::graph::{EdgeGuard, GraphNode};
use rustc_hash::FxHashSet;

use super::effects;
use super::trust::{self, DEPTH_MAX, GraphPlace, NodeTrust, STEPS_MAX, TrustOf, TrustedGraph};
use crate::diagnostic::Finding;
use crate::flows::{FlowRole, FlowSearch, FlowStep};
use crate::rule::{Context, Report};
use crate::rules::graph_findings;
use crate::steps::StepBudget;

/// A node that does something irreversible before a person or a check decides.
struct UnapprovedNode {
    node: usize,
    action: String,
    /// The nodes that a run visits before it, in order.
    before: Vec<usize>,
}

/// What a graph does before a person or a check decides in it.
struct UnapprovedGraph {
    nodes: Vec<UnapprovedNode>,
    /// Whether a person or a check decides anywhere in the graph.
    has_check: bool,
}

/// Reports nodes that do something irreversible before a person or a check decides. Nodes that act on untrusted text are
/// left out, because another finding covers them.
pub(in crate::rules) fn report_unapproved(
    context: &Context<'_>,
    trust_of: TrustOf,
    is_real: fn(&TrustedGraph<'_>, &[FlowStep]) -> bool,
    report: &mut Report,
) {
    let mut found = Vec::new();
    for document in context.documents() {
        let Some(effective) = context.index.effective(document) else { continue };
        let Some(declaration) = &effective.declaration else { continue };
        for (part, (graph, facts)) in context.facts_of(effective).enumerate() {
            if graph.is_fragment || context.index.is_run_by_another((document.id, part)) {
                continue;
            }
            let place = GraphPlace { document: document.id, declaration, graph, facts };
            let steps = StepBudget::new(STEPS_MAX);
            let unapproved = unapproved(context, place, trust_of, (DEPTH_MAX, &steps));
            found.extend(unapproved.nodes.into_iter().map(|node| (place, node)));
        }
    }
    if found.is_empty() {
        return;
    }
    let tainted: FxHashSet<Origin> = trust::graphs(context, trust_of)
        .iter()
        .flat_map(|trusted| {
            let real = trusted.effects().into_iter().filter(|(_, path)| is_real(trusted, path));
            real.map(|(node, _)| trusted.place.graph.nodes[node].head).collect::<Vec<_>>()
        })
        .collect();
    let is_own = |(place, unapproved): &&(GraphPlace<'_>, UnapprovedNode)| {
        !tainted.contains(&place.graph.nodes[unapproved.node].head)
    };
    found.iter().filter(is_own).for_each(|(place, unapproved)| report.push(finding(*place, unapproved)));
}

fn finding(place: GraphPlace<'_>, unapproved: &UnapprovedNode) -> Finding {
    let node = &place.graph.nodes[unapproved.node];
    let name = graph_findings::named(node);
    let finding = Finding::new(
        graph_findings::id_place(node),
        format!("{name} acts, and no person or check decides before it"),
    )
    .label(format!("it {}", unapproved.action))
    .help("add an approval before it, or list the tool as `harmless` in `[security]`");
    unapproved.before.iter().take(effects::SHOWN_MAX).fold(finding, |finding, before| {
        let before = &place.graph.nodes[*before];
        let text = format!("the run visits {}", graph_findings::named(before));
        finding.related(graph_findings::id_place(before), text)
    })
}

/// What a graph does before a person or a check decides.
fn unapproved<'a>(
    context: &Context<'a>,
    place: GraphPlace<'a>,
    trust_of: TrustOf,
    (depth, steps): (usize, &StepBudget),
) -> UnapprovedGraph {
    let unknown = || NodeTrust { is_check: true, ..NodeTrust::default() };
    let of_node = |node: &'a GraphNode| {
        if !steps.take() {
            return unknown();
        }
        let Some(call) = node.work.call() else { return trust_of(context, place, node) };
        let reference = call.graph.as_ref().filter(|_| depth > 0);
        let inner = reference.and_then(|reference| trust::run_graph(context, place, reference));
        let (Some(reference), Some(inner)) = (reference, inner) else { return unknown() };
        let inner = unapproved(context, inner, trust_of, (depth - 1, steps));
        let irreversible = inner.nodes.first().map(|one| trust::of_call(&reference.name, &one.action));
        NodeTrust { irreversible, is_check: inner.has_check, ..NodeTrust::default() }
    };
    let nodes: Vec<NodeTrust> = place.graph.nodes.iter().map(of_node).collect();
    let has_check = nodes.iter().any(|node| node.is_check);
    if nodes.iter().all(|node| node.irreversible.is_none()) {
        return UnapprovedGraph { nodes: Vec::new(), has_check };
    }
    let role = |(position, node): (usize, &NodeTrust)| {
        let is_last = chooses_check(place, &nodes, position);
        FlowRole { is_check: node.is_check, is_last, ..FlowRole::default() }
    };
    let roles: Vec<FlowRole> = nodes.iter().enumerate().map(role).collect();
    let search = FlowSearch { graph: place.graph, facts: place.facts, roles: &roles, steps };
    let found = search.unchecked().into_iter().filter_map(|(node, before)| {
        let action = nodes[node].irreversible.clone()?;
        Some(UnapprovedNode { node, action, before })
    });
    UnapprovedGraph { nodes: found.collect(), has_check }
}

/// Whether a node chooses between a check and other nodes. Then the author has decided what happens without the check.
fn chooses_check(place: GraphPlace<'_>, nodes: &[NodeTrust], position: usize) -> bool {
    let outgoing = place.facts.outgoing(position);
    let mut guards = outgoing.iter().filter_map(|edge| Some(&place.graph.edges.get(*edge)?.guard));
    let chooses = place.graph.nodes[position].work.condition().is_some()
        || guards.any(|guard| matches!(guard, EdgeGuard::When(_)));
    chooses && place.facts.next(position).any(|next| nodes[next].is_check)
}
