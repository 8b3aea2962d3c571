//! What becomes of a run.
//!
//! Input is the oracle's question, a scenario; output is the run in the form of the recordings. Invariant: what nobody can
//! repeat, moments and random names, stands in neither answer.

use anyhow::{Result, bail};
use nodewise_expr::json::number_to_json;
use serde_json::{Value, json};

use crate::replay::cycgraph::{self, Scenario, run};

/// The keys whose values are moments.
const MOMENTS: &[&str] = &["created_at", "retrieved_at", "evaluated_at", "reflected_at"];
/// What listeners heard; the event log says the same, and more.
const STREAM: &str = "stream";

pub(super) fn answer(question: &Value) -> Value {
    match scenario(question) {
        Ok(scenario) => repeatable(&run(&scenario, true)),
        Err(error) => json!({"broken": error.to_string()}),
    }
}

/// Whether the engine comes to this answer when those that work at once ask in some other order.
pub(super) fn is_other_order(question: &Value, answer: &Value) -> bool {
    let scenario = scenario(question).ok().filter(|scenario| scenario.has_concurrency);
    scenario.is_some_and(|scenario| cycgraph::is_other_order(&scenario, answer, repeatable))
}

fn scenario(question: &Value) -> Result<Scenario> {
    let no_files = |path: &str| bail!("there is no file {path}");
    Scenario::read(&question["scenario"].to_string(), &no_files)
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
        Value::String(text) => without_moments(text).into(),
        Value::Number(number) => number_to_json(number.as_f64().unwrap_or(f64::NAN)),
        answer => answer.clone(),
    }
}

/// A text without the moments in it.
fn without_moments(text: &str) -> String {
    const FORM: &[u8] = b"0000-00-00T00:00:00.000Z";
    let is_moment = |part: &[u8]| {
        let fits =
            |(byte, form): (&u8, &u8)| if *form == b'0' { byte.is_ascii_digit() } else { byte == form };
        part.len() == FORM.len() && part.iter().zip(FORM).all(fits)
    };
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if rest.as_bytes().get(..FORM.len()).is_some_and(is_moment) {
            kept.push_str("<time>");
            rest = &rest[FORM.len()..];
        } else {
            kept.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    kept
}
