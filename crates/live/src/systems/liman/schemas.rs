//! Declared arguments and answers as JSON Schema, and answers as prompts say them.
//!
//! Input: arguments of tools, fields of answers; output: schemas as models and servers of tools read them. Source: liman:2.2 and liman:2.8,
//! the types of arguments and of structured answers, and `tests/data/recorded/liman_prompts.jsonl`, what the release makes of them.
//! Invariant: a type that nobody knows allows everything.

use nodewise_engine::systems::liman::{Host, description};
use nodewise_model::{Argument, OutputField};
use serde_json::{Map, Value as Json, json};

/// The schema of a tool's arguments.
pub(super) fn of_arguments(arguments: &[Argument], host: &Host) -> Json {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for argument in arguments {
        let Some(name) = &argument.name else { continue };
        if !argument.optional {
            required.push(Json::from(name.value.as_str()));
        }
        properties.insert(name.value.to_string(), of_argument(argument, host));
    }
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

fn of_argument(argument: &Argument, host: &Host) -> Json {
    let mut schema = match argument.properties.is_empty() {
        false => of_arguments(&argument.properties, host),
        true => {
            let types: Vec<Json> =
                argument.types.iter().map(|word| of_argument_type(&word.value, host)).collect();
            match types.as_slice() {
                [only] => only.clone(),
                [] => json!({}),
                _ => json!({"anyOf": types}),
            }
        }
    };
    // The release does not tell models which members of an object may be left out.
    if let (Some(object), true, false) =
        (schema.as_object_mut(), host.profile.is_release(), argument.properties.is_empty())
    {
        object.remove("required");
    }
    if let Some(text) = description(&argument.description, host) {
        schema["description"] = text.into();
    }
    schema
}

fn of_argument_type(word: &str, host: &Host) -> Json {
    match word {
        // The release tells models that integers are numbers.
        "int" | "integer" if host.profile.is_release() => json!({"type": "number"}),
        word => of_type(word),
    }
}

/// The schema of a node's answer.
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

/// A type by its word; `[T]` is a list.
fn of_type(word: &str) -> Json {
    if let Some(item) = word.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return json!({"type": "array", "items": of_type(item.trim())});
    }
    match word {
        "string" | "str" => json!({"type": "string"}),
        "number" | "float" => json!({"type": "number"}),
        "integer" | "int" => json!({"type": "integer"}),
        "boolean" | "bool" => json!({"type": "boolean"}),
        "array" | "list" => json!({"type": "array"}),
        "object" | "dict" => json!({"type": "object"}),
        _ => json!({}),
    }
}

/// An answer as prompts say it: a line for each field, with its type and what it means.
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
