//! A dialect as JSON Schema (draft 07, which editors understand best), for editors and validators that
//! know nothing else. One document of a stream is one instance.
//!
//! Input: a dialect's table. Output: its schema. Invariant: a document without a fault that one document by itself can
//! show is valid; where several forms are possible, the most likely one comes first, so that a fault is one error.

mod leaf;
mod parts;
mod writer;

use serde_json::{Value, json};

use crate::table::{Dialect, Kind, KindRole, Mark, Recognition, Word};
use parts::{described, has, words};
use writer::Writer;

/// How a published schema treats keys that the table does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnknownKeys {
    /// They are errors, like findings of `unknown-field`.
    Refused,
    /// They are allowed, because plugins may add fields.
    Allowed,
}

/// The beginning of the addresses of published schemas.
const HOME: &str = "https://json.schemastore.org/nodewise-";

/// The JSON Schema for one document of the dialect.
#[must_use]
pub fn json_schema(dialect: &'static Dialect, unknown_keys: UnknownKeys) -> Value {
    let mut writer = Writer::new(unknown_keys);
    let kinds: Vec<(&'static Kind, Value)> =
        dialect.kinds.iter().map(|kind| (kind, writer.document(dialect, kind))).collect();
    let mut schema = head(dialect.id, &format!("{} declaration", dialect.title));
    schema["description"] = json!(description(dialect));
    schema["type"] = json!("object");
    match dialect.recognition {
        Recognition::ByWord { key, .. } => by_word(&mut schema, key, &kinds),
        Recognition::ByShape => by_shape(&mut schema, dialect, &kinds),
    }
    schema["definitions"] = Value::Object(writer.definitions());
    schema
}

/// The schema as the text of a file.
#[must_use]
pub fn json_schema_text(dialect: &'static Dialect, unknown_keys: UnknownKeys) -> String {
    format!("{:#}\n", json_schema(dialect, unknown_keys))
}

/// The keywords with which every schema begins.
#[must_use]
pub fn head(id: &str, title: &str) -> Value {
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": format!("{HOME}{id}.json"),
        "title": title,
    })
}

fn description(dialect: &Dialect) -> String {
    let names: Vec<&str> = dialect.kinds.iter().map(|kind| kind.name).collect();
    format!("One document of {}: {}.", dialect.title, names.join(", "))
}

/// The word decides the kind. If it is missing or unknown, that is the only error.
fn by_word(schema: &mut Value, key: &str, kinds: &[(&'static Kind, Value)]) {
    let names: Vec<(&str, &str)> = kinds.iter().map(|(kind, _)| (kind.name, kind.shape.doc)).collect();
    schema["required"] = json!([key]);
    schema["properties"] = json!({key: described(words(names), "What the document declares.")});
    let branch = |(kind, definition): &(&'static Kind, Value)| json!({"if": has(key, json!({"const": kind.name})), "then": definition});
    schema["allOf"] = kinds.iter().map(branch).collect();
}

/// The first kind whose marks hold, in the order of recognition. If none holds, the document counts as the dialect's main
/// kind, because someone may just have begun to write it.
fn by_shape(schema: &mut Value, dialect: &'static Dialect, kinds: &[(&'static Kind, Value)]) {
    let usual = kinds
        .iter()
        .find(|(kind, _)| matches!(kind.role, KindRole::Graph | KindRole::Scenario | KindRole::Rule));
    let usual = usual.map_or(json!({}), |(_, definition)| definition.clone());
    let chain = kinds.iter().rev().fold(usual, |otherwise, (kind, definition)| {
        json!({"if": evidence(dialect, kind), "then": definition, "else": otherwise})
    });
    for key in ["if", "then", "else"] {
        schema[key] = chain[key].clone();
    }
}

/// The condition for a kind: one of its sets of marks or, if files can be named after kinds, one of its own keys.
fn evidence(dialect: &'static Dialect, kind: &'static Kind) -> Value {
    let sets = kind.evidence.iter().map(|marks| match marks {
        [only] => mark(only),
        several => json!({"allOf": several.iter().map(mark).collect::<Vec<_>>()}),
    });
    let own_keys = kind.shape.fields.iter().filter(|field| {
        let others = dialect.kinds.iter().filter(|other| other.name != kind.name);
        !dialect.file_names.is_empty()
            && others.into_iter().all(|other| other.shape.field(field.key).is_none())
    });
    let sets: Vec<Value> = sets.chain(own_keys.map(|field| has(field.key, json!(true)))).collect();
    json!({"anyOf": sets})
}

fn mark(mark: &Mark) -> Value {
    let one_of = |known: &[Word]| json!({"enum": known.iter().map(|word| word.text).collect::<Vec<_>>()});
    let item = |item: Value| json!({"type": "array", "contains": item});
    match mark {
        Mark::Has(key) => has(key, json!(true)),
        Mark::Lacks(key) => json!({"not": has(key, json!(true))}),
        Mark::List(key) => has(key, json!({"type": "array"})),
        Mark::Map(key) => has(key, json!({"type": "object"})),
        Mark::Text(key) => has(key, json!({"type": "string"})),
        Mark::Word(key, known) => has(key, one_of(known)),
        Mark::ItemHas(key, inner) => has(key, item(has(inner, json!(true)))),
        Mark::ItemWord(key, inner, known) => has(key, item(has(inner, one_of(known)))),
    }
}

#[cfg(test)]
mod tests;
