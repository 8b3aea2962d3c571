//! What becomes of a run.
//!
//! Input is the oracle's question, a scenario; output is the run in the form of the recordings. Invariant: what nobody can
//! repeat, moments and random names, stands in neither answer.

use nodewise_expr::json::number_to_json;
use serde_json::{Value, json};

use crate::replay::cycgraph::{Scenario, run};

/// The keys whose values are moments.
const MOMENTS: &[&str] = &["created_at", "retrieved_at", "evaluated_at", "reflected_at"];
/// What listeners heard; the event log says the same, and more.
const STREAM: &str = "stream";

pub(super) fn answer(question: &Value) -> Value {
    let no_files = |path: &str| anyhow::bail!("there is no file {path}");
    match Scenario::read(&question["scenario"].to_string(), &no_files) {
        Ok(scenario) => repeatable(&run(scenario, true)),
        Err(error) => json!({"broken": error.to_string()}),
    }
}

/// The oracle's answer in the same form.
pub(super) fn their_answer(_: &Value, answer: &Value) -> Value {
    let mut answer = repeatable(answer);
    if let Some(members) = answer.as_object_mut() {
        members.shift_remove(STREAM);
    }
    answer
}

/// An answer without what differs each time, and with one way to write a number.
fn repeatable(answer: &Value) -> Value {
    match answer {
        Value::Object(members) => {
            let member = |(key, value): (&String, &Value)| match MOMENTS.contains(&key.as_str()) {
                true => (key.clone(), json!("<time>")),
                false => (key.clone(), repeatable(value)),
            };
            members.iter().map(member).collect()
        }
        Value::Array(items) => items.iter().map(repeatable).collect(),
        Value::Number(number) => number_to_json(number.as_f64().unwrap_or(f64::NAN)),
        answer => answer.clone(),
    }
}
