//! The sources of untrusted values (cycgraph:6.21). In: what was read, and by which node; out: entries of the taint
//! registry. Invariant: an entry is a mapping with a `source`.

use nodewise_expr::javascript::json_text;
use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

use super::moment;
use crate::time::Millis;

/// The key for the time at which an entry was made.
const CREATED: &str = "created_at";

/// An entry with its source and further facts.
pub(crate) fn entry(source: &str, facts: &[(&'static str, Value)]) -> Value {
    let mut entry = Map::new();
    entry.insert("source", Value::from(source));
    for (key, value) in facts {
        entry.insert(*key, value.clone());
    }
    entry.into()
}

/// The entries for keys that an agent wrote after it read tainted keys.
pub(crate) fn derived(read: &Map, keys: &[SmolStr], agent: &SmolStr, node: &SmolStr, now: Millis) -> Map {
    if read.is_empty() {
        return Map::new();
    }
    let from = sorted(read.iter().map(|(key, _)| key.clone()).collect());
    let facts = [
        ("agent_id", Value::Text(agent.clone())),
        ("node_id", Value::Text(node.clone())),
        ("derived_from", from),
        (CREATED, moment::text(now)),
    ];
    keys.iter().map(|key| (key.clone(), entry("derived", &facts))).collect()
}

/// The entry for keys that are made from the results of a node's workers.
pub(crate) fn gathered(from: Vec<SmolStr>, node: &SmolStr, now: Millis) -> Value {
    let facts = [
        ("node_id", Value::Text(node.clone())),
        ("derived_from", sorted(from)),
        (CREATED, moment::text(now)),
    ];
    entry("derived", &facts)
}

/// The entry for a value that a node wrote, made from another entry.
pub(crate) fn of_value(entry: &Value, value: &Value, node: &SmolStr, now: Millis) -> Value {
    with(&of_given(entry, value, node), CREATED, moment::text(now))
}

/// The entry for a value that a node wrote, made from an entry that came with the value.
pub(crate) fn of_given(entry: &Value, value: &Value, node: &SmolStr) -> Value {
    let bytes = json_text(value).map_or(0, |text| text.len());
    let entry = with(entry, "node_id", Value::Text(node.clone()));
    with(&entry, "bytes", Value::Number(bytes as f64))
}

/// The names as a sorted list.
pub(crate) fn sorted(mut names: Vec<SmolStr>) -> Value {
    names.sort_unstable();
    names.dedup();
    names.into_iter().map(Value::Text).collect()
}

/// The different names as one text, in the order in which they first appear.
pub(crate) fn joined(names: &[SmolStr]) -> Value {
    let mut different: Vec<&str> = Vec::new();
    for name in names {
        if !different.contains(&name.as_str()) {
            different.push(name);
        }
    }
    Value::Text(different.join(",").into())
}

/// A copy of an entry with one more fact.
pub(crate) fn with(entry: &Value, key: &'static str, fact: Value) -> Value {
    let mut facts = match entry {
        Value::Map(facts) => Map::clone(facts),
        _ => Map::new(),
    };
    facts.insert(key, fact);
    facts.into()
}
