//! Declared answers as JSON Schema, and as prompts say them.
//!
//! Input: fields of answers; output: schemas as models read them. Source: liman:2.8, the types of structured answers,
//! and `tests/data/recorded/liman_prompts.jsonl`, what the release makes of them. Invariant: a type that nobody knows
//! allows everything.

use nodewise_engine::systems::liman::{Host, description};
use nodewise_model::OutputField;
use nodewise_simulation::systems::liman::schemas::of_type;
use serde_json::{Map, Value as Json, json};

/// The JSON Schema of a node's answer.
pub(super) fn of_answer(node: &str, fields: &[OutputField], host: &Host) -> Json {
    let mut schema = json!({"title": node});
    if let (Json::Object(schema), Json::Object(members)) = (&mut schema, of_fields(fields, host)) {
        schema.extend(members);
    }
    schema
}

fn of_fields(fields: &[OutputField], host: &Host) -> Json {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for field in fields {
        if !field.optional {
            required.push(Json::from(field.name.as_str()));
        }
        let mut schema = match &field.type_name {
            None => of_fields(&field.fields, host),
            Some(word) => of_type(&word.value),
        };
        for _ in 0..field.lists {
            schema = json!({"type": "array", "items": schema});
        }
        if let Some(text) = description(&field.description, host) {
            schema["description"] = text.into();
        }
        properties.insert(field.name.to_string(), schema);
    }
    let mut schema = json!({"type": "object", "properties": properties, "additionalProperties": false});
    if !required.is_empty() {
        schema["required"] = required.into();
    }
    schema
}

/// The structure of an answer as prompts describe it: a line for each field, with its type and description.
pub(super) fn in_prompt(schema: &Json) -> String {
    let mut lines = vec!["{".to_owned()];
    add_fields(schema, "  ", &mut lines);
    lines.push("}".to_owned());
    lines.join("\n")
}

fn add_fields(schema: &Json, indent: &str, lines: &mut Vec<String>) {
    let required = schema["required"].as_array().map_or(&[][..], Vec::as_slice);
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        if field["properties"].is_object() {
            lines.push(format!("{indent}{name}: {{"));
            add_fields(field, &format!("{indent}  "), lines);
            lines.push(format!("{indent}}},"));
            continue;
        }
        let mut parts = vec![label(field)];
        parts.extend(field["description"].as_str().map(str::to_owned));
        if !required.iter().any(|wanted| wanted == name) {
            parts.push("optional".to_owned());
        }
        lines.push(format!("{indent}{name}: \"{}\",", parts.join(", ")));
    }
}

fn label(schema: &Json) -> String {
    match schema["type"].as_str() {
        Some("array") => format!("[{}]", label(&schema["items"])),
        Some(word) => word.to_owned(),
        None => "any".to_owned(),
    }
}
