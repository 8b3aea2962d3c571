//! Every folder of the Liman corpus, judged by the command.
//!
//! Input: the folders, and `expected.json`, which was written from the first line of each faulty file and the
//! specification's table of classes (liman:9). Output: the errors and warnings, by file, line and class. Invariant: both say the
//! same, no finding more and none less; hints do not count.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/corpus/liman");
const EXPECTED: &str = include_str!("../data/corpus/liman/expected.json");

/// File, line, class, severity.
type Row = (String, u64, String, String);

fn expected() -> BTreeMap<String, Vec<Row>> {
    serde_json::from_str(EXPECTED).unwrap()
}

/// What the command finds in every folder, each a project of its own.
fn found(folders: &[&String]) -> BTreeMap<String, Vec<Row>> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nodewise"));
    let output =
        command.args(["check", "--format", "json"]).args(folders).current_dir(CORPUS).output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut found: BTreeMap<String, Vec<Row>> =
        folders.iter().map(|folder| ((*folder).clone(), Vec::new())).collect();
    for diagnostic in document["diagnostics"].as_array().unwrap() {
        let (folder, file) = diagnostic["file"].as_str().unwrap().split_once('/').unwrap();
        let severity = diagnostic["severity"].as_str().unwrap();
        if severity != "hint" {
            let line = diagnostic["range"]["start"]["line"].as_u64().unwrap();
            found.get_mut(folder).unwrap().push((
                file.to_owned(),
                line,
                class(diagnostic).to_owned(),
                severity.to_owned(),
            ));
        }
    }
    found
}

/// The class of the specification that a diagnostic stands for.
fn class(diagnostic: &Value) -> &str {
    let spec = diagnostic["spec"].as_str();
    spec.and_then(|spec| spec.strip_prefix("liman:")).unwrap_or_else(|| diagnostic["rule"].as_str().unwrap())
}

#[test]
fn every_folder_has_its_findings_and_no_other() {
    let expected = expected();
    let found = found(&expected.keys().collect::<Vec<_>>());
    let mut differences = String::new();
    for (folder, expected) in &expected {
        let (mut expected, mut found) = (expected.clone(), found[folder].clone());
        expected.sort();
        found.sort();
        if expected != found {
            differences.push_str(&format!("{folder}\n  expected {expected:?}\n  found    {found:?}\n"));
        }
    }
    assert!(differences.is_empty(), "{differences}");
}

#[test]
fn every_folder_is_in_the_table() {
    let mut folders: Vec<String> = Path::new(CORPUS)
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.file_type().unwrap().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    folders.sort();
    assert_eq!(folders, expected().into_keys().collect::<Vec<_>>());
}
