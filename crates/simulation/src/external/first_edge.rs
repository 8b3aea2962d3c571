//! Runs that follow the first edge that holds.
//!
//! Input: a scope of a trace and its graph; output: the first step at which the graph continues in another way. Invariant: an
//! edge whose condition is not known may be followed or not.

use smol_str::SmolStr;

use super::departure::{Departure, TracedGraph};
use super::route_graph::{EdgeResult, RouteGraph};
use crate::external_run::{ExternalStep, KnownState, NextStep};

/// Where the edges of a node can lead.
#[derive(Default)]
struct PossibleTargets {
    names: Vec<SmolStr>,
    /// Whether the last target is certain, unless an earlier one is reached.
    is_certain: bool,
}

impl PossibleTargets {
    /// The one target, if no other is possible.
    fn only(&self) -> Option<&SmolStr> {
        match self.names.as_slice() {
            [one] if self.is_certain => Some(one),
            _ => None,
        }
    }

    fn of(graph: &RouteGraph<'_>, node: &str, known: Option<&KnownState>) -> PossibleTargets {
        let mut found = PossibleTargets::default();
        for edge in graph.leaving(node) {
            let target = edge.target.as_ref().map(|target| &target.name.value);
            let Some(target) = target.filter(|target| graph.node(target).is_some()) else { continue };
            match graph.result(edge, known) {
                EdgeResult::Leads(_) => {
                    found.names.push(target.clone());
                    found.is_certain = true;
                    break;
                }
                EdgeResult::Unknown => found.names.push(target.clone()),
                EdgeResult::Ends => {}
            }
        }
        found
    }
}

/// The first step at which a scope leaves its graph.
pub(super) fn departure(traced: &mut TracedGraph<'_, '_>) -> Option<Departure> {
    let scope = traced.scope;
    for (position, step) in scope.steps.iter().enumerate() {
        if traced.graph.node(&step.node).is_none() {
            return Some(traced.not_there(position));
        }
        let start = traced.graph.graph.start.as_ref().map(|start| &start.value);
        if position == 0 && scope.is_from_start && start.is_some_and(|start| *start != step.node) {
            return Some(traced.other_start(start?.clone()));
        }
        if let Some(departure) = after(traced, position, step) {
            return Some(departure);
        }
    }
    None
}

/// The departure if the run continues after a step in a way that the graph does not allow.
fn after(traced: &mut TracedGraph<'_, '_>, position: usize, step: &ExternalStep) -> Option<Departure> {
    let graph = traced.graph;
    let node = graph.node(&step.node)?;
    let possible = PossibleTargets::of(&graph, &step.node, step.known.as_ref());
    match &step.next {
        NextStep::Edge(target) => leads(traced, position, &possible, target),
        NextStep::HandOver(target) => {
            let is_allowed = graph.handed(node).contains(&target);
            (!is_allowed).then(|| {
                let message = format!("`{}` does not hand over to `{target}`", step.node);
                traced.departure(position, message, Some(target.clone()), None)
            })
        }
        NextStep::End if graph.is_end(&step.node) => None,
        NextStep::End => {
            // A program may let a run end if no edge holds.
            let next = possible.only()?.clone();
            let message = format!("after `{}` comes `{next}`, expected the end of the run", step.node);
            Some(traced.departure(position, message, None, Some(next)))
        }
        NextStep::Unknown => {
            let next = traced.scope.steps.get(position + 1)?;
            let is_repeated = next.is_resumed && next.node == step.node;
            let is_handed = graph.handed(node).contains(&&next.node);
            if is_repeated || is_handed {
                return None;
            }
            let target = next.node.clone();
            leads(traced, position, &possible, &target)
        }
        NextStep::Edges(_) | NextStep::Wait | NextStep::Stop => None,
    }
}

fn leads(
    traced: &mut TracedGraph<'_, '_>,
    position: usize,
    possible: &PossibleTargets,
    target: &SmolStr,
) -> Option<Departure> {
    let node = traced.scope.steps.get(position)?.node.clone();
    if traced.graph.is_end(&node) {
        let message = format!("after `{node}` the run ends, expected `{target}`");
        return Some(traced.departure(position, message, Some(target.clone()), None));
    }
    if possible.names.contains(target) {
        return None;
    }
    if traced.graph.node(target).is_none() && traced.scope.steps.get(position + 1).is_some() {
        return Some(traced.not_there(position + 1));
    }
    let next = possible.only().cloned();
    let message = match &next {
        Some(next) => format!("after `{node}` comes `{next}`, expected `{target}`"),
        None => format!("after `{node}` comes no `{target}`"),
    };
    Some(traced.departure(position, message, Some(target.clone()), next))
}
