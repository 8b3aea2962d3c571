//! What the rules about declared inputs and outputs share: finding them, and which types exclude one another. Only what the release
//! enforces counts: a `type` that is one known word.

use nodewise_expr::value::Value;
use nodewise_model::graph::Port;
use rustc_hash::FxHashMap;

/// The JSON Schema keyword that is compared.
const TYPE: &str = "type";
/// The types in JSON Schema that the release enforces, each with its name for messages.
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

/// The types of two declared ports, if no value fits both.
pub(in crate::rules) fn clash(one: &Port, other: &Port) -> Option<(&'static str, &'static str)> {
    let types = (enforced(one)?, enforced(other)?);
    (types.0 != types.1).then_some(types)
}

fn enforced(port: &Port) -> Option<&'static str> {
    let Some(Value::Map(schema)) = &port.schema else { return None };
    let Some(Value::Text(word)) = schema.get(TYPE) else { return None };
    TYPES.iter().find(|(known, _)| *known == word).map(|(_, words)| *words)
}
