//! Whether a value fits the schema that a graph declares for a key, as far as the release checks schemas.
//!
//! Input: a JSON Schema and a value; output: the first violation, in the release's words. Invariant: schemas that the
//! release does not understand accept everything. So do parts that are nested deeper than it checks.

use std::borrow::Cow;

use nodewise_expr::javascript::{entries, is_truthy, text_to_number, to_text};
use nodewise_expr::value::Value;
use smol_str::{SmolStr, format_smolstr};

/// How deep the release checks.
const MAX_DEPTH: usize = 32;
/// How many properties the release checks.
const MAX_PROPERTIES: usize = 1000;

/// A value that does not fit its declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct InterfaceMismatch {
    pub(crate) key: SmolStr,
    /// What is wrong with it.
    pub(crate) fault: String,
}

/// The first violation. If it is inside the value, the text has the path to it.
pub(crate) fn violation(schema: &Value, value: &Value) -> Option<String> {
    let mut way = Vec::new();
    let fault = fault(schema, Some(value), 0, &mut way)?;
    if way.is_empty() {
        return Some(fault);
    }
    way.reverse();
    Some(format!("{fault} at {}", way.join(".")))
}

/// What is wrong with a value. If it is a part of the value, `way` is filled with the path to it, the last step first.
fn fault(schema: &Value, value: Option<&Value>, depth: usize, way: &mut Vec<SmolStr>) -> Option<String> {
    if depth >= MAX_DEPTH {
        return None;
    }
    let value = value.unwrap_or(&Value::Undefined);
    match (type_of(schema)?, value) {
        ("object", value) => fault_of_mapping(schema, value, depth, way),
        ("string", value) => match member(schema, "enum").filter(|choices| has_items(choices)) {
            Some(choices) => fault_of_choice(choices, value),
            None => expected("string", value, matches!(value, Value::Text(_))),
        },
        ("number" | "integer", value) => {
            let is_number = matches!(value, Value::Number(number) if number.is_finite());
            expected("number", value, is_number)
        }
        ("boolean", value) => expected("boolean", value, matches!(value, Value::Bool(_))),
        ("array", Value::List(items)) => {
            let schema = member(schema, "items").filter(|items| is_truthy(items))?;
            items.iter().enumerate().find_map(|(position, item)| {
                let fault = fault(schema, Some(item), depth + 1, way)?;
                way.push(format_smolstr!("{position}"));
                Some(fault)
            })
        }
        ("array", value) => expected("array", value, false),
        _ => None,
    }
}

fn fault_of_mapping(schema: &Value, value: &Value, depth: usize, way: &mut Vec<SmolStr>) -> Option<String> {
    let properties = properties(schema);
    let required = member(schema, "required").unwrap_or(&Value::Null);
    let has_bad_list = matches!(required, Value::Map(_) | Value::Number(_) | Value::Bool(_));
    // The release throws an exception over these, and then accepts everything.
    let trips = properties.iter().any(|(_, schema)| matches!(**schema, Value::Null | Value::Undefined));
    if trips || (has_bad_list && !properties.is_empty()) {
        return None;
    }
    let Value::Map(map) = value else {
        return expected("object", value, false);
    };
    properties.iter().find_map(|(key, schema)| {
        let is_required = names(required, key);
        let found = map.get(key).filter(|value| **value != Value::Undefined);
        let fault = match found {
            None if !is_required => None,
            found => fault(schema, found, depth + 1, way).or_else(|| {
                found.is_none().then(|| "Invalid input: expected nonoptional, received undefined".to_owned())
            }),
        }?;
        way.push(key.clone());
        Some(fault)
    })
}

/// The properties that a schema describes, in the release's order.
fn properties(schema: &Value) -> Vec<(SmolStr, Cow<'_, Value>)> {
    let position = |position: usize| format_smolstr!("{position}");
    match member(schema, "properties") {
        Some(Value::Map(map)) => entries(map)
            .into_iter()
            .take(MAX_PROPERTIES)
            .map(|(key, schema)| (key.clone(), Cow::Borrowed(schema)))
            .collect(),
        Some(Value::List(items)) => items
            .iter()
            .take(MAX_PROPERTIES)
            .enumerate()
            .map(|(place, schema)| (position(place), Cow::Borrowed(schema)))
            .collect(),
        Some(Value::Text(text)) => text
            .chars()
            .take(MAX_PROPERTIES)
            .enumerate()
            .map(|(place, _)| (position(place), Cow::Owned(Value::Bool(true))))
            .collect(),
        _ => Vec::new(),
    }
}

/// Whether the required keys include a key. If they are given as a text, any part of the text counts.
fn names(required: &Value, key: &str) -> bool {
    match required {
        Value::List(keys) => keys.iter().any(|listed| matches!(listed, Value::Text(listed) if listed == key)),
        Value::Text(text) => text.contains(key),
        _ => false,
    }
}

fn fault_of_choice(choices: &Value, value: &Value) -> Option<String> {
    let choices = choices_of(choices);
    if choices.iter().any(|choice| choice.is_same(value)) {
        return None;
    }
    let shown: Vec<String> = choices.iter().map(shown).collect();
    Some(match shown.as_slice() {
        [only] => format!("Invalid input: expected {only}"),
        shown => format!("Invalid option: expected one of {}", shown.join("|")),
    })
}

