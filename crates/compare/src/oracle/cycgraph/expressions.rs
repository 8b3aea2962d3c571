//! Filtrex expressions.
//!
//! Input is the oracle's question. Output is whether it compiles, both decisions and the value. Invariant: the state
//! around the memory is the same as in the oracle's program.

use nodewise_expr::eval::{self, ErrorKind, Scope};
use nodewise_expr::filtrex::{self, Filtrex};
use nodewise_expr::value::Map;
use serde_json::{Value, json};
use smol_str::SmolStr;

use crate::oracle::values;

pub(super) fn answer(question: &Value) -> Value {
    let text = question["expression"].as_str().unwrap_or_default();
    let tainted: Vec<SmolStr> = question["tainted"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(SmolStr::from)
        .collect();
    let state = state(question, &tainted);
    let parsed = filtrex::parse(text);
    let variables = [&state];
    let scope = Scope { variables: &variables, ..Scope::default() };
    let is_refused = question["strict_taint"] == true && filtrex::mentions_memory(text, &tainted);
    let edge = !is_refused && parsed.edge_verdict(&scope);
    let seen_by_verifier = values::members(&json!({"memory": memory(question), "goal": goal(question)}));
    let variables = [&seen_by_verifier];
    let Ok(verifier) = parsed.verifier_verdict(&Scope { variables: &variables, ..Scope::default() }) else {
        return json!({"compiles": false, "edge": edge});
    };
    let mut answer = json!({"compiles": true, "edge": edge, "verifier": verifier});
    match eval::evaluate(&parsed.expr, &Filtrex, &scope) {
        Ok(value) => answer["value"] = values::show(&value),
        Err(error) => answer["error"] = json!(error_class(&error.kind)),
    }
    answer
}

/// The oracle's answer with our name for the class of an error.
pub(super) fn their_answer(_: &Value, answer: &Value) -> Value {
    let mut answer = answer.clone();
    if let Some(class) = answer.get_mut("error") {
        *class = match class.as_str() {
            // An invalid regular expression.
            Some("UnexpectedTypeError" | "SyntaxError") => json!(TYPE),
            Some("UnknownFunctionError") => json!(FUNCTION),
            _ => class.clone(),
        };
    }
    answer
}

const TYPE: &str = "type";
const FUNCTION: &str = "function";

fn error_class(kind: &ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Type => TYPE,
        ErrorKind::Builtin => FUNCTION,
        ErrorKind::Missing(_) | ErrorKind::Function | ErrorKind::Syntax => "other",
    }
}

fn state(question: &Value, tainted: &[SmolStr]) -> Map {
    let marks = tainted.iter().map(|key| {
        let mark = json!({"source": "derived", "created_at": "2026-01-01T00:00:00.000Z"});
        (key.to_string(), mark)
    });
    values::members(&json!({
        "goal": goal(question),
        "constraints": [],
        "status": "running",
        "iteration_count": 0,
        "memory": memory(question),
        "taint_registry": marks.collect::<serde_json::Map<String, Value>>(),
        "tainted": !tainted.is_empty(),
        "tainted_keys": tainted.iter().map(SmolStr::as_str).collect::<Vec<&str>>(),
    }))
}

fn memory(question: &Value) -> Value {
    question.get("memory").cloned().unwrap_or_else(|| json!({}))
}

fn goal(question: &Value) -> Value {
    question.get("goal").cloned().unwrap_or_else(|| json!("goal"))
}
