//! Routing expressions against recorded answers of the published release.
#![allow(clippy::unwrap_used, reason = "a helper of a test may fail like the test itself")]

use nodewise_expr::agentos::{EdgeVerdict, edge_verdict, parse, result, routes};
use nodewise_expr::eval::Scope;
use nodewise_expr::value::{Map, Value};
use serde_json::Value as Json;

const CORPUS: &str = include_str!("../../../tests/data/corpus/agentos/conditions.json");
const RECORDED: &str = include_str!("../../../tests/data/recorded/agentos_conditions.json");

fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => Value::Number(number.as_f64().unwrap()),
        Json::String(text) => Value::Text(text.into()),
        Json::Array(items) => items.iter().map(value).collect(),
        Json::Object(entries) => map(entries).into(),
    }
}

fn map(entries: &serde_json::Map<String, Json>) -> Map {
    entries.iter().map(|(key, entry)| (key.into(), value(entry))).collect()
}

/// Compares the result of every case with the recorded one; yields how many cases there are.
fn check_recorded(recorded: &str) -> usize {
    let recorded: Json = serde_json::from_str(recorded).unwrap();
    let state = map(recorded["state"].as_object().unwrap());
    let variables = [&state];
    let scope = Scope { variables: &variables, ..Scope::default() };
    let cases = recorded["cases"].as_array().unwrap();
    let mut wrong = Vec::new();
    for case in cases {
        let text = case["expr"].as_str().unwrap();
        let expected = case["result"].as_str().unwrap();
        let expr = parse(text);
        let found = result(&expr, &scope);
        if found != expected {
            wrong.push(format!("`{text}`: expected `{expected}`, found `{found}`"));
        }
        if !routes(&expr).can_be(&found) {
            wrong.push(format!("`{text}`: `{found}` is none of {:?}", routes(&expr)));
        }
        let edge = match edge_verdict(&found) {
            EdgeVerdict::Follow => "follow".to_owned(),
            EdgeVerdict::Skip => "skip".to_owned(),
            EdgeVerdict::Other(name) => format!("other:{name}"),
        };
        if case.get("edge").is_some_and(|expected| *expected != edge) {
            wrong.push(format!("`{text}`: the edge is {edge}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} cases differ:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
    cases.len()
}

#[test]
fn the_corpus_is_read_as_the_release_reads_it() {
    assert_eq!(check_recorded(CORPUS), 190);
}

#[test]
fn the_release_answers_as_recorded() {
    assert_eq!(check_recorded(RECORDED), 1000);
}
