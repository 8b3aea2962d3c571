//! Where an edge leads after its node ran.
//!
//! Input: an edge and the state; output: the name that it adds to the targets, or why it adds none. Invariant: names
//! without a node are targets too, but start nothing.

use nodewise_expr::agentos::{self, EdgeVerdict};
use nodewise_expr::eval::Scope;
use nodewise_expr::javascript;
use nodewise_expr::value::Value;
use smol_str::{SmolStr, format_smolstr};

use super::node::Id;
use super::program::{Edge, Graph, Guard, Program, Test, Trait};
use super::reading::Reading;
use super::state::State;
use crate::ask::{DiscoveryQuestion, Reply};
use crate::outcome::Failure;

/// The result of evaluating an edge.
#[derive(Debug)]
pub(super) enum Judged {
    /// It leads to a name; the text says what decided, if something did.
    Leads(SmolStr, Option<SmolStr>),
    /// It leads nowhere.
    Ends(Option<SmolStr>),
    /// A search for a capability must decide.
    Asks(DiscoveryQuestion),
    /// The runtime throws an exception.
    Thrown(SmolStr),
}

/// The targets of the edges from the start, sorted. As documented these edges are evaluated, except where that needs
/// a search.
pub(super) fn from_start(program: &Program, graph: &Graph, state: &State) -> Vec<Id> {
    let mut targets: Vec<SmolStr> = Vec::new();
    for edge in graph.ways_from(Id::START).iter().filter_map(|edge| graph.edges.get(*edge as usize)) {
        if let Judged::Leads(target, _) = judge(program, graph, edge, state, &targets, false) {
            targets.push(target);
        }
    }
    let mut chosen: Vec<Id> = targets.iter().filter_map(|target| graph.number(target)).collect();
    chosen.sort_unstable();
    chosen
}

/// Evaluates an edge; `targets` are those of the edges before it.
pub(super) fn judge(
    program: &Program,
    graph: &Graph,
    edge: &Edge,
    state: &State,
    targets: &[SmolStr],
    searches: bool,
) -> Judged {
    match &edge.guard {
        Guard::Always => Judged::Leads(graph.name(edge.target).clone(), None),
        Guard::Never => Judged::Ends(Some("the edge has nothing to decide by".into())),
        Guard::When(Test::Function) => {
            Judged::Thrown("the condition is a function, which a file cannot hold".into())
        }
        Guard::When(Test::Expression(expression)) => {
            let result = expression.as_ref().map_or("false".into(), |expression| {
                let variables = state.partitions();
                agentos::result(expression, &Scope { variables: &[&variables], ..Scope::default() })
            });
            conditional(graph, edge, &result, targets)
        }
        Guard::Personality(choice) => personality(program, choice, state),
        Guard::Discovery { query, kind, .. } if searches && !query.is_empty() => {
            Judged::Asks(DiscoveryQuestion { query: query.clone(), kind: kind.clone() })
        }
        Guard::Discovery { fallback, .. } => fall_back(fallback.as_ref()),
    }
}

/// The result of an edge after its search.
pub(super) fn found(program: &Program, graph: &Graph, edge: &Edge, result: Result<Reply, Failure>) -> Judged {
    let Guard::Discovery { fallback, .. } = &edge.guard else { return Judged::Ends(None) };
    let Ok(Reply::Value(Value::List(results))) = result else { return fall_back(fallback.as_ref()) };
    let name = results.first().and_then(|first| {
        let part = |key| javascript::member(first, key).map(|part| part.into_owned());
        ["id", "name"].into_iter().filter_map(part).find(javascript::is_truthy)
    });
    let Some(name) = name else { return fall_back(fallback.as_ref()) };
    let name = SmolStr::from(javascript::to_text(&name));
    let reason = Some(format_smolstr!("the search found `{name}`"));
    let is_node = graph.nodes.iter().any(|node| node.name == name);
    match program.reading == Reading::Documented && is_node {
        true => Judged::Leads(name, reason),
        false => Judged::Leads(graph.name(edge.target).clone(), reason),
    }
}

fn fall_back(fallback: Option<&SmolStr>) -> Judged {
    let reason = Some(SmolStr::from("the search found nothing"));
    fallback.map_or(Judged::Ends(reason.clone()), |fallback| Judged::Leads(fallback.clone(), reason))
}

fn conditional(graph: &Graph, edge: &Edge, result: &SmolStr, targets: &[SmolStr]) -> Judged {
    let own = graph.name(edge.target);
    let reason = Some(format_smolstr!("the condition gives `{result}`"));
    let name = match agentos::edge_verdict(result) {
        EdgeVerdict::Follow => own.clone(),
        EdgeVerdict::Skip => return Judged::Ends(reason),
        EdgeVerdict::Other(name) => name,
    };
    let fits = edge.is_placeholder || name == *own;
    match fits && !targets.contains(&name) {
        true => Judged::Leads(name, reason),
        false => Judged::Ends(reason),
    }
}

/// The choice by the strength of a trait: the host's value, the state's value, or the middle.
fn personality(program: &Program, choice: &Trait, state: &State) -> Judged {
    let given = |value: &Value| !matches!(value, Value::Undefined | Value::Null);
    let in_state = || {
        let traits = state.scratch.get("_personaTraits")?;
        javascript::member(traits, &choice.name).map(|strength| strength.into_owned())
    };
    let strength = program.host.traits.get(&choice.name).cloned().filter(given);
    let strength = strength.or_else(|| in_state().filter(given)).unwrap_or(Value::Number(0.5));
    let is_above = javascript::to_number(&strength) >= choice.threshold;
    let target = if is_above { &choice.above } else { &choice.below };
    let reason = format_smolstr!(
        "`{}` is {}, {} {}",
        choice.name,
        javascript::to_text(&strength),
        if is_above { "at least" } else { "below" },
        choice.threshold
    );
    Judged::Leads(target.clone(), Some(reason))
}
