//! Questions about expressions.
//!
//! Input: an expression, and JSON. Output: an answer of its language. Invariant: a question means the same in every
//! language that supports it.

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::bail;
use clap::ValueEnum;
use clap::builder::PossibleValue;
use nodewise_expr::json::from_json;
use nodewise_expr::language::Circumstances;
use nodewise_expr::problem::ParseProblem;
use nodewise_expr::standalone::{self, StandaloneAnswer};
use nodewise_expr::value::Value;
use serde::Deserialize;
use smol_str::SmolStr;

use super::languages::{Choice, released_parsers};

/// Which variant of a language to follow, if there are two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub(super) enum Profile {
    /// The specification.
    #[default]
    #[serde(rename = "spec")]
    Spec,
    /// The parser of a release.
    #[serde(rename = "release", alias = "0.1.1", alias = "0.1.0")]
    Release,
}

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

impl ValueEnum for Profile {
    fn value_variants<'a>() -> &'a [Profile] {
        &[Profile::Spec, Profile::Release]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Profile::Spec => PossibleValue::new("spec").help("The specification"),
            Profile::Release => {
                PossibleValue::new("release").help(released_parsers()).aliases(["0.1.1", "0.1.0"])
            }
        })
    }
}

impl Question {
    /// Parses the expression, and evaluates it if there is a context. The error is why it is not valid.
    pub(super) fn ask(&self, language: Choice) -> Result<StandaloneAnswer, ParseProblem> {
        let circumstances = |state: &Value| Circumstances {
            state: state.clone(),
            now: self.now.unwrap_or_else(clock),
            strict_taint: self.strict_taint,
            errors: self.errors.clone(),
        };
        let context = self.context.as_ref().map(circumstances);
        (language.standalone.answer)(&standalone::StandaloneQuestion {
            text: &self.expr,
            context: context.as_ref(),
            follows_release: self.profile == Profile::Release,
        })
    }
}

fn clock() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}

/// A context from the text of a JSON object, or of any JSON value.
pub(super) fn read_context(text: &str, takes_any_value: bool) -> anyhow::Result<Value> {
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
