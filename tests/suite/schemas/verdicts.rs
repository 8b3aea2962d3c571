//! Every document against the schema of its system, judged by an independent validator in this process.

use std::collections::{BTreeMap, BTreeSet};

use nodewise_dialect::value::SpannedValue as Located;
use nodewise_model::SourceId;
use serde_json::Value;

use crate::schemas::documents::{Document, documents, printed_schema, schema};
use crate::schemas::rules::{SEEN, TEXT, UNSEEN};

/// What a schema should say of a document; nothing where that is up to the loader.
pub(crate) fn expected(document: &Document) -> Option<bool> {
    let has = |rules: &[&str]| document.findings.iter().any(|finding| rules.contains(&finding.rule.as_str()));
    if has(TEXT) {
        return None;
    }
    Some(!document.findings.iter().any(|finding| is_seen(&finding.rule, &finding.message)))
}

fn is_seen(rule: &str, message: &str) -> bool {
    let is_excepted = crate::schemas::rules::EXCEPTIONS
        .iter()
        .any(|(excepted, part, _)| *excepted == rule && message.contains(part));
    SEEN.contains(&rule) && !is_excepted
}

#[test]
fn a_schema_refuses_what_one_document_shows_and_nothing_else() {
    let mut validators = BTreeMap::new();
    let mut surprises = Vec::new();
    let documents = documents();
    for document in &documents {
        let validator = validators
            .entry(document.schema)
            .or_insert_with(|| jsonschema::draft7::new(&schema(document.schema)).unwrap());
        let errors: Vec<String> = validator
            .iter_errors(&document.value)
            .map(|error| format!("      {}: {error:.200}", error.instance_path()))
            .collect();
        if expected(document).is_some_and(|expected| expected != errors.is_empty()) {
            let rules: Vec<String> = document
                .findings
                .iter()
                .map(|finding| format!("      {}: {}", finding.rule, finding.message))
                .collect();
            surprises.push(format!(
                "{}:{} should be {}\n    found\n{}\n    errors\n{}",
                document.path,
                document.line,
                if errors.is_empty() { "refused" } else { "accepted" },
                rules.join("\n"),
                errors.join("\n")
            ));
        }
    }
    assert!(surprises.is_empty(), "{} surprises\n{}", surprises.len(), surprises.join("\n"));
    // As many as there are, so that no folder is lost by accident.
    assert!(documents.len() >= 250, "{}", documents.len());
}

#[test]
fn every_rule_that_is_found_is_judged_once() {
    let documents = documents();
    let found: BTreeSet<&str> = documents
        .iter()
        .flat_map(|document| &document.findings)
        .map(|finding| finding.rule.as_str())
        .collect();
    let unseen: Vec<&str> = UNSEEN.iter().map(|(rule, _)| *rule).collect();
    let judged: Vec<&str> = [SEEN, TEXT, &unseen].concat();
    let unjudged: Vec<&&str> = found.iter().filter(|rule| !judged.contains(rule)).collect();
    assert!(unjudged.is_empty(), "not in the lists of rules: {unjudged:?}");
    let twice: Vec<&&str> =
        judged.iter().filter(|rule| judged.iter().filter(|other| other == rule).count() > 1).collect();
    assert!(twice.is_empty(), "judged twice: {twice:?}");
}

/// What the published package of cycgraph says of generated documents, as it was recorded.
const RECORDED: &str = include_str!("../../data/recorded/cycgraph_documents.jsonl");
/// The package drops keys that it does not know, so the schema that leaves them alone is the one to compare with.
const LENIENT: &str = "--allow-unknown-keys";

#[test]
fn the_schema_of_cycgraph_refuses_what_the_package_s_own_schema_refuses() {
    let validator = jsonschema::draft7::new(&printed_schema(&["cycgraph", LENIENT])).unwrap();
    let (mut refused, mut accepted) = (0, 0);
    for line in RECORDED.lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        let answer = &record["answer"];
        // The value is what the generator meant; a text is what the package read.
        let question = &record["question"];
        let document = question["text"].as_str().map_or(question["value"].clone(), |text| {
            let tree = nodewise_syntax::parse(text);
            let root = tree.documents().next().unwrap().root().unwrap();
            Located::from_node(root, SourceId::default()).to_json()
        });
        let errors: Vec<String> = validator
            .iter_errors(&document)
            .map(|error| format!("{}: {error:.200}", error.instance_path()))
            .collect();
        if answer["stage"] == "schema" {
            assert!(!errors.is_empty(), "the package refuses {}\n{document}", answer["places"]);
            refused += 1;
        } else if answer["errors"].as_array().is_some_and(Vec::is_empty) {
            assert!(errors.is_empty(), "the package accepts {document}\n{errors:#?}");
            accepted += 1;
        }
    }
    assert!(refused > 100 && accepted > 50, "{refused} refused, {accepted} accepted");
}