/// The allowed values of an enumeration: each once by its text, and without texts that are equal to one of its numbers.
fn choices_of(choices: &Value) -> Vec<Value> {
    let listed: Vec<Value> = match choices {
        Value::List(items) => items.to_vec(),
        Value::Text(text) => text.chars().map(|letter| Value::Text(format_smolstr!("{letter}"))).collect(),
        _ => Vec::new(),
    };
    let by_text: nodewise_expr::value::Map =
        listed.iter().map(|value| (SmolStr::from(to_text(value)), value.clone())).collect();
    let is_number = |key: &str| {
        let number = text_to_number(key);
        by_text.iter().any(|(_, value)| matches!(value, Value::Number(other) if *other == number))
    };
    entries(&by_text).into_iter().filter(|(key, _)| !is_number(key)).map(|(_, value)| value.clone()).collect()
}

fn shown(value: &Value) -> String {
    match value {
        Value::Text(text) => format!("\"{text}\""),
        value => to_text(value),
    }
}

fn expected(wanted: &str, value: &Value, is_one: bool) -> Option<String> {
    let received = match value {
        Value::Undefined => "undefined",
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_nan() => "NaN",
        Value::Number(number) if number.is_infinite() => "Infinity",
        Value::Number(_) => "number",
        Value::Text(_) => "string",
        Value::List(_) => "array",
        Value::Map(_) | Value::Pattern(_) => "object",
        Value::Function(_) => "function",
    };
    (!is_one).then(|| format!("Invalid input: expected {wanted}, received {received}"))
}

fn type_of(schema: &Value) -> Option<&str> {
    match member(schema, "type") {
        Some(Value::Text(word)) => Some(word),
        _ => None,
    }
}

fn member<'v>(value: &'v Value, key: &str) -> Option<&'v Value> {
    match value {
        Value::Map(map) => map.get(key),
        _ => None,
    }
}

fn has_items(choices: &Value) -> bool {
    match choices {
        Value::List(items) => !items.is_empty(),
        Value::Text(text) => !text.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use nodewise_expr::json::from_json;
    use serde_json::{Value as Json, json};

    use super::*;

    #[track_caller]
    fn check_violation(schema: Json, value: Json, expected: Option<&str>) {
        assert_eq!(violation(&from_json(schema), &from_json(value)).as_deref(), expected);
    }

    #[test]
    fn simple_types_are_compared() {
        check_violation(json!({"type": "number"}), json!(1.5), None);
        check_violation(json!({"type": "integer"}), json!(1.5), None);
        check_violation(
            json!({"type": "number"}),
            json!("1"),
            Some("Invalid input: expected number, received string"),
        );
        check_violation(
            json!({"type": "string"}),
            json!(null),
            Some("Invalid input: expected string, received null"),
        );
        check_violation(
            json!({"type": "boolean"}),
            json!([]),
            Some("Invalid input: expected boolean, received array"),
        );
        check_violation(json!({"type": "null"}), json!(5), None);
        check_violation(json!({"type": ["string", "null"]}), json!(5), None);
    }

    #[test]
    fn enumerations_are_compared() {
        let schema = json!({"type": "string", "enum": ["b", "1", "a"]});
        check_violation(schema.clone(), json!("a"), None);
        check_violation(schema, json!("x"), Some("Invalid option: expected one of \"1\"|\"b\"|\"a\""));
        let one = json!({"type": "string", "enum": ["a", 1]});
        check_violation(one, json!(1), Some("Invalid input: expected \"a\""));
        let empty = json!({"type": "string", "enum": []});
        check_violation(empty, json!(2), Some("Invalid input: expected string, received number"));
    }

    #[test]
    fn the_way_to_a_part_is_reported() {
        let item =
            json!({"type": "object", "required": ["k"], "properties": {"k": {"type": "number"}, "any": {}}});
        let schema = json!({"type": "array", "items": item});
        check_violation(schema.clone(), json!([{"k": 1, "more": 2}]), None);
        check_violation(
            schema,
            json!([{"k": 1}, {}]),
            Some("Invalid input: expected number, received undefined at 1.k"),
        );
        check_violation(
            json!({"type": "object", "required": ["b"], "properties": {"a": {"type": "string"}, "b": {}}}),
            json!({}),
            Some("Invalid input: expected nonoptional, received undefined at b"),
        );
    }

    #[test]
    fn what_the_release_trips_over_accepts_everything() {
        check_violation(json!({"type": "object", "properties": {"a": null}}), json!(5), None);
        check_violation(
            json!({"type": "object", "required": 5, "properties": {"a": {"type": "string"}}}),
            json!(5),
            None,
        );
        let expected = Some("Invalid input: expected object, received number");
        check_violation(json!({"type": "object", "required": 5}), json!(5), expected);
    }

    #[test]
    fn deep_schemas_end() {
        let schema =
            (0..40).fold(json!({"type": "string"}), |inner, _| json!({"type": "array", "items": inner}));
        let value = (0..40).fold(json!(1), |inner, _| json!([inner]));
        check_violation(schema, value, None);
    }
}
