//! The small pieces that schemas are made of.
//!
//! Input: keys, words, sentences. Output: schemas. Invariant: none of them needs a keyword that is not draft 07's own or
//! one of those that editors have agreed on.

use serde_json::{Value, json};

use crate::table::Word;

/// Keywords that describe a value without restricting it.
const ANNOTATIONS: &[&str] = &["description", "markdownDescription", "default", "deprecated"];

/// A mapping that has the key, with a value that fits. Requires the type, because these keywords alone accept every value
/// that is not a mapping.
pub(super) fn has(key: &str, value: Value) -> Value {
    json!({"type": "object", "required": [key], "properties": {key: value}})
}

/// A schema that applies `then` if the value fits `glance`, and `otherwise` if not.
pub(super) fn choice(glance: Value, then: Value, otherwise: Value) -> Value {
    json!({"if": glance, "then": then, "else": otherwise})
}

/// The schema of any value with this type.
pub(super) fn of_type(name: &str) -> Value {
    json!({"type": name})
}

/// The schema of a text that matches a pattern.
pub(super) fn pattern(pattern: &str) -> Value {
    json!({"type": "string", "pattern": pattern})
}

pub(super) fn table_words(known: &[Word]) -> Value {
    words(known.iter().map(|word| (word.text, word.doc)))
}

/// The schema of one of these words, each with its description. It states no type, so that a wrong value gives one error
/// instead of two.
pub(super) fn words<'w>(known: impl IntoIterator<Item = (&'w str, &'w str)>) -> Value {
    let (texts, docs): (Vec<&str>, Vec<&str>) = known.into_iter().unzip();
    let mut schema = json!({"enum": texts, "enumDescriptions": docs});
    if docs.iter().any(|doc| is_markdown(doc)) {
        schema["markdownEnumDescriptions"] = json!(docs);
    }
    schema
}

/// The schema with a description.
pub(super) fn described(mut schema: Value, doc: &str) -> Value {
    schema["description"] = json!(doc);
    // The target of a `$ref` has its own description, which editors would show instead of this one.
    if is_markdown(doc) || schema.get("$ref").is_some() {
        schema["markdownDescription"] = json!(doc);
    }
    schema
}

/// A schema that also accepts `null`. The description stays at the top, where editors find it.
pub(super) fn nullable(mut schema: Value) -> Value {
    if schema.get("$ref").is_none()
        && schema.get("enum").is_none()
        && let Some(Value::String(name)) = schema.get("type")
    {
        schema["type"] = json!([name, "null"]);
        return schema;
    }
    let mut outer = json!({});
    if let Some(members) = schema.as_object_mut() {
        for annotation in ANNOTATIONS {
            if let Some(value) = members.shift_remove(*annotation) {
                outer[*annotation] = value;
            }
        }
    }
    outer["anyOf"] = json!([schema, {"type": "null"}]);
    outer
}

fn is_markdown(doc: &str) -> bool {
    doc.contains('`')
}
