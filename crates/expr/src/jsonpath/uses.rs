//! What cycgraph does with the values that a path selects.
//!
//! Input: a path and the value that it begins at; output: a map's items, a score, a verdict. Invariant: an exception
//! that cycgraph catches is no error here; a result that nodewise cannot compute is one.

use smol_str::SmolStr;
use text_size::TextRange;

use super::select::thrown;
use super::{JsonPath, PathError, PathErrorKind, Selected, select};
use crate::ast::Pattern;
use crate::pattern::{Regex, repeats_repetition};
use crate::value::Value;

/// The length limit of a text that a pattern is matched against, in UTF-16 units.
const LONGEST_MATCHED: usize = 10_000;

/// What a verifier asserts of the first value that its path selects.
#[derive(Debug, Clone, PartialEq)]
pub enum ValueAssertion {
    /// It is neither missing nor null.
    Exists,
    /// It is equal to this value.
    Equals(Value),
    /// It is a text in which the pattern matches.
    Matches(SmolStr),
    /// It is a number greater than this.
    Greater(f64),
    /// It is a number, and not less than this.
    GreaterOrEqual(f64),
    /// It is a number less than this.
    Less(f64),
    /// It is a number, and not greater than this.
    LessOrEqual(f64),
}

#[derive(Debug, Clone, PartialEq)]
pub struct AssertionResult {
    /// The value that was checked; undefined if the path selects none.
    pub value: Value,
    /// Whether it holds.
    pub passed: bool,
}

/// The reason why a pattern of a [`ValueAssertion::Matches`] never matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PatternFault {
    /// JavaScript does not accept the pattern.
    Invalid(String),
    /// It repeats a group that ends in a repetition, which cycgraph refuses to run.
    RepeatedRepetition,
}

/// The items of a map: the selected values, or the items of the first value if that is a list.
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

/// Checks an assertion about the first value that a path selects.
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
        // Lists are only equal to themselves, and a list of the document is never the list in the memory.
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
