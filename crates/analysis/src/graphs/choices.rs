//! Which edges may be refused: their source decides, and may decide against them.
//!
//! Input: a graph and its nodes and edges by position; output: a flag for each edge. Invariant: an edge whose choice
//! is itself at fault (no condition, an outcome that is no node) is not flagged; other rules report it.

use nodewise_expr::language::Routes;
use nodewise_model::graph::{EdgeCondition, EdgeGuard, EndpointRole, Graph, GraphEdge, Personality};
use nodewise_model::work::Choice;
use nodewise_model::{Condition, Located};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::GraphFacts;

pub(super) fn refusable(graph: &Graph, facts: &GraphFacts) -> Vec<bool> {
    let mut refusable = vec![false; graph.edges.len()];
    let meant = graph.nodes.iter().enumerate().filter(|(position, _)| facts.meant(*position) == *position);
    for (position, node) in meant {
        let outgoing = facts.outgoing(position);
        let exists = |name: &SmolStr| facts.node(name).is_some() || graph.conventions.is_end(name);
        let by_name = node.work.choice(graph, node, &exists);
        let mut certain: FxHashSet<&str> = FxHashSet::default();
        for edge in outgoing {
            let Some(edge_of) = graph.edges.get(*edge) else { continue };
            let may_refuse = by_name.as_ref().is_some_and(|choice| may_name_another(choice, edge_of))
                || !by_name.as_ref().is_some_and(|choice| choice.is_certain)
                    && may_be_refused(graph, facts, edge_of);
            refusable[*edge] = may_refuse;
            if let (false, Some(target)) = (may_refuse, &edge_of.target) {
                certain.insert(target.name.value.as_str());
            }
        }
        // If one edge is certainly followed, another edge to the same target cannot skip that target.
        for edge in outgoing {
            let target = graph.edges.get(*edge).and_then(|edge| edge.target.as_ref());
            if target.is_some_and(|target| certain.contains(target.name.value.as_str())) {
                refusable[*edge] = false;
            }
        }
    }
    refusable
}

/// Whether a node that chooses its targets by name may choose another one than this edge's target.
fn may_name_another(choice: &Choice, edge: &GraphEdge) -> bool {
    let target = edge.target.as_ref().map(|target| &target.name.value);
    choice.has_others || choice.names.iter().any(|name| Some(name) != target)
}

/// Whether the decision about the edge may be against its target.
fn may_be_refused(graph: &Graph, facts: &GraphFacts, edge: &GraphEdge) -> bool {
    let is_start = edge.source.as_ref().is_some_and(|source| source.role == EndpointRole::Start);
    let exists =
        |name: &Located<SmolStr>| facts.node(&name.value).is_some() || graph.conventions.is_end(&name.value);
    match &edge.guard {
        _ if is_start => false,
        EdgeGuard::Always | EdgeGuard::Unknown | EdgeGuard::When(None | Some(EdgeCondition::Function(_))) => {
            false
        }
        EdgeGuard::When(Some(EdgeCondition::Expression(condition))) => {
            condition.as_ref().is_none_or(|condition| !always_holds(graph, condition))
        }
        EdgeGuard::Discovery(discovery) => match &discovery.fallback {
            Some(fallback) => exists(fallback) && !leads_to(edge, fallback),
            None => true,
        },
        EdgeGuard::Personality(choice) => choice.as_ref().is_some_and(|choice| {
            let Personality { above: Some(above), below: Some(below), .. } = choice.as_ref() else {
                return false;
            };
            exists(above) && exists(below) && !(leads_to(edge, above) && leads_to(edge, below))
        }),
    }
}

fn always_holds(graph: &Graph, condition: &Condition) -> bool {
    let Routes { constant, has_others } = graph.conventions.routes(condition);
    !has_others && constant.iter().all(|route| route.name == "true")
}

fn leads_to(edge: &GraphEdge, name: &Located<SmolStr>) -> bool {
    edge.target.as_ref().is_some_and(|target| target.name.value == name.value)
}
