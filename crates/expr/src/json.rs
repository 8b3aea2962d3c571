//! Values as JSON, and JSON as values.
//!
//! Input: a value of either kind; output: the other kind. Invariant: what JSON can represent is the same after a
//! conversion there and back.

use serde_json::Number;
use smol_str::SmolStr;

use crate::value::{Map, Value};

/// Whole numbers below this are exact in a 64-bit float.
const INTEGER_MAX: f64 = 9_007_199_254_740_992.0;

/// The value of a JSON text; `None` if the text is not JSON.
#[must_use]
pub fn parse_json(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok().map(from_json)
}

/// A JSON value as a value of an expression.
pub fn from_json(json: serde_json::Value) -> Value {
    match json {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(value) => Value::Bool(value),
        serde_json::Value::Number(number) => Value::Number(number.as_f64().unwrap_or(f64::NAN)),
        serde_json::Value::String(text) => Value::Text(text.into()),
        serde_json::Value::Array(items) => Value::List(items.into_iter().map(from_json).collect()),
        serde_json::Value::Object(entries) => {
            let entries = entries.into_iter().map(|(key, value)| (SmolStr::from(key), from_json(value)));
            entries.collect::<Map>().into()
        }
    }
}

/// A value as JSON; `null` for what JSON cannot represent.
pub fn to_json(value: &Value) -> serde_json::Value {
    match value {
        Value::Undefined | Value::Null => serde_json::Value::Null,
        Value::Bool(value) => serde_json::Value::Bool(*value),
        Value::Number(number) => number_to_json(*number),
        Value::Text(text) => serde_json::Value::String(text.to_string()),
        Value::List(items) => serde_json::Value::Array(items.iter().map(to_json).collect()),
        Value::Map(map) => {
            let entries = map.iter().map(|(key, value)| (key.to_string(), to_json(value)));
            serde_json::Value::Object(entries.collect())
        }
        Value::Function(name) => serde_json::Value::String(format!("function {name}")),
        Value::Pattern(_) => serde_json::Value::Object(serde_json::Map::new()),
    }
}

/// A value as JSON, with a text in angle brackets for what JSON cannot represent.
pub fn to_json_with_marks(value: &Value) -> serde_json::Value {
    match value {
        Value::Undefined => "<undefined>".into(),
        Value::Number(number) if number.is_nan() => "<NaN>".into(),
        Value::Number(number) if number.is_infinite() && *number > 0.0 => "<Infinity>".into(),
        Value::Number(number) if number.is_infinite() => "<-Infinity>".into(),
        Value::Function(_) => "<function>".into(),
        value => to_json(value),
    }
}

/// A number as JSON, written without a fraction if it is whole.
pub fn number_to_json(number: f64) -> serde_json::Value {
    if number.fract() == 0.0 && number.abs() < INTEGER_MAX {
        return serde_json::Value::from(number as i64);
    }
    Number::from_f64(number).map_or(serde_json::Value::Null, serde_json::Value::Number)
}
