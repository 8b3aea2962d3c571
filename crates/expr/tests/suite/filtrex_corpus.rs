//! Every row of the recorded conditions of the published release, and those that cycgraph:4.7 was chosen from.

use nodewise_expr::eval::{Scope, evaluate};
use nodewise_expr::filtrex::{Filtrex, edge_verdict, mentions_memory, parse, verifier_verdict};
use nodewise_expr::value::{Map, Value};
use serde_json::Value as Json;

use crate::values::value_of;

const CORPUS: &str = include_str!("../../../../tests/data/corpus/cycgraph/conditions.json");
const RECORDED: &str = include_str!("../../../../tests/data/recorded/filtrex_conditions.json");

/// A value as the recordings show it.
fn shown(value: &Value) -> Json {
    match value {
        Value::Undefined => "<undefined>".into(),
        Value::Null => Json::Null,
        Value::Bool(value) => (*value).into(),
        Value::Number(number) if number.is_nan() => "<NaN>".into(),
        Value::Number(number) if number.is_infinite() => {
            if *number > 0.0 { "<Infinity>" } else { "<-Infinity>" }.into()
        }
        Value::Number(number) if number.fract() == 0.0 && number.abs() < 1e15 => (*number as i64).into(),
        Value::Number(number) => (*number).into(),
        Value::Text(text) => text.as_str().into(),
        Value::List(items) => items
            .iter()
            .map(|item| match item {
                Value::Undefined | Value::Function(_) => Json::Null,
                Value::Number(number) if !number.is_finite() => Json::Null,
                item => shown(item),
            })
            .collect(),
        Value::Map(_) | Value::Pattern(_) => "<object>".into(),
        Value::Function(_) => "<function>".into(),
    }
}

/// The state of a recorded context, as the release builds it for an edge and for a verifier.
fn scopes(context: &Json) -> (Map, Map, Vec<smol_str::SmolStr>) {
    let memory = context.get("memory").map_or_else(|| Map::new().into(), value_of);
    let goal = context.get("goal").map_or(Value::from("goal"), value_of);
    let tainted: Vec<&str> = context
        .get("tainted")
        .and_then(Json::as_array)
        .into_iter()
        .flatten()
        .map(|key| key.as_str().unwrap())
        .collect();
    let mut verifier = Map::new();
    verifier.insert("memory", memory.clone());
    verifier.insert("goal", goal.clone());
    let mut edge = verifier.clone();
    edge.insert("constraints", std::iter::empty().collect());
    edge.insert("status", Value::from("running"));
    edge.insert("iteration_count", Value::from(0.0));
    for (key, value) in context.get("state").and_then(Json::as_object).into_iter().flatten() {
        edge.insert(key.as_str(), value_of(value));
    }
    let registry: Map = tainted.iter().map(|key| ((*key).into(), Value::from(Map::new()))).collect();
    edge.insert("taint_registry", registry.into());
    edge.insert("tainted", Value::Bool(!tainted.is_empty()));
    edge.insert("tainted_keys", tainted.iter().map(|key| Value::from(*key)).collect());
    (edge, verifier, tainted.into_iter().map(Into::into).collect())
}

/// What we say of a row, in the words of the recording.
fn answer(context: &Json, text: &str) -> Json {
    let (edge, verifier, tainted) = scopes(context);
    let edge_layers = [&edge];
    let verifier_layers = [&verifier];
    let edge_scope = Scope { variables: &edge_layers, ..Scope::default() };
    let verifier_scope = Scope { variables: &verifier_layers, ..Scope::default() };
    let strict = context.get("strict_taint") == Some(&Json::Bool(true));
    let routes = edge_verdict(text, &edge_scope) && !(strict && mentions_memory(text, &tainted));
    let mut row = serde_json::json!({"compiles": true, "edge": routes});
    match verifier_verdict(text, &verifier_scope) {
        Ok(passes) => row["verifier"] = passes.into(),
        Err(_) => {
            row["compiles"] = false.into();
            return row;
        }
    }
    match evaluate(&parse(text).expr, &Filtrex, &edge_scope) {
        Ok(value) => row["raw"] = shown(&value),
        Err(_) => row["error"] = true.into(),
    }
    row
}

/// Compares each row of a recording with what we say; yields how many rows there are.
fn check_recording(recording: &str) -> usize {
    let recording: Json = serde_json::from_str(recording).unwrap();
    let mut wrong = Vec::new();
    let mut rows = 0;
    for group in recording["groups"].as_array().unwrap() {
        for row in group["rows"].as_array().unwrap() {
            rows += 1;
            let text = row["expression"].as_str().unwrap();
            let mut expected = row.clone();
            expected
                .as_object_mut()
                .unwrap()
                .retain(|key, _| !matches!(key.as_str(), "expression" | "syntax_error"));
            if expected.get("error").is_some() {
                expected["error"] = true.into();
            }
            let found = answer(&group["context"], text);
            if found != expected {
                wrong.push(format!("`{text}`: expected {expected}, found {found}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {rows} rows differ:\n{}", wrong.len(), wrong.join("\n"));
    rows
}

#[test]
fn every_condition_of_the_corpus_has_the_verdict_of_the_release() {
    assert_eq!(check_recording(CORPUS), 473);
}

#[test]
fn every_recorded_condition_has_the_verdict_of_the_release() {
    assert_eq!(check_recording(RECORDED), 898);
}
