//! LanguageBundle against the conformance table: normalised and filled, or the class of the first
//! conflict, and the warnings.

use nodewise_dialect::bundle::{self, BundleProblemKind, TextBundle, TextTree};
use nodewise_dialect::value::{Data, SpannedValue};
use nodewise_model::SourceId;
use serde_json::{Map, json};

const TABLE: &str = include_str!("../../../../tests/data/conformance/liman_bundle.tsv");

#[test]
fn every_row_of_the_table() {
    let rows = TABLE.lines().filter(|line| !line.starts_with('#'));
    let mut count = 0;
    for row in rows {
        let columns: Vec<&str> = row.split('\t').collect();
        let [input, expected, warnings] = columns.as_slice() else {
            panic!("a row has three columns: {row}")
        };
        check_bundle(input, expected, warnings);
        count += 1;
    }
    assert_eq!(count, 39);
}

fn check_bundle(input: &str, expected: &str, expected_warnings: &str) {
    let tree = nodewise_syntax::parse(input);
    let document = tree.documents().next().expect("a document");
    let value = SpannedValue::from_node(document.root().expect("a value"), SourceId::default());
    let Some((bundle, mut problems)) = bundle::normalise(&value) else {
        assert_eq!(expected, "error wrong-type", "{input}");
        return;
    };
    let conflict = problems.iter().find(|problem| {
        matches!(problem.kind, BundleProblemKind::DuplicateText(..) | BundleProblemKind::TextAndMapping(..))
    });
    if let Some(conflict) = conflict {
        assert_eq!(format!("error {}", conflict.kind.class()), expected, "{input}");
        return;
    }
    problems.extend(bundle::shortcomings(&bundle, value.at));
    let filled = bundle::fill(&bundle);
    let classes: Vec<&str> = problems.iter().map(|problem| problem.kind.class()).collect();
    assert_eq!(json(&filled).to_string(), normal_json(expected), "{input}");
    assert_eq!(classes.join(" "), expected_warnings, "{input}");
}

/// The same JSON without insignificant blanks; the order of keys stays.
fn normal_json(text: &str) -> String {
    serde_json::from_str::<serde_json::Value>(text).expect("JSON in the table").to_string()
}

fn json(bundle: &TextBundle<'_, '_>) -> serde_json::Value {
    let languages = bundle.languages.iter().map(|(language, tree)| ((*language).to_owned(), tree_json(tree)));
    serde_json::Value::Object(languages.collect::<Map<_, _>>())
}

fn tree_json(tree: &TextTree<'_, '_>) -> serde_json::Value {
    match tree {
        TextTree::Leaf(leaf) => value_json(&leaf.value),
        TextTree::Branch(entries) => serde_json::Value::Object(
            entries.iter().map(|(key, tree)| (key.to_string(), tree_json(tree))).collect(),
        ),
    }
}

fn value_json(value: &SpannedValue<'_>) -> serde_json::Value {
    match &value.data {
        Data::Text(text) => json!(text),
        Data::Bool(value) => json!(value),
        Data::Number(number) if number.fract() == 0.0 => json!(*number as i64),
        Data::Number(number) => json!(number),
        Data::List(items) => items.iter().map(value_json).collect(),
        other => panic!("no leaf: {other:?}"),
    }
}
