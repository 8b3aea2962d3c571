//! Why an edge was followed or not: its condition evaluated again in the state of that moment.
//!
//! Input: a condition and a state; output: its value and those of its parts. Invariant: the values come from the code
//! that decided the edge.

use std::ops::Range;

use nodewise_engine::time::Millis;
use nodewise_expr::assist::{self, Circumstances};
use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

use crate::chart::Condition;
use crate::system::System;

/// Why an edge was followed or not.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// What the condition comes to, or why it comes to nothing.
    pub value: Result<Value, String>,
    /// Its parts, each with what it comes to.
    pub parts: Vec<(SmolStr, Result<Value, String>)>,
}

/// The condition in a state; nothing where it is no expression.
#[must_use]
pub fn explain(
    system: System,
    condition: &Condition,
    state: &Map,
    at: Millis,
    strict_taint: bool,
) -> Option<Explanation> {
    let circumstances = Circumstances { state: seen(system, state), now: at.0 as f64 / 1000.0, strict_taint };
    let evaluation = assist::evaluate(condition.language?, &condition.text, &circumstances);
    let mut parts: Vec<(SmolStr, Result<Value, String>)> = Vec::new();
    for part in evaluation.parts {
        let text = condition.text.get(Range::<usize>::from(part.range)).unwrap_or_default();
        if parts.iter().all(|(known, _)| known != text) {
            parts.push((SmolStr::new(text), part.value));
        }
    }
    Some(Explanation { value: evaluation.value.map_err(|failure| failure.message), parts })
}

/// What conditions see of a folded state.
fn seen(system: System, state: &Map) -> Value {
    match system {
        System::Liman | System::Cycgraph | System::AgentOs => state.clone().into(),
    }
}
