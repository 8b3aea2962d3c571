//! What the operators of LimanCE mean.
//!
//! Input: values; output: verdicts. Invariant: equality and truth never fail; order and membership fail for types
//! that do not have them.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::builtins;
use crate::ast::{Path, Segment};
use crate::builtins::Builtin;
use crate::eval::Semantics;
use crate::value::{Map, Value};

/// The meaning of LimanCE.
#[derive(Debug, Clone, Copy, Default)]
pub struct LimanCe;

impl Semantics for LimanCe {
    fn truth(&self, value: &Value) -> Result<bool, String> {
        Ok(match value {
            Value::Undefined | Value::Null => false,
            Value::Bool(value) => *value,
            Value::Number(value) => *value != 0.0,
            Value::Text(text) => !text.is_empty(),
            Value::List(items) => !items.is_empty(),
            Value::Map(map) => !map.is_empty(),
            Value::Pattern(_) | Value::Function(_) => true,
        })
    }

    fn property<'v>(&self, value: &'v Value, name: &str) -> Option<Cow<'v, Value>> {
        match value {
            Value::Map(map) => map.get(name).map(Cow::Borrowed),
            _ => None,
        }
    }

    fn missing(&self, path: &Path, segment: &Segment) -> Result<Value, String> {
        let dotted = path.dotted();
        Err(if path.segments.first() == Some(segment) {
            format!("`{}` does not exist", segment.name)
        } else {
            format!("`{}` is missing in `{dotted}`", segment.name)
        })
    }

    fn equal(&self, left: &Value, right: &Value) -> bool {
        match (left, right) {
            (Value::List(left), Value::List(right)) => {
                left.len() == right.len()
                    && left.iter().zip(right.iter()).all(|(left, right)| self.equal(left, right))
            }
            (Value::Map(left), Value::Map(right)) => self.equal_maps(left, right),
            (Value::Text(left), Value::Text(right)) => left == right,
            (Value::Null, Value::Null) => true,
            _ => matches!((number(left), number(right)), (Some(left), Some(right)) if left == right),
        }
    }

    fn order(&self, left: &Value, right: &Value) -> Result<Option<Ordering>, String> {
        match (left, right) {
            (Value::Text(left), Value::Text(right)) => Ok(Some(left.cmp(right))),
            (Value::List(left), Value::List(right)) => {
                let difference = left.iter().zip(right.iter()).find(|(left, right)| !self.equal(left, right));
                match difference {
                    Some((left, right)) => self.order(left, right),
                    None => Ok(Some(left.len().cmp(&right.len()))),
                }
            }
            _ => match (number(left), number(right)) {
                (Some(left), Some(right)) => Ok(left.partial_cmp(&right)),
                _ => Err(format!("a {} and a {} have no order", left.type_name(), right.type_name())),
            },
        }
    }

    fn contains(&self, item: &Value, container: &Value) -> Result<bool, String> {
        match (item, container) {
            (_, Value::List(items)) => Ok(items.iter().any(|element| self.equal(item, element))),
            (Value::Text(part), Value::Text(whole)) => Ok(whole.contains(part.as_str())),
            (Value::Text(key), Value::Map(map)) => Ok(map.get(key).is_some()),
            _ => Err(format!("a {} cannot be in a {}", item.type_name(), container.type_name())),
        }
    }

    fn builtin(&self, name: &str) -> Option<&'static Builtin> {
        builtins::builtin(name)
    }
}

impl LimanCe {
    fn equal_maps(&self, left: &Map, right: &Map) -> bool {
        left.len() == right.len()
            && left.iter().all(|(key, value)| right.get(key).is_some_and(|other| self.equal(value, other)))
    }
}

/// The number that a value counts as; a boolean is 0 or 1.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => Some(*number),
        Value::Bool(value) => Some(f64::from(u8::from(*value))),
        _ => None,
    }
}
