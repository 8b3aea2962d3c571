//! One evaluation: variables, time, active errors in; a value and a decision out.
//!
//! Input: a tree and what it can see. Output: the value as JSON or the error, and whether an edge is followed.
//! Invariant: whatever fails, the edge is not followed.

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Result, bail};
use nodewise_expr::ast::Expr;
use nodewise_expr::eval::{self, EvalError, Scope};
use nodewise_expr::limance::LimanCe;
use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

use crate::syntax::json_number;

/// What an expression can see.
#[derive(Debug, Default)]
pub(super) struct Question {
    /// The variables.
    pub(super) variables: Map,
    /// The time in seconds since 1970 UTC; the clock's if there is none.
    pub(super) now: Option<f64>,
    /// The type names of the errors that are active.
    pub(super) errors: Vec<SmolStr>,
}

/// What an expression comes to.
#[derive(Debug)]
pub(super) struct Answer {
    /// Its value.
    pub(super) value: Result<serde_json::Value, EvalError>,
    /// Whether an edge with this condition is followed.
    pub(super) routes: bool,
}

/// Evaluates a condition.
pub(super) fn evaluate(expr: &Expr, question: &Question) -> Answer {
    let variables = [&question.variables];
    let scope = Scope {
        variables: &variables,
        now: question.now.unwrap_or_else(clock),
        active_errors: &question.errors,
        functions: None,
    };
    let value = eval::evaluate(expr, &LimanCe, &scope).map(|value| json(&value));
    Answer { value, routes: eval::holds(expr, &LimanCe, &scope).unwrap_or(false) }
}

/// Variables from a JSON object.
pub(super) fn read_context(text: &str) -> Result<Map> {
    match serde_json::from_str(text) {
        Ok(serde_json::Value::Object(entries)) => Ok(variables(entries)),
        Ok(_) => {
            bail!("the context is not a JSON object\n  help: write `--context '{{\"name\": \"value\"}}'`")
        }
        Err(error) => {
            bail!("the context is not JSON: {error}\n  help: write `--context '{{\"name\": \"value\"}}'`")
        }
    }
}

/// A JSON object as variables.
pub(super) fn variables(entries: serde_json::Map<String, serde_json::Value>) -> Map {
    entries.into_iter().map(|(key, value)| (SmolStr::from(key), from_json(value))).collect()
}

fn from_json(json: serde_json::Value) -> Value {
    match json {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(value) => Value::Bool(value),
        serde_json::Value::Number(number) => Value::Number(number.as_f64().unwrap_or(f64::NAN)),
        serde_json::Value::String(text) => Value::Text(text.into()),
        serde_json::Value::Array(items) => Value::List(items.into_iter().map(from_json).collect()),
        serde_json::Value::Object(entries) => variables(entries).into(),
    }
}

fn json(value: &Value) -> serde_json::Value {
    match value {
        Value::Undefined | Value::Null => serde_json::Value::Null,
        Value::Bool(value) => serde_json::Value::Bool(*value),
        Value::Number(number) => json_number(*number),
        Value::Text(text) => serde_json::Value::String(text.to_string()),
        Value::List(items) => serde_json::Value::Array(items.iter().map(json).collect()),
        Value::Map(map) => {
            let entries = map.iter().map(|(key, value)| (key.to_string(), json(value)));
            serde_json::Value::Object(entries.collect())
        }
        Value::Pattern(_) => serde_json::Value::Object(serde_json::Map::new()),
        Value::Function(name) => serde_json::Value::String(format!("function {name}")),
    }
}

fn clock() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}
