//! Replays recorded answers of the oracles, and checks that generated questions are the same everywhere.

mod planted;

use nodewise_dialect::value::SpannedValue as Located;
use nodewise_model::SourceId;
use serde_json::{Value, json};

use super::generate::documents;
use super::random::Random;
use super::subject::{Disagreement, Explanation, agree};
use super::{Options, record, subjects};
use xtask::checkout::checkout_root;

/// Every recorded answer of a subject equals ours, or the ledger explains the difference.
fn check_recorded(system: &str, name: &str) {
    let subject = subjects()
        .find(|subject| subject.system == system && subject.name == name)
        .expect("a subject of that name");
    let path = checkout_root().join(subject.recorded_path());
    let rows = record::read(&std::fs::read_to_string(&path).expect("recorded answers")).expect("rows");
    assert_eq!(rows.len(), subject.recorded, "{}", path.display());
    for (question, theirs) in &rows {
        let ours = (subject.ours)(question);
        let disagreement = Disagreement { question, ours: &ours, theirs };
        let is_explained = matches!(subject.explain(&disagreement), Explanation::Entry(_));
        assert!(agree(&ours, theirs) || is_explained, "{question}\n  ours   {ours}\n  theirs {theirs}");
    }
}

#[test]
fn a_mapping_of_the_wrong_type_is_not_its_first_key() {
    let check = |nodes: &Value, places: &[&str]| {
        let subject = subjects().find(|subject| subject.system == "cycgraph" && subject.name == "documents");
        let value = json!({"nodes": nodes, "start_node": "plan", "end_nodes": []});
        let question = json!({"ask": "document", "form": "yaml", "value": value});
        let ours = (subject.expect("the subject").ours)(&question);
        assert_eq!(ours["places"], json!(places), "{question}");
    };
    check(&json!({"{input.topic}": null}), &["", "/nodes"]);
    check(&json!({"{input.topic}": 1}), &["", "/nodes"]);
    check(&json!([{"id": null}]), &["", "/nodes/0", "/nodes/0/id"]);
}

#[test]
fn equal_seeds_ask_equal_questions() {
    for subject in subjects() {
        let text = |case| subject.question(7, case).to_string();
        assert_eq!(text(3), text(3), "{}", subject.name);
        assert!((0..20).any(|case| text(case) != text(case + 1)), "{}", subject.name);
    }
}

#[test]
fn choices_spread_over_all_that_is_there() {
    let mut counts = [0_usize; 7];
    for case in 0..7_000 {
        counts[Random::for_case(1, case).below(7)] += 1;
    }
    assert!(counts.iter().all(|count| (850..1_150).contains(count)), "{counts:?}");
}

#[test]
fn both_notations_of_a_document_hold_the_same() {
    for case in 0..500 {
        let question = documents::cycgraph_question(&mut Random::for_case(5, case));
        if !question["text"].is_null() {
            continue;
        }
        let (_, text) = documents::text_of(&question);
        let tree = nodewise_syntax::parse(text.as_str());
        assert!(tree.problems().is_empty(), "{text}");
        let root = tree.documents().next().and_then(|document| document.root()).expect("a document");
        let read = documents::to_json(&Located::from_node(root, SourceId::default()));
        assert_eq!(with_floats(&read), with_floats(&question["value"]), "{text}");
    }
}

/// The value with all numbers as floats. A notation may distinguish 7 from 7.0, but the systems do not.
fn with_floats(value: &Value) -> Value {
    match value {
        Value::Number(number) => Value::from(number.as_f64()),
        Value::Array(items) => items.iter().map(with_floats).collect(),
        Value::Object(members) => {
            members.iter().map(|(key, member)| (key.clone(), with_floats(member))).collect()
        }
        other => other.clone(),
    }
}

#[test]
fn options_are_read_in_any_order() {
    let options =
        Options::read(&["--cases", "5", "agentos", "--only", "paths", "--seed", "9"]).expect("options");
    assert_eq!(
        (options.systems, options.cases, options.seed, options.only.as_deref()),
        (vec!["agentos".to_owned()], Some(5), 9, Some("paths"))
    );
    for wrong in [&["--cases"][..], &["--cases", "many"], &["cygraph"], &["--everything"]] {
        assert!(Options::read(wrong).is_err(), "{wrong:?}");
    }
}

#[test]
fn recorded_conditions_localized_texts_and_declarations_of_liman() {
    check_recorded("liman", "expressions");
    check_recorded("liman", "bundles");
    check_recorded("liman", "documents");
}

#[test]
fn recorded_runs_of_liman() {
    check_recorded("liman", "runs");
}

#[test]
fn recorded_filtrex_expressions() {
    check_recorded("cycgraph", "expressions");
}

#[test]
fn recorded_routing_expressions() {
    check_recorded("agentos", "expressions");
}

#[test]
fn recorded_paths() {
    check_recorded("cycgraph", "paths");
}

#[test]
fn recorded_cycgraph_documents() {
    check_recorded("cycgraph", "documents");
}

#[test]
fn recorded_cycgraph_runs() {
    check_recorded("cycgraph", "runs");
}

#[test]
fn recorded_runs_of_agentos() {
    check_recorded("agentos", "runs");
}
