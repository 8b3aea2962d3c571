//! Every row of the LimanCE evaluation table, in the specification's reading, and answers of the published release.

use nodewise_expr::ast::Path;
use nodewise_expr::eval::{ErrorKind, EvalError, HostFunctions, Scope, holds};
use nodewise_expr::limance::{LimanCe, LimanceProfile, ReleaseDifference, parse, release_verdict};
use nodewise_expr::value::{Map, Value};

use crate::values::map_of;

const TABLE: &str = include_str!("../../../../tests/data/corpus/liman/limance_eval.tsv");
const RECORDED: &str = include_str!("../../../../tests/data/recorded/limance_evaluation.tsv");
const CONTEXT_MARK: &str = "# context for every row: ";

/// Compares the first result column of a table with the evaluator; yields how many rows there are.
fn check_table(table: &str, outcome: fn(&str, &Scope<'_>) -> String) -> usize {
    let context = table.lines().find_map(|line| line.strip_prefix(CONTEXT_MARK)).unwrap();
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
    for line in table.lines().filter(|line| !line.starts_with("# ")) {
        let columns: Vec<&str> = line.split('\t').collect();
        let text: String = serde_json::from_str(columns[0]).unwrap();
        let found = outcome(&text, &scope);
        rows += 1;
        if found != columns[1] {
            wrong.push(format!("{}: expected {}, found {found}", columns[0], columns[1]));
        }
    }
    assert!(wrong.is_empty(), "{} of {rows} rows differ:\n{}", wrong.len(), wrong.join("\n"));
    rows
}

/// `true`, `false`, or the error with the path that is missing.
fn outcome_with_path(text: &str, scope: &Scope<'_>) -> String {
    let parsed = parse(text, LimanceProfile::Spec);
    assert!(parsed.accepted(), "`{text}` does not parse: {:?}", parsed.problems);
    match holds(&parsed.expr, &LimanCe, scope) {
        Ok(value) => value.to_string(),
        Err(EvalError { kind: ErrorKind::Missing(path), .. }) => format!("error:missing {path}"),
        Err(error) => format!("error:{}", error.kind.name()),
    }
}

/// The same without the path; the release's tree must mean the same.
fn outcome_in_release(text: &str, scope: &Scope<'_>) -> String {
    assert_eq!(release_verdict(text), ReleaseDifference::None, "`{text}`");
    let found = outcome_with_path(text, scope);
    if found.starts_with("error:missing") { "error:missing".to_owned() } else { found }
}

#[test]
fn every_row_has_the_specified_outcome() {
    assert_eq!(check_table(TABLE, outcome_with_path), 88);
}

#[test]
fn every_recorded_row_has_the_outcome_of_the_release() {
    assert_eq!(check_table(RECORDED, outcome_in_release), 600);
}

/// The outcome with nothing in scope but two layers of variables and a function.
fn outcome_in_layers(text: &str) -> String {
    struct Host;
    impl HostFunctions for Host {
        fn call(&self, path: &Path) -> Result<Value, String> {
            match path.dotted().as_str() {
                "rules.open" => Ok(Value::Bool(true)),
                "rules.count" => Ok(Value::Number(0.0)),
                other => Err(format!("no `{other}`")),
            }
        }
    }
    let node: Map =
        [("user".into(), [("name".into(), Value::from("ann"))].into_iter().collect::<Map>().into())]
            .into_iter()
            .collect();
    let run: Map =
        [("user".into(), Value::Bool(true)), ("limit".into(), Value::Number(3.0))].into_iter().collect();
    let scope = Scope { variables: &[&node, &run], now: 0.0, active_errors: &[], functions: Some(&Host) };
    match holds(&parse(text, LimanceProfile::Spec).expr, &LimanCe, &scope) {
        Ok(value) => value.to_string(),
        Err(error) => format!("{}: {} at {:?}", error.kind.name(), error.message, error.range),
    }
}

#[test]
fn the_first_name_decides_and_errors_have_a_place() {
    for (text, expected) in [
        ("user.name == 'ann'", "true"),
        ("user == true", "false"),
        ("limit == 3", "true"),
        ("rules.open", "true"),
        ("rules.count", "false"),
        ("rules.gone", "function: no `rules.gone` at 0..10"),
        ("1 == 1 and user.age > 3", "missing: `age` is missing in `user.age` at 11..19"),
        ("limit < 'x'", "type: a number and a text have no order at 0..11"),
        ("1 in limit", "type: a number cannot be in a number at 0..10"),
        ("$is_error()", "false"),
        ("$now() == '1970-01-01T00:00:00Z'", "true"),
        ("'1970-01-01T00:00:00Z' >= $now() >= 0", "true"),
        ("$now() > 'soon'", "type: a text compared with a moment must be an RFC 3339 timestamp at 0..15"),
        ("$now(x)", "builtin: `$now` is called as `$now()` at 0..7"),
        ("a ==", "missing: `a` does not exist at 0..1"),
        ("true and", "syntax: the expression is broken here at 8..8"),
    ] {
        assert_eq!(outcome_in_layers(text), expected, "`{text}`");
    }
}
