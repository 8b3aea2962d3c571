//! What the operators of filtrex mean.
//!
//! Input: values; output: values and verdicts. Invariant: only a list of one element is converted: it counts as that
//! element where a number, text or boolean is wanted.

use std::borrow::Cow;
use std::cmp::Ordering;

use smol_str::SmolStr;

use super::functions;
use crate::ast::{ArithmeticOperator, Path, Pattern, Segment};
use crate::builtins::Builtin;
use crate::eval::Semantics;
use crate::javascript::{member, number_to_text, same_value_zero};
use crate::pattern::Regex;
use crate::problem::quote;
use crate::value::{Map, Value};

/// The meaning of filtrex.
#[derive(Debug, Clone, Copy, Default)]
pub struct Filtrex;

impl Semantics for Filtrex {
    fn truth(&self, value: &Value) -> Result<bool, String> {
        match unwrapped(value) {
            Value::Bool(value) => Ok(*value),
            other => Err(wanted("a boolean", other)),
        }
    }

    fn property<'v>(&self, value: &'v Value, name: &str) -> Option<Cow<'v, Value>> {
        Some(match value {
            Value::Undefined | Value::Null => Cow::Borrowed(value),
            value => member(value, name).unwrap_or(Cow::Owned(Value::Undefined)),
        })
    }

    /// A name that is not in scope may still be a member that the scope inherits.
    fn missing(&self, path: &Path, segment: &Segment) -> Result<Value, String> {
        let scope: Value = Map::new().into();
        let mut value = member(&scope, &segment.name).map_or(Value::Undefined, Cow::into_owned);
        for segment in path.segments.iter().skip(1) {
            value = self.property(&value, &segment.name).map_or(Value::Undefined, Cow::into_owned);
        }
        Ok(value)
    }

    fn equal(&self, left: &Value, right: &Value) -> bool {
        left.is_same(right)
    }

    fn order(&self, left: &Value, right: &Value) -> Result<Option<Ordering>, String> {
        Ok(number(left)?.partial_cmp(&number(right)?))
    }

    fn contains(&self, item: &Value, container: &Value) -> Result<bool, String> {
        let items = elements(item)?;
        let container = elements(container)?;
        Ok(items.iter().all(|item| container.iter().any(|element| same_value_zero(item, element))))
    }

    fn builtin(&self, name: &str) -> Option<&'static Builtin> {
        functions::function(name)
    }

    fn matches(&self, text: &Value, pattern: &Value) -> Result<bool, String> {
        let pattern = compiled(text_of(pattern)?)?;
        Ok(pattern.matches(text_of(text)?))
    }

    fn calculate(&self, operator: ArithmeticOperator, left: &Value, right: &Value) -> Result<Value, String> {
        let result = match operator {
            ArithmeticOperator::Add => return sum(left, right),
            // The release has one function for negation and subtraction: a missing right operand means negation.
            ArithmeticOperator::Subtract if *right == Value::Undefined => -number(left)?,
            ArithmeticOperator::Subtract => number(left)? - number(right)?,
            ArithmeticOperator::Multiply => number(left)? * number(right)?,
            ArithmeticOperator::Divide => number(left)? / number(right)?,
            ArithmeticOperator::Modulo => modulo(number(left)?, number(right)?),
            ArithmeticOperator::Power => power(number(left)?, number(right)?),
            ArithmeticOperator::Bits(_) => return Err("filtrex has no operators on bits".to_owned()),
        };
        Ok(Value::Number(result))
    }

    fn negate(&self, value: &Value) -> Result<Value, String> {
        Ok(Value::Number(-number(value)?))
    }
}

/// The regular expression of a pattern.
pub(crate) fn compiled(pattern: &str) -> Result<Regex, String> {
    let compiled = Regex::new(&Pattern { source: pattern.into(), flags: SmolStr::default() });
    compiled.map_err(|error| format!("`{}` is no regular expression: {error}", quote(pattern)))
}

/// The element of a list of one element; any other value as it is.
fn unwrapped(value: &Value) -> &Value {
    match value {
        Value::List(items) => match items.as_ref() {
            [item] => item,
            _ => value,
        },
        value => value,
    }
}

fn number(value: &Value) -> Result<f64, String> {
    match unwrapped(value) {
        Value::Number(number) => Ok(*number),
        other => Err(wanted("a number", other)),
    }
}

fn text_of(value: &Value) -> Result<&str, String> {
    match unwrapped(value) {
        Value::Text(text) => Ok(text),
        other => Err(wanted("a text", other)),
    }
}

fn elements(value: &Value) -> Result<&[Value], String> {
    match value {
        Value::Undefined | Value::Null => Err(wanted("a list", value)),
        Value::List(items) => Ok(items),
        value => Ok(std::slice::from_ref(value)),
    }
}

fn wanted(type_name: &str, found: &Value) -> String {
    let found = match found {
        Value::Undefined => "a missing value",
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::Text(_) => "a text",
        Value::List(_) => "a list",
        Value::Map(_) => "a mapping",
        Value::Function(_) => "a function",
        Value::Pattern(_) => "a regular expression",
    };
    format!("{type_name} is wanted here, not {found}")
}

fn sum(left: &Value, right: &Value) -> Result<Value, String> {
    let written = |value: &Value| match unwrapped(value) {
        Value::Number(number) => Ok(number_to_text(*number)),
        Value::Text(text) => Ok(text.to_string()),
        other => Err(wanted("a number or a text", other)),
    };
    if let (Value::Number(left), Value::Number(right)) = (unwrapped(left), unwrapped(right)) {
        return Ok(Value::Number(left + right));
    }
    Ok(Value::from((written(left)? + &written(right)?).as_str()))
}

/// The remainder with the sign of the divisor.
fn modulo(left: f64, right: f64) -> f64 {
    (left % right + right) % right
}

fn power(base: f64, exponent: f64) -> f64 {
    // JavaScript knows no limit here where IEEE 754 says 1.
    let is_undecided = exponent.is_nan() || (base.abs() == 1.0 && exponent.is_infinite());
    if is_undecided { f64::NAN } else { base.powf(exponent) }
}
