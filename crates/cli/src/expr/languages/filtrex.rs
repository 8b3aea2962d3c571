//! What filtrex answers, as cycgraph uses it.
//!
//! Input: an expression and the state of a run; output: its tree, its value, whether an edge is followed and whether
//! a verifier passes. Invariant: an edge sees the whole state, a verifier `memory` and `goal` alone.

use nodewise_expr::eval::{self, Scope};
use nodewise_expr::filtrex::{Filtrex, mentions_memory, parse};
use nodewise_expr::sexpr::sexpr;
use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

use super::super::question::{Accepted, Answer, Evaluated, Question, json_with_marks};

/// The answer to an expression.
pub(super) fn answer(question: &Question) -> Answer {
    let parsed = parse(&question.expr);
    if let Some(problem) = parsed.problems.first() {
        return Answer::Rejected(problem.clone());
    }
    let evaluated = question.variables().map(|state| {
        let tainted = tainted_keys(state);
        let taint = taint(&tainted);
        let state_layers = [&taint, state];
        let scope = Scope { variables: &state_layers, ..Scope::default() };
        let slice = slice(state);
        let slice_layers = [&slice];
        let verifier = parsed.verifier_verdict(&Scope { variables: &slice_layers, ..Scope::default() });
        let forbidden = question.strict_taint && mentions_memory(&question.expr, &tainted);
        let routes = !forbidden && parsed.edge_verdict(&scope);
        let value = eval::evaluate(&parsed.expr, &Filtrex, &scope)
            .map(|value| json_with_marks(&value))
            .map_err(Into::into);
        Evaluated {
            value,
            verdicts: vec![
                ("routes", routes.into()),
                ("verifier", verifier.is_ok_and(|passes| passes).into()),
            ],
        }
    });
    Answer::Accepted(Accepted { ast: sexpr(&parsed.expr), evaluated })
}

/// The keys of the memory that a run has marked as tainted.
fn tainted_keys(state: &Map) -> Vec<SmolStr> {
    match state.get("taint_registry") {
        Some(Value::Map(registry)) => registry.iter().map(|(key, _)| key.clone()).collect(),
        _ => Vec::new(),
    }
}

/// What the release adds to the state.
fn taint(keys: &[SmolStr]) -> Map {
    let mut taint = Map::new();
    taint.insert("tainted", Value::Bool(!keys.is_empty()));
    taint.insert("tainted_keys", keys.iter().map(|key| Value::Text(key.clone())).collect());
    taint
}

/// What a verifier sees.
fn slice(state: &Map) -> Map {
    state
        .iter()
        .filter(|(key, _)| matches!(key.as_str(), "memory" | "goal"))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}
