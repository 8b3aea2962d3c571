//! The meaning of a script's operators: that of JavaScript, as implemented in jsonpath-plus' own evaluator.
//!
//! Input: values; output: values, or the release's exception. Invariant: a part that a value does not have is
//! undefined, and only null and undefined have no parts.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::methods;
use crate::ast::{ArithmeticOperator, BitOperator, Path, Segment, UnaryOperator};
use crate::builtins::Builtin;
use crate::eval::Semantics;
use crate::javascript::{is_truthy, member, to_int32, to_number, to_text, type_name};
use crate::value::Value;

/// The meaning of filters and computed names.
#[derive(Debug, Clone, Copy, Default)]
pub struct JsonPathFilter;

/// Members that the evaluator hides, unless a mapping has them itself.
const HIDDEN: &[&str] = &[
    "constructor",
    "__proto__",
    "__defineGetter__",
    "__defineSetter__",
    "__lookupGetter__",
    "__lookupSetter__",
];

impl Semantics for JsonPathFilter {
    fn truth(&self, value: &Value) -> Result<bool, String> {
        Ok(is_truthy(value))
    }

    fn property<'v>(&self, value: &'v Value, name: &str) -> Option<Cow<'v, Value>> {
        if matches!(value, Value::Undefined | Value::Null) || is_hidden(value, name) {
            return None;
        }
        Some(member(value, name).unwrap_or(Cow::Owned(Value::Undefined)))
    }

    fn missing(&self, _path: &Path, segment: &Segment) -> Result<Value, String> {
        Err(format!("{} is not defined", segment.name))
    }

    fn missing_part(&self, object: &Value, _path: &Path, segment: &Segment) -> Result<Value, String> {
        Err(unreadable(object, &segment.name))
    }

    fn equal(&self, left: &Value, right: &Value) -> bool {
        let is_nothing = |value: &Value| matches!(value, Value::Undefined | Value::Null);
        match (left, right) {
            _ if is_nothing(left) || is_nothing(right) => is_nothing(left) && is_nothing(right),
            (Value::Text(left), Value::Text(right)) => left == right,
            _ if is_object(left) && is_object(right) => left.is_same(right),
            _ => {
                let (left, right) = (primitive(left), primitive(right));
                match (&*left, &*right) {
                    (Value::Text(left), Value::Text(right)) => left == right,
                    (left, right) => to_number(left) == to_number(right),
                }
            }
        }
    }

    fn strictly_equal(&self, left: &Value, right: &Value) -> bool {
        left.is_same(right)
    }

    fn order(&self, left: &Value, right: &Value) -> Result<Option<Ordering>, String> {
        let (left, right) = (primitive(left), primitive(right));
        Ok(match (&*left, &*right) {
            (Value::Text(left), Value::Text(right)) => Some(left.encode_utf16().cmp(right.encode_utf16())),
            (left, right) => to_number(left).partial_cmp(&to_number(right)),
        })
    }

    fn contains(&self, _item: &Value, _container: &Value) -> Result<bool, String> {
        Err("filters have no operator `in`".to_owned())
    }

    fn builtin(&self, _name: &str) -> Option<&'static Builtin> {
        None
    }

    fn logic_yields_operand(&self) -> bool {
        true
    }

    fn calculate(&self, operator: ArithmeticOperator, left: &Value, right: &Value) -> Result<Value, String> {
        let (left, right) = (primitive(left), primitive(right));
        let joins = matches!(*left, Value::Text(_)) || matches!(*right, Value::Text(_));
        if operator == ArithmeticOperator::Add && joins {
            return Ok(Value::Text(format!("{}{}", to_text(&left), to_text(&right)).into()));
        }
        let (left, right) = (to_number(&left), to_number(&right));
        Ok(Value::Number(match operator {
            ArithmeticOperator::Add => left + right,
            ArithmeticOperator::Subtract => left - right,
            ArithmeticOperator::Multiply => left * right,
            ArithmeticOperator::Divide => left / right,
            ArithmeticOperator::Modulo => left % right,
            ArithmeticOperator::Power => return Err("filters have no operator `^`".to_owned()),
            ArithmeticOperator::Bits(operator) => calculate_bits(operator, left, right),
        }))
    }

    fn negate(&self, value: &Value) -> Result<Value, String> {
        Ok(Value::Number(-to_number(value)))
    }

    fn unary(&self, operator: UnaryOperator, value: &Value) -> Result<Value, String> {
        Ok(match operator {
            UnaryOperator::Number => Value::Number(to_number(value)),
            UnaryOperator::Invert => Value::Number(f64::from(!to_int32(to_number(value)))),
            UnaryOperator::TypeOf => Value::from(type_name(value)),
        })
    }

    fn subscript(&self, object: &Value, index: &Value) -> Result<Value, String> {
        let name = to_text(index);
        let part = self.property(object, &name).map(Cow::into_owned);
        part.ok_or_else(|| unreadable(object, &name))
    }

    fn invoke(&self, object: &Value, method: &str, arguments: &[Value]) -> Result<Value, String> {
        match self.property(object, method).as_deref() {
            Some(Value::Function(_)) => methods::call(object, method, arguments),
            Some(_) => Err("func is not a function".to_owned()),
            None => Err(unreadable(object, method)),
        }
    }
}

fn calculate_bits(operator: BitOperator, left: f64, right: f64) -> f64 {
    let (left, right) = (to_int32(left), to_int32(right));
    // Shifts only use the lowest five bits of the right operand.
    let distance = right.cast_unsigned();
    f64::from(match operator {
        BitOperator::And => left & right,
        BitOperator::Or => left | right,
        BitOperator::ExclusiveOr => left ^ right,
        BitOperator::ShiftLeft => left.wrapping_shl(distance),
        BitOperator::ShiftRight => left.wrapping_shr(distance),
        BitOperator::ShiftRightUnsigned => {
            return f64::from(left.cast_unsigned().wrapping_shr(distance));
        }
    })
}

fn is_hidden(value: &Value, name: &str) -> bool {
    let is_own = matches!(value, Value::Map(map) if map.get(name).is_some());
    !is_own && HIDDEN.contains(&name)
}

fn unreadable(object: &Value, name: &str) -> String {
    format!("Cannot read properties of {} (reading '{name}')", to_text(object))
}

fn is_object(value: &Value) -> bool {
    matches!(value, Value::List(_) | Value::Map(_) | Value::Pattern(_) | Value::Function(_))
}

/// The simple value that an object converts to.
fn primitive(value: &Value) -> Cow<'_, Value> {
    if is_object(value) { Cow::Owned(Value::Text(to_text(value).into())) } else { Cow::Borrowed(value) }
}
