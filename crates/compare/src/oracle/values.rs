//! Values of expressions as JSON, in the format of the oracles.
//!
//! Input is the JSON values that an expression reads, and its result. Output is the other form. Invariant: values that
//! JSON cannot represent, including fractions, are `{"$": word}` on both sides, so equal values have equal JSON.

use nodewise_expr::javascript::number_to_text;
use nodewise_expr::value::{Map, Value};
use serde_json::{Value as Json, json};

/// The largest number for which all smaller integers are exact.
const SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

pub(super) fn from_json(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(truth) => Value::Bool(*truth),
        Json::Number(number) => Value::Number(number.as_f64().unwrap_or(f64::NAN)),
        Json::String(text) => Value::Text(text.as_str().into()),
        Json::Array(items) => Value::List(items.iter().map(from_json).collect()),
        Json::Object(_) => members(json).into(),
    }
}

/// The members of a JSON object. Empty for anything else.
pub(super) fn members(json: &Json) -> Map {
    json.as_object()
        .into_iter()
        .flatten()
        .map(|(key, member)| (key.as_str().into(), from_json(member)))
        .collect()
}

pub(super) fn show(value: &Value) -> Json {
    match value {
        Value::Undefined => json!({"$": "undefined"}),
        Value::Null => Json::Null,
        Value::Bool(truth) => json!(truth),
        Value::Number(number) if number.fract() == 0.0 && number.abs() <= SAFE_INTEGER => {
            json!(*number as i64)
        }
        Value::Number(number) => json!({"$": number_to_text(*number)}),
        Value::Text(text) => json!(text.as_str()),
        Value::List(items) => items.iter().map(show).collect(),
        Value::Map(map) => map.iter().map(|(key, member)| (key.to_string(), show(member))).collect(),
        Value::Pattern(_) => json!({"$": "engine object"}),
        Value::Function(_) => json!({"$": "function"}),
    }
}
