//! The small pieces that schemas are made of.
//!
//! Input: keys, words, sentences. Output: schemas. Invariant: none of them needs a keyword that is not draft 07's own or
//! one of those that editors have agreed on.

use serde_json::{Value, json};

use crate::table::Word;

/// What says something about a value and asks nothing of it.
const ANNOTATIONS: &[&str] = &["description", "markdownDescription", "default", "deprecated"];

/// A mapping with the key, whose value fits. What is no mapping has nothing: the keywords alone would let it pass.
pub(super) fn has(key: &str, value: Value) -> Value {
    json!({"type": "object", "required": [key], "properties": {key: value}})
}

/// A schema that decides by a glance which of two others counts.
pub(super) fn choice(glance: Value, then: Value, otherwise: Value) -> Value {
    json!({"if": glance, "then": then, "else": otherwise})
}

/// A value of that type.
pub(super) fn of_type(name: &str) -> Value {
    json!({"type": name})
}

/// A text that the pattern fits.
pub(super) fn pattern(pattern: &str) -> Value {
    json!({"type": "string", "pattern": pattern})
}

pub(super) fn table_words(known: &[Word]) -> Value {
    words(known.iter().map(|word| (word.text, word.doc)))
}

/// One of these words, each with its meaning. Without a type beside it, another value is one fault and not two.
pub(super) fn words<'w>(known: impl IntoIterator<Item = (&'w str, &'w str)>) -> Value {
    let (texts, docs): (Vec<&str>, Vec<&str>) = known.into_iter().unzip();
    let mut schema = json!({"enum": texts, "enumDescriptions": docs});
    if docs.iter().any(|doc| is_markdown(doc)) {
        schema["markdownEnumDescriptions"] = json!(docs);
    }
    schema
}

/// The schema with a sentence about it.
pub(super) fn described(mut schema: Value, doc: &str) -> Value {
    schema["description"] = json!(doc);
    // What a reference leads to has a sentence of its own, which would be shown in the place of this one.
    if is_markdown(doc) || schema.get("$ref").is_some() {
        schema["markdownDescription"] = json!(doc);
    }
    schema
}

/// A schema that takes an empty value too. The description of the value stays where people find it.
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
