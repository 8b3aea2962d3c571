//! What an expression is asked, and what it answers, in any language.
//!
//! Input: JSON. Output: values for the languages, and JSON again. Invariant: a question means the same in every
//! language, as far as that has the notion.

use anyhow::{Result, bail};
use clap::ValueEnum;
use nodewise_expr::eval::EvalError;
use nodewise_expr::problem::Problem;
use nodewise_expr::value::{Map, Value};
use serde::Deserialize;
use smol_str::SmolStr;

use crate::syntax::json_number;

/// Whose reading of a language counts, where there are two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Deserialize)]
pub(super) enum Profile {
    /// The specification.
    #[default]
    #[serde(rename = "spec")]
    Spec,
    /// The parser of liman_core 0.1.0 and 0.1.1.
    #[value(alias = "0.1.1", alias = "0.1.0")]
    #[serde(rename = "release", alias = "0.1.1", alias = "0.1.0")]
    Release,
}

/// What is asked.
#[derive(Debug, Default)]
pub(super) struct Question {
    /// The expression.
    pub(super) expr: String,
    /// What it can see; without it, nothing is evaluated.
    pub(super) context: Option<Map>,
    /// The time in seconds since 1970 UTC; the clock's if there is none.
    pub(super) now: Option<f64>,
    /// The type names of the errors that are active.
    pub(super) errors: Vec<SmolStr>,
    /// Whose reading of the language counts.
    pub(super) profile: Profile,
    /// Whether an edge must not look at tainted memory.
    pub(super) strict_taint: bool,
}

/// What a language says.
pub(super) enum Answer {
    /// The text is no expression.
    Rejected(Problem),
    /// It is one.
    Accepted(Accepted),
}

/// What a language says of an expression.
pub(super) struct Accepted {
    /// Its tree.
    pub(super) ast: String,
    /// What it comes to in the context.
    pub(super) evaluated: Option<Evaluated>,
}

/// What an expression comes to.
pub(super) struct Evaluated {
    /// Its value.
    pub(super) value: Result<serde_json::Value, EvalError>,
    /// What a runtime decides by it, under the words for that; `routes` says where an edge goes.
    pub(super) verdicts: Vec<(&'static str, serde_json::Value)>,
}

/// A context from the text of a JSON object.
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

/// A value as JSON.
pub(super) fn json(value: &Value) -> serde_json::Value {
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
        Value::Function(name) => serde_json::Value::String(format!("function {name}")),
        Value::Pattern(_) => serde_json::Value::Object(serde_json::Map::new()),
    }
}

/// A value as JSON, where what JSON cannot say stands in angle brackets.
pub(super) fn json_with_marks(value: &Value) -> serde_json::Value {
    match value {
        Value::Undefined => "<undefined>".into(),
        Value::Number(number) if number.is_nan() => "<NaN>".into(),
        Value::Number(number) if number.is_infinite() && *number > 0.0 => "<Infinity>".into(),
        Value::Number(number) if number.is_infinite() => "<-Infinity>".into(),
        Value::Function(_) => "<function>".into(),
        value => json(value),
    }
}
