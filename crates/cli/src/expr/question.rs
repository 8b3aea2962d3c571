//! Questions about expressions and their answers, for any language.
//!
//! Input: JSON. Output: values for the languages, and JSON again. Invariant: a question means the same in every
//! language that supports it.

use anyhow::{Result, bail};
use clap::ValueEnum;
use nodewise_expr::TextRange;
use nodewise_expr::eval::EvalError;
use nodewise_expr::json::from_json;
use nodewise_expr::problem::Problem;
use nodewise_expr::value::{Map, Value};
use serde::Deserialize;
use smol_str::SmolStr;

/// Which variant of a language to follow, if there are two.
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

/// A question.
#[derive(Debug, Default)]
pub(super) struct Question {
    /// The expression.
    pub(super) expr: String,
    /// The values that it can read. Without them, nothing is evaluated. An object, except for paths.
    pub(super) context: Option<Value>,
    /// The time in seconds since 1970 UTC. Default: the current time.
    pub(super) now: Option<f64>,
    /// The type names of the active errors.
    pub(super) errors: Vec<SmolStr>,
    /// The variant of the language.
    pub(super) profile: Profile,
    /// Whether an edge must not read tainted memory.
    pub(super) strict_taint: bool,
}

/// An answer.
pub(super) enum Answer {
    /// The text is not a valid expression.
    Rejected(Problem),
    /// The text is a valid expression.
    Accepted(Accepted),
}

/// The answer for a valid expression.
pub(super) struct Accepted {
    /// Its tree.
    pub(super) ast: String,
    /// Its evaluation in the context.
    pub(super) evaluated: Option<Evaluated>,
}

/// The evaluation of an expression.
pub(super) struct Evaluated {
    /// Its value.
    pub(super) value: Result<serde_json::Value, Failure>,
    /// The decisions of a runtime, by name. `routes` is the target of an edge.
    pub(super) verdicts: Vec<(&'static str, serde_json::Value)>,
}

/// The reason why an expression has no value.
pub(super) struct Failure {
    /// The class of error, as in conformance tables.
    pub(super) kind: &'static str,
    /// The message.
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
    /// The variables in the context.
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
