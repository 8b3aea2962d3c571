//! Values of expressions, from the JSON that tables and recorded answers are written in.

use nodewise_expr::value::{Map, Value};
use serde_json::Value as Json;

pub(crate) fn value_of(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => Value::Number(number.as_f64().unwrap()),
        Json::String(text) => Value::from(text.as_str()),
        Json::Array(items) => items.iter().map(value_of).collect(),
        Json::Object(entries) => map_of(entries).into(),
    }
}

pub(crate) fn map_of(entries: &serde_json::Map<String, Json>) -> Map {
    entries.iter().map(|(key, entry)| (key.as_str().into(), value_of(entry))).collect()
}
