//! Declared arguments as JSON Schema.
//!
//! Input: arguments of tools. Output: schemas as models, servers of tools and forms read them. Source: liman:2.2.
//! Invariant: a type that nobody knows allows everything.

use nodewise_engine::systems::liman::{Host, description};
use nodewise_expr::json::to_json;
use nodewise_model::{Argument, answer_schema};
use serde_json::{Map, Value as Json, json};

/// The schema of a tool's arguments.
#[must_use]
pub fn of_arguments(arguments: &[Argument], host: &Host) -> Json {
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
    let mut schema = match argument.details.properties.is_empty() {
        false => of_arguments(&argument.details.properties, host),
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
        (schema.as_object_mut(), host.profile.is_release(), argument.details.properties.is_empty())
    {
        object.remove("required");
    }
    if let Some(text) = description(&argument.details.description, host) {
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

/// A type by its word; `[T]` is a list.
#[must_use]
pub fn of_type(word: &str) -> Json {
    match word.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(item) => json!({"type": "array", "items": of_type(item.trim())}),
        None => to_json(&answer_schema::of_type(word)),
    }
}
