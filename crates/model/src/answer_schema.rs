//! The JSON Schema of declared answers, as a plain value.
//!
//! Input: the fields that a declaration lists. Output: a schema. Invariant: a type that nobody knows allows everything.

use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

use crate::declaration::OutputField;

/// The JSON Schema of a structured answer with these fields.
#[must_use]
pub fn of_fields(fields: &[OutputField]) -> Value {
    let properties = fields.iter().map(|field| (field.name.clone(), of_field(field)));
    let required = fields.iter().filter(|field| !field.optional).map(|field| &field.name);
    object(properties.collect(), required)
}

fn of_field(field: &OutputField) -> Value {
    let schema = match &field.type_name {
        None => of_fields(&field.fields),
        Some(word) => of_type(&word.value),
    };
    (0..field.lists).fold(schema, |items, _| {
        let list: Map = [("type".into(), "array".into()), ("items".into(), items)].into_iter().collect();
        list.into()
    })
}

/// The JSON Schema of a mapping with these properties.
pub fn object<'n>(properties: Map, required: impl Iterator<Item = &'n SmolStr>) -> Value {
    let required: Vec<Value> = required.cloned().map(Value::Text).collect();
    let schema: Map = [
        ("type".into(), "object".into()),
        ("properties".into(), properties.into()),
        ("required".into(), Value::List(required.into())),
    ]
    .into_iter()
    .collect();
    schema.into()
}

/// The JSON Schema of a type name such as `str` or `integer`. An unknown name gives a schema that allows everything.
#[must_use]
pub fn of_type(word: &str) -> Value {
    let word = match word {
        "string" | "str" => "string",
        "number" | "float" => "number",
        "integer" | "int" => "integer",
        "boolean" | "bool" => "boolean",
        "array" | "list" => "array",
        "object" | "dict" => "object",
        _ => return Map::new().into(),
    };
    let schema: Map = [("type".into(), word.into())].into_iter().collect();
    schema.into()
}
