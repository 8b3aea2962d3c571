//! What the operators of routing expressions mean.
//!
//! Input: values; output: verdicts, by the conversions of JavaScript. Invariant: nothing fails, and order is
//! always numeric.

use std::borrow::Cow;
use std::cmp::Ordering;

use crate::ast::{Path, Segment};
use crate::builtins::Builtin;
use crate::eval::Semantics;
use crate::javascript;
use crate::value::Value;

/// The meaning of routing expressions.
#[derive(Debug, Clone, Copy, Default)]
pub struct RoutingSemantics;

impl Semantics for RoutingSemantics {
    fn truth(&self, value: &Value) -> Result<bool, String> {
        Ok(javascript::is_truthy(value))
    }

    fn property<'v>(&self, value: &'v Value, name: &str) -> Option<Cow<'v, Value>> {
        match value {
            Value::Map(_) | Value::List(_) => javascript::member(value, name),
            // The runtime only follows names in objects: even a text has no length for it.
            _ => None,
        }
    }

    fn missing(&self, _path: &Path, _segment: &Segment) -> Result<Value, String> {
        Ok(Value::Undefined)
    }

    fn equal(&self, left: &Value, right: &Value) -> bool {
        loosely_equal(left, right)
    }

    fn strictly_equal(&self, left: &Value, right: &Value) -> bool {
        left.is_same(right)
    }

    fn order(&self, left: &Value, right: &Value) -> Result<Option<Ordering>, String> {
        Ok(number_of(left).partial_cmp(&number_of(right)))
    }

    fn contains(&self, _item: &Value, _container: &Value) -> Result<bool, String> {
        Err("the language has no membership".to_owned())
    }

    fn builtin(&self, _name: &str) -> Option<&'static Builtin> {
        None
    }
}

/// Equality after conversion.
fn loosely_equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Undefined | Value::Null, Value::Undefined | Value::Null) => true,
        (Value::Undefined | Value::Null, _) | (_, Value::Undefined | Value::Null) => false,
        (Value::Text(left), Value::Text(right)) => left == right,
        (left, right) if is_object(left) && is_object(right) => left.is_same(right),
        (object, Value::Text(text)) | (Value::Text(text), object) if is_object(object) => {
            javascript::to_text(object) == text.as_str()
        }
        (left, right) => number_of(left) == number_of(right),
    }
}

fn is_object(value: &Value) -> bool {
    matches!(value, Value::List(_) | Value::Map(_) | Value::Function(_))
}

fn number_of(value: &Value) -> f64 {
    javascript::to_number(value)
}
