//! What the rules about declared inputs and outputs share: finding them, and which types exclude one another. Only what the release
//! enforces counts: a `type` that is one known word.

use nodewise_expr::value::Value;
use nodewise_model::graph::Port;
use rustc_hash::FxHashMap;

/// The keyword of JSON Schema that is compared.
const TYPE: &str = "type";
/// The words of JSON Schema that the release enforces, and how a message says them.
const TYPES: &[(&str, &str)] = &[
    ("object", "a mapping"),
    ("string", "text"),
    ("number", "a number"),
    ("integer", "a number"),
    ("boolean", "true or false"),
    ("array", "a list"),
];

pub(in crate::rules) fn by_key(ports: &[Port]) -> FxHashMap<&str, &Port> {
    ports.iter().map(|port| (port.key.value.as_str(), port)).collect()
}

/// The types of two declarations, if they exclude one another.
pub(in crate::rules) fn clash(one: &Port, other: &Port) -> Option<(&'static str, &'static str)> {
    let types = (enforced(one)?, enforced(other)?);
    (types.0 != types.1).then_some(types)
}

fn enforced(port: &Port) -> Option<&'static str> {
    let Some(Value::Map(schema)) = &port.schema else { return None };
    let Some(Value::Text(word)) = schema.get(TYPE) else { return None };
    TYPES.iter().find(|(known, _)| *known == word).map(|(_, words)| *words)
}
