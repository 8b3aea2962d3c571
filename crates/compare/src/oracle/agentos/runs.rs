//! Runs of generated jobs.
//!
//! Input is the oracle's question. Output is the recording of the run. Invariant: the same parts are compared as in
//! recorded runs.

use serde_json::Value;

use crate::replay::agentos;

pub(super) fn answer(question: &Value) -> Value {
    agentos::run(&question["job"])
}

/// The oracle's answer without parts that no engine can repeat.
pub(super) fn their_answer(_: &Value, answer: &Value) -> Value {
    agentos::comparable(answer)
}
