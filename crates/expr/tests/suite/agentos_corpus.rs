//! Routing expressions against recorded answers of the published release.

use nodewise_expr::agentos::{EdgeVerdict, PARTITIONS, edge_verdict, parse, result, router_target, routes};
use nodewise_expr::eval::Scope;
use nodewise_expr::value::Map;
use serde_json::Value as Json;

use crate::values::map_of;

const CORPUS: &str = include_str!("../../../../tests/data/corpus/agentos/conditions.json");
const RECORDED: &str = include_str!("../../../../tests/data/recorded/agentos_expressions.jsonl");

/// The state with every partition; one that is not given is an empty mapping.
fn state(json: &Json) -> Map {
    let mut state: Map = PARTITIONS.iter().map(|name| ((*name).into(), Map::new().into())).collect();
    for (name, partition) in map_of(json.as_object().unwrap()).iter() {
        state.insert(name.clone(), partition.clone());
    }
    state
}

/// What is wrong with the reading of an expression, if anything is.
fn difference(text: &str, state: &Map, expected: &str) -> Option<String> {
    let variables = [state];
    let expr = parse(text);
    let found = result(&expr, &Scope { variables: &variables, ..Scope::default() });
    if found != expected {
        return Some(format!("`{text}`: expected `{expected}`, found `{found}`"));
    }
    let routes = routes(&expr);
    (!routes.can_be(&found)).then(|| format!("`{text}`: `{found}` is none of {routes:?}"))
}

#[track_caller]
fn check_rows(rows: impl Iterator<Item = (String, Map, String)>, expected_count: usize) {
    let differences: Vec<Option<String>> =
        rows.map(|(text, state, expected)| difference(&text, &state, &expected)).collect();
    let wrong: Vec<&str> = differences.iter().flatten().map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} of {} rows differ:\n{}", wrong.len(), differences.len(), wrong.join("\n"));
    assert_eq!(differences.len(), expected_count);
}

fn text(json: &Json) -> String {
    json.as_str().unwrap().to_owned()
}

#[test]
fn the_corpus_is_read_as_the_release_reads_it() {
    let corpus: Json = serde_json::from_str(CORPUS).unwrap();
    let state = state(&corpus["state"]);
    let cases = corpus["cases"].as_array().unwrap();
    let row = |case: &Json| (text(&case["expr"]), state.clone(), text(&case["result"]));
    check_rows(cases.iter().map(row), 190);
}

#[test]
fn the_release_answers_as_recorded() {
    let rows = RECORDED.lines().map(|line| {
        let Json::Object(row) = serde_json::from_str(line).unwrap() else { panic!("no object: {line}") };
        let question = &row["question"];
        (text(&question["expression"]), state(&question["state"]), text(&row["answer"]["result"]))
    });
    check_rows(rows, 2000);
}

#[test]
fn edges_and_routers_go_by_the_text() {
    assert_eq!(edge_verdict("true"), EdgeVerdict::Follow);
    assert_eq!(edge_verdict("false"), EdgeVerdict::Skip);
    assert_eq!(edge_verdict("5"), EdgeVerdict::Other("5".into()));
    assert_eq!(edge_verdict(""), EdgeVerdict::Other("".into()));
    assert_eq!(router_target("false"), Some("false"));
    assert_eq!(router_target(""), None);
}
