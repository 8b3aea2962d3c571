//! Every row of the LimanCE evaluation table, in the specification's reading.

use nodewise_expr::eval::{EvalError, ErrorKind, Scope, holds};
use nodewise_expr::limance::{LimanCe, Profile, parse};
use nodewise_expr::value::{Map, Value};

const TABLE: &str = include_str!("../../../tests/data/corpus/liman/limance_eval.tsv");
const CONTEXT_MARK: &str = "# context for every row: ";

fn value_of(json: &serde_json::Value) -> Value {
    match json {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(value) => Value::Bool(*value),
        serde_json::Value::Number(number) => Value::Number(number.as_f64().unwrap()),
        serde_json::Value::String(text) => Value::from(text.as_str()),
        serde_json::Value::Array(items) => Value::List(items.iter().map(value_of).collect()),
        serde_json::Value::Object(entries) => Value::Map(map_of(entries)),
    }
}

fn map_of(entries: &serde_json::Map<String, serde_json::Value>) -> Map {
    entries.iter().map(|(key, value)| (key.as_str().into(), value_of(value))).collect()
}

/// `true`, `false`, or the error as the table spells it.
fn outcome(text: &str, scope: &Scope<'_>) -> String {
    let parsed = parse(text, Profile::Spec);
    assert!(parsed.accepted(), "`{text}` does not parse: {:?}", parsed.problems);
    match holds(&parsed.expr, &LimanCe, scope) {
        Ok(value) => value.to_string(),
        Err(EvalError { kind: ErrorKind::Missing(path), .. }) => format!("error:missing {path}"),
        Err(error) => format!("error:{}", error.kind.name()),
    }
}

#[test]
fn every_row_has_the_specified_outcome() {
    let context = TABLE.lines().find_map(|line| line.strip_prefix(CONTEXT_MARK)).unwrap();
    let context = map_of(&serde_json::from_str(context).unwrap());
    let active_errors = ["TimeoutError".into()];
    let scope = Scope {
        variables: &[&context],
        now: 1_767_225_601.0,
        active_errors: &active_errors,
        functions: None,
    };
    let mut wrong = Vec::new();
    let mut rows = 0;
    for line in TABLE.lines().filter(|line| !line.starts_with("# ")) {
        let columns: Vec<&str> = line.split('\t').collect();
        let text: String = serde_json::from_str(columns[0]).unwrap();
        let found = outcome(&text, &scope);
        rows += 1;
        if found != columns[1] {
            wrong.push(format!("{}: expected {}, found {found}", columns[0], columns[1]));
        }
    }
    assert!(wrong.is_empty(), "{} of {rows} rows differ:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(rows, 88);
}
