//! What an expression is asked, and what it answers, in any language.
//!
//! Input: JSON. Output: values for the languages, and JSON again. Invariant: a question means the same in every
//! language, as far as that has the notion.

use anyhow::{Result, bail};
use clap::ValueEnum;
use nodewise_expr::TextRange;
use nodewise_expr::eval::EvalError;
use nodewise_expr::json::from_json;
use nodewise_expr::problem::Problem;
use nodewise_expr::value::{Map, Value};
use serde::Deserialize;
use smol_str::SmolStr;

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
    /// What it can see; without it, nothing is evaluated. A mapping, but for paths.
    pub(super) context: Option<Value>,
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
    pub(super) value: Result<serde_json::Value, Failure>,
    /// What a runtime decides by it, under the words for that; `routes` says where an edge goes.
    pub(super) verdicts: Vec<(&'static str, serde_json::Value)>,
}

/// Why an expression has no value.
pub(super) struct Failure {
    /// The class of error, as conformance tables spell it.
    pub(super) kind: &'static str,
    /// The fact.
    pub(super) message: String,
    /// The part of the expression that failed.
    pub(super) range: TextRange,
}

impl From<EvalError> for Failure {
    fn from(error: EvalError) -> Failure {
        Failure { kind: error.kind.name(), message: error.message, range: error.range }
    }
}

impl Question {
    /// The variables that the context holds.
    pub(super) fn variables(&self) -> Option<&Map> {
        match &self.context {
            Some(Value::Map(variables)) => Some(variables),
            _ => None,
        }
    }
}

/// A context from the text of a JSON object, or of any JSON value.
pub(super) fn read_context(text: &str, takes_any_value: bool) -> Result<Value> {
    match serde_json::from_str(text) {
        Ok(json @ serde_json::Value::Object(_)) => Ok(from_json(json)),
        Ok(json) if takes_any_value => Ok(from_json(json)),
        Ok(_) => {
            bail!("the context is not a JSON object\n  help: write `--context '{{\"name\": \"value\"}}'`")
        }
        Err(error) => {
            bail!("the context is not JSON: {error}\n  help: write `--context '{{\"name\": \"value\"}}'`")
        }
    }
}
