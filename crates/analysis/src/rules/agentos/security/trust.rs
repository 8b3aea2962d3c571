//! What nodes of AgentOS mean to untrusted text. Tools get the arguments of the document and no state, so that untrusted text
//! acts through them only where it decides that they run. Extensions get the scratch part.

use nodewise_dialect::tables::agentos::{PURE_EFFECT, READ_EFFECT};
use nodewise_model::agentos::Work;
use nodewise_model::graph::{EdgeCondition, EdgeGuard, Graph, GraphNode};
use nodewise_model::work::WorkKind;

use crate::flows::FlowStep;
use crate::rule::Context;
use crate::rules::security::trust::{GraphPlace, NodeTrust, TrustedGraph};
use crate::rules::wording::short;

/// How a node handles untrusted text.
pub(super) fn trust_of(context: &Context<'_>, _: GraphPlace<'_>, node: &GraphNode) -> NodeTrust {
    let security = &context.file.settings.security;
    let (mut source, mut effect, mut irreversible) = (None, None, None);
    let name = match Work::of(node) {
        Work::Tool(tool) => tool.tool.as_ref(),
        Work::Extension(extension) => {
            let says = |name: &&_| security.acts(name) || security.brings_in(name);
            let method = extension.method.as_ref().filter(|method| says(&method.value.as_str()));
            method.or(extension.extension.as_ref())
        }
        _ => None,
    };
    if let Some(name) = name {
        let described = || format!("calls `{}`", short(&name.value));
        source = security.brings_in(&name.value).then(described);
        effect = (security.acts(&name.value) && !is_harmless(node)).then(described);
        irreversible = (security.is_irreversible(&name.value) && !is_harmless(node)).then(described);
    }
    if let Work::Voice(voice) = Work::of(node)
        && !voice.speaks_only
    {
        source = Some("listens to a caller".to_owned());
    }
    let guardrails = node.host.as_ref().and_then(|host| host.guardrails.as_ref());
    let looks = guardrails.is_some_and(|policy| !policy.input.is_empty());
    NodeTrust { source, effect, irreversible, is_check: looks || decides(node), is_carrier: false }
}

/// Whether a person or a guardrail decides at the node. Automatic approval is not a decision.
fn decides(node: &GraphNode) -> bool {
    match Work::of(node) {
        Work::Human(human) => {
            let accepts = human.automation.as_ref().and_then(|automation| automation.auto_accept.as_ref());
            !accepts.is_some_and(|accepts| accepts.value)
        }
        _ => node.work.kind() == WorkKind::Judge,
    }
}

/// Whether the node declares that it changes nothing outside the run.
fn is_harmless(node: &GraphNode) -> bool {
    let effect = node.execution.effect.as_ref();
    effect.is_some_and(|effect| effect.value == PURE_EFFECT || effect.value == READ_EFFECT)
}

/// Whether the text has a way to act: a choice by the state on the path, or the scratch part for an extension.
pub(super) fn is_real(trusted: &TrustedGraph<'_>, path: &[FlowStep]) -> bool {
    let (graph, facts) = (trusted.place.graph, trusted.place.facts);
    let (Some(first), Some(last)) = (path.first(), path.last()) else { return false };
    let Some(parts) = &graph.conventions.parts else { return false };
    let takes_scratch = matches!(Work::of(&graph.nodes[last.node]), Work::Extension(_) | Work::Subgraph(_));
    let access = &facts.access[first.node];
    let leaves_scratch = access.leaves_any_of.contains(&parts.scratch)
        || access.leaves.iter().any(|key| key.starts_with(parts.scratch));
    let chooses = |pair: &[FlowStep]| {
        let is_state = |condition: &EdgeCondition| match condition {
            EdgeCondition::Expression(Some(condition)) => {
                condition.text.contains(parts.scratch) || condition.text.contains(parts.artifacts)
            }
            EdgeCondition::Expression(None) | EdgeCondition::Function(_) => false,
        };
        let by_node = graph.nodes[pair[0].node].work.condition().is_some_and(is_state);
        by_node
            || edges(graph, trusted, pair)
                .any(|edge| matches!(edge, EdgeGuard::When(Some(condition)) if is_state(condition)))
    };
    path.len() > 1 && takes_scratch && leaves_scratch || path.windows(2).any(chooses)
}

/// What decides about the edges between two nodes.
fn edges<'a>(
    graph: &'a Graph,
    trusted: &'a TrustedGraph<'_>,
    pair: &'a [FlowStep],
) -> impl Iterator<Item = &'a EdgeGuard> {
    let facts = trusted.place.facts;
    let leaving = facts.outgoing(pair[0].node).iter();
    let between = leaving.filter(|edge| facts.target(**edge) == Some(pair[1].node));
    between.filter_map(|edge| Some(&graph.edges.get(*edge)?.guard))
}
