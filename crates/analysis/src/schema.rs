//! What a JSON Schema says about a part of a value. In: a schema as a plain value, and names that lead into what it
//! describes; out: the part's schema, or where the path ends. Where a schema leaves anything open, so does the answer.

pub(crate) mod violation;

use nodewise_expr::javascript;
use nodewise_expr::value::{Map, Value};

/// JSON Schema keywords that can declare further members elsewhere, so that an undeclared name is not an error.
const OPEN_KEYWORDS: [&str; 8] =
    ["$ref", "anyOf", "oneOf", "allOf", "if", "patternProperties", "$dynamicRef", "dependentSchemas"];
/// JSON types whose values have no members.
const PLAIN_TYPES: [&str; 5] = ["string", "number", "integer", "boolean", "null"];

/// What a schema says about a path into a value.
#[derive(Debug, Clone, Copy)]
pub enum SchemaMember<'s> {
    /// The path leads to a part with this schema.
    Declared(&'s Value),
    /// The path leads to a name that the schema does not declare: the position of the name in the path, and the declared
    /// names.
    Undeclared(usize, &'s Map),
    /// The path leads into a value of a plain type, which has no members: the position in the path, and the type.
    InPlain(usize, &'s str),
    /// The schema does not restrict this path.
    Open,
}

/// What the schema says about the path `names`.
pub fn member<'s>(schema: &'s Value, names: impl IntoIterator<Item = impl AsRef<str>>) -> SchemaMember<'s> {
    let mut schema = schema;
    for (position, name) in names.into_iter().enumerate() {
        let Value::Map(keywords) = schema else { return SchemaMember::Open };
        if OPEN_KEYWORDS.iter().any(|keyword| keywords.get(keyword).is_some()) {
            return SchemaMember::Open;
        }
        schema = match (keywords.get("properties"), keywords.get("type")) {
            (Some(Value::Map(properties)), _) if !properties.is_empty() => {
                match properties.get(name.as_ref()) {
                    Some(declared) => declared,
                    None if allows_others(keywords) => return SchemaMember::Open,
                    None => return SchemaMember::Undeclared(position, properties),
                }
            }
            (None, Some(Value::Text(word))) if PLAIN_TYPES.contains(&word.as_str()) => {
                return SchemaMember::InPlain(position, word);
            }
            (None, Some(Value::Text(word))) if word == "array" && is_index(name.as_ref()) => {
                match keywords.get("items").filter(|_| keywords.get("prefixItems").is_none()) {
                    Some(items) => items,
                    None => return SchemaMember::Open,
                }
            }
            _ => return SchemaMember::Open,
        };
    }
    SchemaMember::Declared(schema)
}

/// Whether a value that fits the schema can become this text when JavaScript converts it to a string.
pub(crate) fn can_be_text(schema: &Value, text: &str) -> bool {
    let Value::Map(keywords) = schema else { return true };
    if let Some(Value::List(values)) = keywords.get("enum") {
        return values.iter().any(|value| javascript::to_text(value) == text);
    }
    if let Some(value) = keywords.get("const") {
        return javascript::to_text(value) == text;
    }
    let of_type = |word: &Value| match word {
        Value::Text(word) => match word.as_str() {
            "boolean" => matches!(text, "true" | "false"),
            "number" | "integer" => !javascript::text_to_number(text).is_nan(),
            "object" | "null" => false,
            _ => true,
        },
        _ => true,
    };
    match keywords.get("type") {
        Some(Value::List(words)) => words.iter().any(of_type),
        Some(word) => of_type(word),
        None => true,
    }
}

/// The texts that the schema lists as values, if it lists all values.
pub fn listed_texts(schema: &Value) -> impl Iterator<Item = &str> {
    let values = match schema {
        Value::Map(keywords) => match keywords.get("enum") {
            Some(Value::List(values)) => &values[..],
            _ => &[],
        },
        _ => &[],
    };
    values.iter().filter_map(|value| match value {
        Value::Text(text) => Some(text.as_str()),
        _ => None,
    })
}

/// The type that the schema states, if it states exactly one.
pub fn type_word(schema: &Value) -> Option<&str> {
    let Value::Map(keywords) = schema else { return None };
    match keywords.get("type") {
        Some(Value::Text(word)) => Some(word),
        _ => None,
    }
}

fn allows_others(keywords: &Map) -> bool {
    keywords.get("additionalProperties").is_some_and(|others| *others != Value::Bool(false))
}

fn is_index(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_digit())
}
