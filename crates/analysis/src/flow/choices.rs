//! Which edges may be refused: their source decides, and may decide against them.
//!
//! Input: a graph and its nodes and edges by position; output: a flag for each edge. Invariant: an edge whose choice
//! is itself at fault (no condition, an outcome that is no node) is not flagged; other rules report it.

use std::collections::BTreeSet;

use nodewise_expr::language::Routes;
use nodewise_model::graph::{
    EdgeCondition, EndpointRole, Exit, Graph, GraphEdge, GraphNode, Personality, Way,
};
use nodewise_model::work::Work;
use nodewise_model::{Condition, Located};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::Flow;

pub(super) fn refusable(graph: &Graph, flow: &Flow) -> Vec<bool> {
    let mut refusable = vec![false; graph.edges.len()];
    for (position, node) in graph.nodes.iter().enumerate() {
        let outgoing = flow.outgoing(position);
        let by_name = named_targets(graph, flow, node);
        let mut certain: FxHashSet<&str> = FxHashSet::default();
        for edge in outgoing {
            let Some(edge_of) = graph.edges.get(*edge) else { continue };
            let may_refuse = by_name.as_ref().is_some_and(|named| named.may_refuse(edge_of))
                || !by_name.as_ref().is_some_and(|named| named.always)
                    && may_be_refused(graph, flow, edge_of);
            refusable[*edge] = may_refuse;
            if let (false, Some(target)) = (may_refuse, &edge_of.target) {
                certain.insert(target.name.value.as_str());
            }
        }
        // What one edge follows for certain, another one of the same source does not take away.
        for edge in outgoing {
            let target = graph.edges.get(*edge).and_then(|edge| edge.target.as_ref());
            if target.is_some_and(|target| certain.contains(target.name.value.as_str())) {
                refusable[*edge] = false;
            }
        }
    }
    refusable
}

/// The targets that a node may name instead of having its edges evaluated.
struct Named {
    names: BTreeSet<SmolStr>,
    /// Whether it may name others too.
    has_others: bool,
    /// Whether it always names one.
    always: bool,
}

impl Named {
    /// Whether the node may name another target than the edge's.
    fn may_refuse(&self, edge: &GraphEdge) -> bool {
        let target = edge.target.as_ref().map(|target| &target.name.value);
        self.has_others || self.names.iter().any(|name| Some(name) != target)
    }
}

fn named_targets(graph: &Graph, flow: &Flow, node: &GraphNode) -> Option<Named> {
    let exists = |name: &SmolStr| flow.node(name).is_some() || graph.conventions.is_end(name);
    match &node.work {
        Work::Router(router) => match &router.condition {
            Some(EdgeCondition::Expression(Some(condition))) => {
                let Routes { constant, has_others } = routes(graph, condition);
                let names = constant.into_iter().map(|route| route.name).filter(exists).collect();
                Some(Named { names, has_others, always: true })
            }
            _ => None,
        },
        Work::Guardrail(guardrail) => {
            let target = guardrail.reroute.as_ref().filter(|target| exists(&target.value))?;
            let names = BTreeSet::from([target.value.clone()]);
            Some(Named { names, has_others: false, always: false })
        }
        Work::Voice(voice) => {
            let possible = |exit: &&Exit| exit.kind.as_ref().is_some_and(|reason| voice.can_end(reason));
            let exits = node.conduct.exits.iter().filter(possible);
            let targets = exits.filter_map(|exit| Some(exit.target.as_ref()?.value.clone()));
            let names = targets.filter(exists).collect();
            Some(Named { names, has_others: false, always: false })
        }
        Work::Tool(_)
        | Work::Subgraph(_)
        | Work::Human(_)
        | Work::Model(_)
        | Work::Extension(_)
        | Work::Agent(_)
        | Work::Supervisor(_)
        | Work::Synthesizer
        | Work::RemoteAgent(_)
        | Work::Map(_)
        | Work::Voting(_)
        | Work::Evolution(_)
        | Work::Verifier(_)
        | Work::Reflection(_)
        | Work::Unknown => None,
    }
}

/// Whether evaluating the edge may leave its target out.
fn may_be_refused(graph: &Graph, flow: &Flow, edge: &GraphEdge) -> bool {
    let is_start = edge.source.as_ref().is_some_and(|source| source.role == EndpointRole::Start);
    let exists =
        |name: &Located<SmolStr>| flow.node(&name.value).is_some() || graph.conventions.is_end(&name.value);
    match &edge.way {
        _ if is_start => false,
        Way::Always | Way::Unknown | Way::When(None | Some(EdgeCondition::Function(_))) => false,
        Way::When(Some(EdgeCondition::Expression(condition))) => {
            condition.as_ref().is_none_or(|condition| !always_holds(graph, condition))
        }
        Way::Discovery(discovery) => match &discovery.fallback {
            Some(fallback) => exists(fallback) && !leads_to(edge, fallback),
            None => true,
        },
        Way::Personality(choice) => choice.as_ref().is_some_and(|choice| {
            let Personality { above: Some(above), below: Some(below), .. } = choice.as_ref() else {
                return false;
            };
            exists(above) && exists(below) && !(leads_to(edge, above) && leads_to(edge, below))
        }),
    }
}

/// The names that a condition can come to.
fn routes(graph: &Graph, condition: &Condition) -> Routes {
    let language = graph.conventions.conditions;
    language.map_or_else(Routes::unknown, |language| language.routes(&condition.text))
}

fn always_holds(graph: &Graph, condition: &Condition) -> bool {
    let Routes { constant, has_others } = routes(graph, condition);
    !has_others && constant.iter().all(|route| route.name == "true")
}

fn leads_to(edge: &GraphEdge, name: &Located<SmolStr>) -> bool {
    edge.target.as_ref().is_some_and(|target| target.name.value == name.value)
}
