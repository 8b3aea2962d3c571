//! The schemas of all dialects, held to what editors and schema collections ask for.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use serde_json::{Map, Value};

use super::{UnknownKeys, json_schema};
use crate::tables::DIALECTS;

/// What draft 07 has, and what editors and collections of schemas have agreed on beside it.
const KEYWORDS: &[&str] = &[
    "$schema",
    "$id",
    "$ref",
    "title",
    "description",
    "markdownDescription",
    "type",
    "enum",
    "enumDescriptions",
    "markdownEnumDescriptions",
    "const",
    "default",
    "examples",
    "deprecated",
    "format",
    "pattern",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "items",
    "contains",
    "minItems",
    "maxItems",
    "properties",
    "additionalProperties",
    "propertyNames",
    "required",
    "dependencies",
    "minProperties",
    "maxProperties",
    "if",
    "then",
    "else",
    "allOf",
    "anyOf",
    "not",
    "definitions",
];

/// Every schema inside a schema, with the way to it.
fn walk(schema: &Value, path: &str, visit: &mut dyn FnMut(&str, &Map<String, Value>)) {
    let Some(members) = schema.as_object() else { return };
    visit(path, members);
    for (keyword, value) in members {
        let path = format!("{path}/{keyword}");
        match keyword.as_str() {
            "properties" | "definitions" | "dependencies" => {
                for (key, inner) in value.as_object().unwrap() {
                    walk(inner, &format!("{path}/{key}"), visit);
                }
            }
            "allOf" | "anyOf" => {
                value.as_array().unwrap().iter().for_each(|inner| walk(inner, &path, visit));
            }
            "if"
            | "then"
            | "else"
            | "not"
            | "items"
            | "contains"
            | "additionalProperties"
            | "propertyNames" => {
                walk(value, &path, visit);
            }
            _ => {}
        }
    }
}

#[test]
fn every_reference_leads_somewhere_and_every_definition_is_used() {
    for dialect in &DIALECTS {
        let schema = json_schema(dialect, UnknownKeys::Refused);
        let mut used = Vec::new();
        walk(&schema, "", &mut |_, members| {
            used.extend(members.get("$ref").map(|name| name.as_str().unwrap().to_owned()));
        });
        for reference in &used {
            assert!(
                schema.pointer(reference.trim_start_matches('#')).is_some(),
                "{}: {reference}",
                dialect.id
            );
        }
        for name in schema["definitions"].as_object().unwrap().keys() {
            assert!(used.contains(&format!("#/definitions/{name}")), "{}: nobody uses {name}", dialect.id);
        }
    }
}

#[test]
fn no_keyword_is_unknown_to_collections_of_schemas() {
    for dialect in &DIALECTS {
        walk(&json_schema(dialect, UnknownKeys::Refused), "", &mut |path, members| {
            for keyword in members.keys() {
                assert!(KEYWORDS.contains(&keyword.as_str()), "{}{path}: {keyword}", dialect.id);
            }
        });
    }
}

#[test]
fn what_people_write_is_described() {
    for dialect in &DIALECTS {
        walk(&json_schema(dialect, UnknownKeys::Refused), "", &mut |path, members| {
            // Conditions and overlays only name properties that are described elsewhere.
            let properties = members.get("properties").and_then(Value::as_object);
            if path.ends_with("/if") || members.get("title").is_none() {
                return;
            }
            for (key, property) in properties.into_iter().flatten() {
                let is_described = property == &Value::Bool(true) || property["description"].is_string();
                assert!(is_described, "{}{path}: {key}", dialect.id);
            }
        });
    }
}

#[test]
fn unknown_keys_are_refused_or_left_alone() {
    for (unknown_keys, expected) in [(UnknownKeys::Refused, true), (UnknownKeys::Allowed, false)] {
        let mut closed = 0;
        walk(&json_schema(DIALECTS.first().unwrap(), unknown_keys), "", &mut |_, members| {
            closed += usize::from(members.get("additionalProperties") == Some(&Value::Bool(false)));
        });
        assert_eq!(closed > 0, expected);
    }
}

#[test]
fn a_default_is_the_value_that_the_table_means() {
    let schema = json_schema(&crate::tables::cycgraph::CYCGRAPH, UnknownKeys::Refused);
    let edge = &schema["definitions"]["GraphEdge"]["properties"];
    assert_eq!(edge["condition"]["default"].to_string(), r#"{"type":"always"}"#);
    let node = &schema["definitions"]["FailurePolicy"]["properties"];
    assert_eq!(node["max_retries"]["default"].to_string(), "3");
}
