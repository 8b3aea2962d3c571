//! Declared arguments and answers as JSON Schema.
//!
//! Input: arguments of tools, fields of answers; output: schemas as models and servers of tools read them. Source: liman:2.2 and liman:2.8,
//! the types of arguments and of structured answers. Invariant: a type that nobody knows allows everything.

use nodewise_model::text::Localized;
use nodewise_model::{Argument, OutputField};
use serde_json::{Map, Value as Json, json};

/// The schema of a tool's arguments.
pub(super) fn of_arguments(arguments: &[Argument], language: &str) -> Json {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for argument in arguments {
        let Some(name) = &argument.name else { continue };
        if !argument.optional {
            required.push(Json::from(name.value.as_str()));
        }
        properties.insert(name.value.to_string(), of_argument(argument, language));
    }
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

fn of_argument(argument: &Argument, language: &str) -> Json {
    let mut schema = match argument.properties.is_empty() {
        false => of_arguments(&argument.properties, language),
        true => {
            let types: Vec<Json> = argument.types.iter().map(|word| of_type(&word.value)).collect();
            match types.as_slice() {
                [only] => only.clone(),
                [] => json!({}),
                _ => json!({"anyOf": types}),
            }
        }
    };
    if let Some(description) = text(&argument.description, language) {
        schema["description"] = description.into();
    }
    schema
}

/// The schema of an answer with fields.
pub(super) fn of_fields(fields: &[OutputField]) -> Json {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for field in fields {
        if !field.optional {
            required.push(Json::from(field.name.as_str()));
        }
        let schema = match &field.type_name {
            None => of_fields(&field.fields),
            Some(word) => of_type(&word.value),
        };
        properties.insert(field.name.to_string(), schema);
    }
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
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

/// A localized text, in a language if it is there, else in the first.
pub(super) fn text(localized: &Localized, language: &str) -> Option<String> {
    let languages = localized.languages();
    let known = languages.iter().find(|known| known.as_str() == language).or(languages.first())?;
    let texts: Vec<&str> = localized.in_language(known).map(|text| &*text.text).collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}
