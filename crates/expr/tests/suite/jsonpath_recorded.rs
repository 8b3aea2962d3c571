//! Every recorded answer of jsonpath-plus 10.4.0 about a path: the values, and whether it throws.

use nodewise_expr::javascript::number_to_text;
use nodewise_expr::jsonpath::{PathErrorKind, Selected, parse, select};
use nodewise_expr::value::Value;
use serde_json::json;

use crate::values::value_of;

const RECORDED: &str = include_str!("../../../../tests/data/recorded/cycgraph_paths.jsonl");

/// A value as the records write it: what JSON has no word for, fractions included, becomes `{"$": word}`.
fn shown(value: &Value) -> serde_json::Value {
    match value {
        Value::Undefined => json!({"$": "undefined"}),
        Value::Null => json!(null),
        Value::Bool(value) => json!(value),
        Value::Number(number) if number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0 => {
            json!(*number as i64)
        }
        Value::Number(number) => json!({"$": number_to_text(*number)}),
        Value::Text(text) => json!(text.as_str()),
        Value::List(items) => items.iter().map(shown).collect(),
        Value::Map(map) => {
            let entries = map.iter().map(|(key, value)| (key.to_string(), shown(value)));
            entries.collect::<serde_json::Map<_, _>>().into()
        }
        Value::Function(_) | Value::Pattern(_) => json!({"$": "function"}),
    }
}

#[test]
fn recorded_answers_come_out_again() {
    let mut wrong = Vec::new();
    for line in RECORDED.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let path = row["question"]["path"].as_str().unwrap();
        let found = match select(&parse(path).path, &value_of(&row["question"]["json"])) {
            Ok(Selected::Values(values)) => json!({"value": values.iter().map(shown).collect::<Vec<_>>()}),
            Ok(Selected::Nothing) => json!({"value": {"$": "undefined"}}),
            Err(error) if error.kind == PathErrorKind::Thrown => json!("throws"),
            Err(error) => json!(error.message),
        };
        let expected =
            if row["answer"]["error"].is_string() { json!("throws") } else { row["answer"].clone() };
        if found != expected {
            wrong.push(format!("`{path}`: expected {expected}, found {found}"));
        }
    }
    assert!(wrong.is_empty(), "{} rows differ:\n{}", wrong.len(), wrong.join("\n"));
}
