//! Runs that follow every edge that holds, and visit a node when each node before it ran or was skipped.
//!
//! Input: a scope of a trace and its graph; output: the first step that the graph does not make. Invariant: a node without a
//! known state may lead to each of its targets, or not.

use nodewise_expr::language::ConditionDecision;
use nodewise_model::graph::{EndpointRole, GraphEdge};
use smol_str::SmolStr;

use super::departure::{Departure, TracedGraph};
use super::route_graph::{EdgeResult, RouteGraph};
use crate::external_run::{ExternalStep, KnownState, NextStep};

/// The first step at which a scope leaves its graph.
pub(super) fn departure(traced: &mut TracedGraph<'_, '_>) -> Option<Departure> {
    for position in 0..traced.scope.steps.len() {
        if let Some(departure) = begins(traced, position).or_else(|| leads_elsewhere(traced, position)) {
            return Some(departure);
        }
    }
    None
}

/// The departure if the graph would not begin this visit.
fn begins(traced: &mut TracedGraph<'_, '_>, position: usize) -> Option<Departure> {
    let (graph, scope) = (traced.graph, traced.scope);
    let step = scope.steps.get(position)?;
    if graph.node(&step.node).is_none() {
        return Some(traced.not_there(position));
    }
    let before = scope.steps.get(..position)?;
    let has_run = |name: &SmolStr| before.iter().any(|step| step.node == *name);
    let is_skipped = |name: &SmolStr| scope.skipped.as_ref().is_some_and(|skipped| skipped.contains(name));
    let sources: Vec<&SmolStr> = entering(&graph, &step.node).filter_map(source_node).collect();
    let begins_at_once = entering(&graph, &step.node).count() > sources.len();
    let missing = match &scope.skipped {
        Some(_) => sources.iter().find(|name| !has_run(name) && !is_skipped(name)),
        // Some of the others may have been skipped.
        None => sources.first().filter(|_| !begins_at_once && !sources.iter().any(|name| has_run(name))),
    };
    if let Some(missing) = missing {
        let message = format!("`{}` runs before `{missing}`, which leads to it", step.node);
        let expected = Some(step.node.clone());
        return Some(traced.departure(position.checked_sub(1).unwrap_or(position), message, expected, None));
    }
    // Runs that are resumed do not evaluate the edges again.
    let last = scope.steps.iter().rposition(|step| matches!(step.next, NextStep::Edges(_)));
    if last.is_none_or(|last| position > last) {
        return None;
    }
    let turned_away = before.iter().position(|before| {
        sources.contains(&&before.node) && leads(&graph, before, &step.node) == Some(false)
    })?;
    let from = &scope.steps.get(turned_away)?.node;
    let message = format!("after `{from}` comes no `{}`", step.node);
    Some(traced.departure(turned_away, message, Some(step.node.clone()), None))
}

/// The departure if the graph would also lead where the run did not go.
fn leads_elsewhere(traced: &mut TracedGraph<'_, '_>, position: usize) -> Option<Departure> {
    let graph = traced.graph;
    let step = traced.scope.steps.get(position)?;
    let NextStep::Edges(followed) = &step.next else { return None };
    let target_of = |id: &SmolStr| {
        let mut edges = graph.leaving(&step.node);
        let edge = edges.find(|edge| edge.id.as_ref().is_some_and(|own| own.value == *id))?;
        Some(edge.target.as_ref()?.name.value.clone())
    };
    // An edge that has another id now may be each of the others.
    let recorded: Vec<SmolStr> = followed.iter().map(target_of).collect::<Option<_>>()?;
    let mut edges = graph.leaving(&step.node).filter_map(target_node);
    let is_new = |target: &&SmolStr| !recorded.contains(target) && leads(&graph, step, target) == Some(true);
    let target = edges.find(is_new)?.clone();
    let gone = recorded.into_iter().find(|recorded| leads(&graph, step, recorded) == Some(false));
    let message = match &gone {
        Some(gone) => format!("after `{}` comes `{target}`, expected `{gone}`", step.node),
        None => format!("after `{}` comes `{target}` too", step.node),
    };
    Some(traced.departure(position, message, gone, Some(target)))
}

/// Whether a node leads to another one after a visit; `None` if that is not known.
fn leads(graph: &RouteGraph<'_>, step: &ExternalStep, target: &str) -> Option<bool> {
    let known: &KnownState = step.known.as_ref()?;
    let node = graph.node(&step.node)?;
    if !graph.handed(node).is_empty()
        || !node.work.hand_overs().is_empty()
        || !node.execution.exits.is_empty()
    {
        return None;
    }
    if let Some(condition) = node.work.condition() {
        return match graph.decision(condition, Some(known))? {
            ConditionDecision::LeadsTo(name) => Some(name == target),
            ConditionDecision::Holds | ConditionDecision::Fails => Some(false),
        };
    }
    let results: Vec<EdgeResult> =
        graph.leaving(&step.node).map(|edge| graph.result(edge, Some(known))).collect();
    if results.iter().any(|result| matches!(result, EdgeResult::Leads(name) if name == target)) {
        return Some(true);
    }
    // An edge that the program decides can lead anywhere.
    (!results.contains(&EdgeResult::Unknown)).then_some(false)
}

fn entering<'s>(graph: &RouteGraph<'s>, node: &str) -> impl Iterator<Item = &'s GraphEdge> {
    let enters = move |edge: &&'s GraphEdge| {
        let target = edge.target.as_ref();
        target.is_some_and(|target| target.role == EndpointRole::Node && target.name.value == node)
    };
    graph.graph.edges.iter().filter(enters).collect::<Vec<_>>().into_iter()
}

fn source_node(edge: &GraphEdge) -> Option<&SmolStr> {
    let source = edge.source.as_ref()?;
    (source.role == EndpointRole::Node).then_some(&source.name.value)
}

fn target_node(edge: &GraphEdge) -> Option<&SmolStr> {
    let target = edge.target.as_ref()?;
    (target.role == EndpointRole::Node).then_some(&target.name.value)
}
