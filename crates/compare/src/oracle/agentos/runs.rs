//! Our runs of generated jobs.
//!
//! Input is the oracle's question; output is the recording of the run. Invariant: what is compared is what recorded runs
//! are compared by.

use serde_json::Value;

use crate::replay::agentos;

pub(super) fn answer(question: &Value) -> Value {
    agentos::run(&question["job"])
}

/// The oracle's answer without what no engine can repeat.
pub(super) fn their_answer(_: &Value, answer: &Value) -> Value {
    agentos::comparable(answer)
}
