//! What cycgraph does with the values that a path selects.
//!
//! Input: a path and the value it begins at; output: a map's items, a score, a verdict. Invariant: what cycgraph
//! catches is no error here, what nodewise cannot tell is one.

use smol_str::SmolStr;
use text_size::TextRange;

use super::select::thrown;
use super::{JsonPath, PathError, PathErrorKind, Selected, select};
use crate::ast::Pattern;
use crate::pattern::{Regex, repeats_repetition};
use crate::value::Value;

/// How much of a text a pattern is matched against, in UTF-16 units.
const LONGEST_MATCHED: usize = 10_000;

/// What a verifier asserts of the first value that its path selects.
#[derive(Debug, Clone, PartialEq)]
pub enum ValueAssertion {
    /// It is neither missing nor null.
    Exists,
    /// It is this very value.
    Equals(Value),
    /// It is a text in which the pattern matches.
    Matches(SmolStr),
    /// It is a greater number.
    Greater(f64),
    /// It is a number, and no smaller one.
    GreaterOrEqual(f64),
    /// It is a smaller number.
    Less(f64),
    /// It is a number, and no greater one.
    LessOrEqual(f64),
}

/// What became of an assertion.
#[derive(Debug, Clone, PartialEq)]
pub struct AssertionResult {
    /// The value it was about; undefined where the path selects none.
    pub value: Value,
    /// Whether it holds.
    pub passed: bool,
}

/// Why a pattern of an [`ValueAssertion::Matches`] never matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PatternFault {
    /// JavaScript has no such pattern.
    Invalid(String),
    /// It repeats a group that ends in a repetition, which cycgraph refuses to run.
    RepeatedRepetition,
}

/// The items that a map goes through: the values, or those of the first one where it is a list.
pub fn map_items(path: &JsonPath, state: &Value) -> Result<Vec<Value>, PathError> {
    let values = values(path, state)?;
    Ok(match values.first() {
        Some(Value::List(items)) => items.to_vec(),
        _ => values,
    })
}

/// The score of an annealing iteration: the first value, if it is a number.
pub fn score(path: &JsonPath, payload: &Value) -> Result<f64, PathError> {
    match values(path, payload) {
        Ok(values) => Ok(match values.first() {
            Some(Value::Number(score)) => *score,
            _ => 0.0,
        }),
        Err(error) if error.kind == PathErrorKind::Thrown => Ok(0.0),
        Err(error) => Err(error),
    }
}

/// Whether an assertion holds.
pub fn verify(
    path: &JsonPath,
    target: &Value,
    assertion: &ValueAssertion,
) -> Result<AssertionResult, PathError> {
    let value = values(path, target)?.into_iter().next().unwrap_or(Value::Undefined);
    let passed = holds(&value, assertion);
    Ok(AssertionResult { value, passed })
}

/// What is wrong with the pattern of an assertion.
pub fn pattern_fault(source: &str) -> Option<PatternFault> {
    if repeats_repetition(source) {
        return Some(PatternFault::RepeatedRepetition);
    }
    Regex::new(&pattern(source)).err().map(PatternFault::Invalid)
}

fn values(path: &JsonPath, root: &Value) -> Result<Vec<Value>, PathError> {
    match select(path, root)? {
        Selected::Values(values) => Ok(values),
        Selected::Nothing => {
            let whole = TextRange::up_to(text_size::TextSize::of(path.text.as_str()));
            Err(thrown("Cannot read properties of undefined (reading '0')".to_owned(), whole))
        }
    }
}

fn holds(value: &Value, assertion: &ValueAssertion) -> bool {
    match (assertion, value) {
        (ValueAssertion::Exists, value) => !matches!(value, Value::Undefined | Value::Null),
        // Two lists are one only if they are the same list, and a document's is no list of the memory.
        (ValueAssertion::Equals(_), Value::List(_) | Value::Map(_)) => false,
        (ValueAssertion::Equals(wanted), value) => value.is_same(wanted),
        (ValueAssertion::Matches(source), Value::Text(text)) => matches(source, text),
        (ValueAssertion::Greater(bound), Value::Number(number)) => number > bound,
        (ValueAssertion::GreaterOrEqual(bound), Value::Number(number)) => number >= bound,
        (ValueAssertion::Less(bound), Value::Number(number)) => number < bound,
        (ValueAssertion::LessOrEqual(bound), Value::Number(number)) => number <= bound,
        _ => false,
    }
}

fn matches(source: &str, text: &str) -> bool {
    if repeats_repetition(source) {
        return false;
    }
    let Ok(regex) = Regex::new(&pattern(source)) else { return false };
    let mut units = 0;
    let end = text.char_indices().find_map(|(at, character)| {
        units += character.len_utf16();
        (units > LONGEST_MATCHED).then_some(at)
    });
    regex.matches(end.and_then(|end| text.get(..end)).unwrap_or(text))
}

fn pattern(source: &str) -> Pattern {
    Pattern { source: source.into(), flags: SmolStr::default() }
}
