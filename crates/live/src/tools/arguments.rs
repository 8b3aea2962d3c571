//! Arguments, checked against what a tool declares before it is called.
//!
//! Input: a JSON Schema, the arguments; output: nothing, or a lasting failure that names the argument, what was expected and what
//! came. Invariant: a schema reaches nothing outside itself.

use anyhow::{Result, anyhow};
use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{ValidationError, Validator};
use nodewise_engine::outcome::Failure;
use serde_json::Value as Json;

/// The class of the failure if the arguments of a call do not fit.
pub(super) const CLASS: &str = "InvalidArguments";
/// How many problems a message names.
const MOST_PROBLEMS: usize = 3;
/// How much of a value a message shows, in characters.
const LONGEST_SHOWN: usize = 80;

/// The JSON Schema of a tool's arguments, ready to check calls.
#[derive(Debug)]
pub(super) struct Arguments {
    validator: Validator,
}

impl Arguments {
    /// Reads a JSON Schema. Returns an error if it is not valid.
    pub(super) fn new(schema: &Json) -> Result<Arguments> {
        let validator = jsonschema::validator_for(schema).map_err(|error| anyhow!("{error}"))?;
        Ok(Arguments { validator })
    }

    /// Checks the arguments of a call. The failure names the arguments that do not fit.
    pub(super) fn check(&self, tool: &str, arguments: &Json) -> Result<(), Failure> {
        let mut wrong = self.validator.iter_errors(arguments);
        let problems: Vec<String> = wrong.by_ref().take(MOST_PROBLEMS).map(|error| words(&error)).collect();
        if problems.is_empty() {
            return Ok(());
        }
        let more = match wrong.count() {
            0 => String::new(),
            more => format!("; and {more} more"),
        };
        let message =
            format!("the call of `{tool}` does not match its declaration: {}{more}", problems.join("; "));
        Err(Failure::lasting(CLASS, message))
    }
}

/// Describes a problem: which argument, what it must be, and what it is.
fn words(error: &ValidationError<'_>) -> String {
    let place = error.instance_path().to_string().trim_start_matches('/').replace('/', ".");
    let inside = |name: &str| if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") };
    let subject = if place.is_empty() { "the arguments".to_owned() } else { format!("`{place}`") };
    let came = shown(error.instance());
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            format!("`{}` is missing", inside(property.as_str().unwrap_or_default()))
        }
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            let names: Vec<String> = unexpected.iter().map(|name| format!("`{}`", inside(name))).collect();
            format!("{} is not declared", names.join(", "))
        }
        ValidationErrorKind::Type { kind } => {
            let expected: Vec<String> = match kind {
                TypeKind::Single(kind) => vec![kind.to_string()],
                TypeKind::Multiple(kinds) => kinds.iter().map(|kind| kind.to_string()).collect(),
            };
            format!("{subject} must be of type {}, but is {came}", expected.join(" or "))
        }
        ValidationErrorKind::Enum { options } => {
            format!("{subject} must be one of {}, but is {came}", shown(options))
        }
        _ => format!("{subject} is {came}, but {}", error.masked_with("it")),
    }
}

fn shown(value: &Json) -> String {
    let text = value.to_string();
    match text.char_indices().nth(LONGEST_SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
