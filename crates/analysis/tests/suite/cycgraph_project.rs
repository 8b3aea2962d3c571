//! The cycgraph corpus judged as one project, and each document by itself.
//!
//! Input: the corpus files. Output: the errors and warnings of both ways. Invariant: documents that are strangers to
//! one another give each other none.

use std::path::Path;
use std::sync::Arc;

use nodewise_analysis::check;
use nodewise_analysis::diagnostic::{Diagnostic, Severity};
use nodewise_analysis::facts::FileFacts;
use nodewise_analysis::files::Files;
use nodewise_analysis::settings::Settings;
use nodewise_model::SourceId;

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/corpus/cycgraph");

/// Path and text of every document, in load order.
fn documents() -> Vec<(String, String)> {
    let entries = Path::new(CORPUS).read_dir().unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "yaml")).collect();
    paths.sort();
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    paths.iter().map(|path| (name(path), std::fs::read_to_string(path).unwrap())).collect()
}

/// The errors and warnings of a project, a line each.
fn found(documents: &[(String, String)]) -> Vec<String> {
    let settings = Arc::new(Settings::default());
    let facts = |(number, (path, text)): (usize, &(String, String))| {
        let source = SourceId(u32::try_from(number).unwrap());
        FileFacts::new(source, path.as_str().into(), text.as_str().into(), Arc::clone(&settings))
    };
    let files: Files = documents.iter().enumerate().map(facts).collect();
    let shown = |one: &Diagnostic| {
        let path = &files.get(one.finding.at.source).unwrap().path;
        format!("{path} {:?} {} {}", one.finding.at.range, one.rule, one.finding.message)
    };
    let diagnostics = check::check(&files);
    diagnostics.iter().filter(|one| one.severity != Severity::Hint).map(shown).collect()
}

#[test]
fn strangers_give_one_another_no_findings() {
    let documents = documents();
    assert!(documents.len() > 30, "the corpus is missing");
    let alone: Vec<String> =
        documents.iter().flat_map(|document| found(std::slice::from_ref(document))).collect();
    assert!(!alone.is_empty());
    assert_eq!(found(&documents), alone);
}
