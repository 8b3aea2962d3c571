//! What the release does with an expression when a graph runs.
//!
//! Input: an expression, and what it can read; output: verdicts. Invariant: the verdict of an edge never fails.

use smol_str::SmolStr;

use super::{Filtrex, Parse, parse};
use crate::eval::{self, Scope};
use crate::javascript::is_truthy;
use crate::problem::ParseProblem;
use crate::value::{Map, Value};

/// A verifier's expression does not compile: its node fails, and may be repeated.
#[derive(Debug, Clone, PartialEq)]
pub struct NotCompiled {
    /// What is wrong with the expression.
    pub problem: Option<ParseProblem>,
}

/// Whether an edge with this condition is followed. It is not if the text is broken, or if evaluation fails.
///
/// The scope holds the fields of the run's state, `tainted` and `tainted_keys`.
pub fn edge_verdict(text: &str, scope: &Scope<'_>) -> bool {
    parse(text).edge_verdict(scope)
}

/// Whether a verifier with this expression passes. If evaluation fails, it passes too, because the release takes the
/// error for a value.
///
/// The scope has the part of `memory` that the node may read, and `goal`.
pub fn verifier_verdict(text: &str, scope: &Scope<'_>) -> Result<bool, NotCompiled> {
    parse(text).verifier_verdict(scope)
}

/// Whether the release thinks that a condition reads one of these keys, which `strict_taint` forbids.
///
/// The release only searches the letters `memory.key`, even within texts, and does not notice `key of memory`.
pub fn mentions_memory(text: &str, keys: &[SmolStr]) -> bool {
    let normalised = text.replace('\'', "\"");
    keys.iter().any(|key| {
        let wanted = format!("memory.{key}");
        normalised.match_indices(&wanted).any(|(at, found)| {
            let next = normalised.get(at + found.len()..).and_then(|rest| rest.bytes().next());
            !next.is_some_and(|next| next.is_ascii_alphanumeric() || next == b'_')
        })
    })
}

/// The keys of the memory that a run has marked as tainted.
pub fn tainted_keys(state: &Map) -> Vec<SmolStr> {
    match state.get("taint_registry") {
        Some(Value::Map(registry)) => registry.iter().map(|(key, _)| key.clone()).collect(),
        _ => Vec::new(),
    }
}

/// What the release adds to the state that an edge sees.
pub fn taint(keys: &[SmolStr]) -> Map {
    let mut taint = Map::new();
    taint.insert("tainted", Value::Bool(!keys.is_empty()));
    taint.insert("tainted_keys", keys.iter().map(|key| Value::Text(key.clone())).collect());
    taint
}

/// The part of the state that a verifier can read.
pub fn verifier_view(state: &Map) -> Map {
    state
        .iter()
        .filter(|(key, _)| matches!(key.as_str(), "memory" | "goal"))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

impl Parse {
    /// See [`edge_verdict`].
    pub fn edge_verdict(&self, scope: &Scope<'_>) -> bool {
        self.accepted() && eval::evaluate(&self.expr, &Filtrex, scope).is_ok_and(|value| is_truthy(&value))
    }

    /// See [`verifier_verdict`].
    pub fn verifier_verdict(&self, scope: &Scope<'_>) -> Result<bool, NotCompiled> {
        if !self.accepted() {
            return Err(NotCompiled { problem: self.problems.first().cloned() });
        }
        Ok(eval::evaluate(&self.expr, &Filtrex, scope).map_or(true, |value| is_truthy(&value)))
    }
}
