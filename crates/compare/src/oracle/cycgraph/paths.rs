//! JSONPath.
//!
//! Input is the oracle's question. Output is the selected values, or an error. Invariant: all exceptions of the package
//! are one answer, because the engine handles them in the same way.

use nodewise_expr::jsonpath::{self, Selected};
use nodewise_expr::value::Value as Selection;
use serde_json::{Value, json};

use crate::oracle::values;

const THROWN: &str = "thrown";

pub(super) fn answer(question: &Value) -> Value {
    let parsed = jsonpath::parse(question["path"].as_str().unwrap_or_default());
    match jsonpath::select(&parsed.path, &values::from_json(&question["json"])) {
        Ok(Selected::Values(found)) => {
            json!({"value": found.iter().map(values::show).collect::<Vec<Value>>()})
        }
        Ok(Selected::Nothing) => json!({"value": values::show(&Selection::Undefined)}),
        Err(error) => json!({"error": error.kind.name()}),
    }
}

/// The oracle's answer in the same format.
pub(super) fn their_answer(_: &Value, answer: &Value) -> Value {
    if answer["error"].is_null() { answer.clone() } else { json!({"error": THROWN}) }
}
