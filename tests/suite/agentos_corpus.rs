//! Every document of the AgentOS corpus, judged by the command, each as a project of its own.
//!
//! Input: the documents, whose first lines name the classes that must come out, and `expected.json`, which holds what
//! the release says. Output: the classes of errors and warnings. Invariant: the classes found are those of the header,
//! with the severity of docs/spec, and among the release's own classes those that it reports; hints do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/corpus/agentos");
const EXPECTED: &str = include_str!("../data/corpus/agentos/expected.json");

/// Classes that are warnings; I18, I20, I23, I27 and I38 have faults of both severities.
const WARNINGS: &[&str] = &[
    "R2", "I2", "I8", "I11", "I12", "I13", "I15", "I16", "I17", "I19", "I21", "I22", "I25", "I26", "I28",
    "I29", "I30", "I31", "I32", "I33", "I34", "I35", "I40", "I41", "I44", "I45", "I46", "I47", "I48", "I49",
];
const BOTH: &[&str] = &["I18", "I23", "I27", "I38"];

fn documents(folder: &str) -> Vec<PathBuf> {
    let entries = Path::new(CORPUS).join(folder).read_dir().unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// The findings about one text, hints left out: class and severity. The text gets a folder of its own.
fn found(name: &str, text: &str) -> BTreeSet<(String, String)> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("agentos_corpus").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join(if name.ends_with("json") { "graph.json" } else { "graph.yaml" });
    std::fs::write(&file, text).unwrap();
    std::fs::write(folder.join("nodewise.toml"), "").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_nodewise"));
    let output = command.args(["check", "--format", "json"]).arg(&file).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{name}: {}", String::from_utf8_lossy(&output.stderr)));
    let diagnostics = report["diagnostics"].as_array().unwrap().iter();
    let counting = diagnostics.filter(|diagnostic| diagnostic["severity"] != "hint");
    counting
        .map(|diagnostic| {
            let spec = diagnostic["spec"].as_str().and_then(|spec| spec.strip_prefix("agentos:"));
            let class = spec.unwrap_or_else(|| diagnostic["rule"].as_str().unwrap());
            (class.to_owned(), diagnostic["severity"].as_str().unwrap().to_owned())
        })
        .collect()
}

/// The classes that the first lines of a document name.
fn header(text: &str) -> BTreeSet<String> {
    let line = text.lines().find_map(|line| line.strip_prefix("# expect:")).unwrap_or_default();
    let words = line.split(|character: char| !character.is_ascii_alphanumeric());
    let is_class = |word: &&str| {
        word.strip_prefix(['R', 'I'])
            .is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    words.filter(is_class).map(str::to_owned).collect()
}

#[test]
fn every_document_has_the_classes_of_its_header_and_no_other() {
    let mut differences = String::new();
    let mut count = 0;
    for path in ["valid", "invalid", "implied"].into_iter().flat_map(documents) {
        let text = std::fs::read_to_string(&path).unwrap();
        let expected = without_consequences(header(&text));
        let found = found(path.file_name().unwrap().to_str().unwrap(), &text);
        let classes: BTreeSet<String> = found.iter().map(|(class, _)| class.clone()).collect();
        let wrong_severity: Vec<_> = found
            .iter()
            .filter(|(class, severity)| {
                let is_warning = WARNINGS.contains(&class.as_str());
                !BOTH.contains(&class.as_str()) && is_warning != (severity == "warning")
            })
            .collect();
        if classes != expected || !wrong_severity.is_empty() {
            differences.push_str(&format!(
                "{}\n  expected {expected:?}\n  found    {classes:?}\n  severity {wrong_severity:?}\n",
                path.display()
            ));
        }
        count += 1;
    }
    assert!(differences.is_empty(), "{differences}");
    assert_eq!(count, 61);
}

#[test]
fn every_verdict_of_the_release_is_ours() {
    let expected: BTreeMap<String, Value> = serde_json::from_str(EXPECTED).unwrap();
    let mut differences = String::new();
    for (name, verdict) in &expected {
        let list = |key: &str| verdict[key].as_array().map(Vec::len).unwrap_or_default();
        let rules = verdict["rules"].as_array().into_iter().flatten();
        let rules: BTreeSet<String> = rules.map(|rule| rule.as_str().unwrap().to_owned()).collect();
        let text = std::fs::read_to_string(Path::new(CORPUS).join(name)).unwrap();
        let found: BTreeSet<String> = found(&name.replace('/', "-"), &text)
            .into_iter()
            .map(|(class, _)| class)
            .filter(|class| class.starts_with('R'))
            .collect();
        let rules = without_consequences(rules);
        let has_errors = found.iter().any(|rule| rule != "R2");
        if found != rules || has_errors != (list("errors") > 0) {
            differences.push_str(&format!("{name}\n  release {rules:?}\n  found   {found:?}\n"));
        }
    }
    assert!(differences.is_empty(), "{differences}");
}

/// The classes without those that only follow from others, which are reported once: of an edge without an end a cycle and a
/// node that is not reached; of no entry that nothing is reached; of a cycle that the nodes behind it wait, and that
/// a target that means every node makes it.
fn without_consequences(classes: BTreeSet<String>) -> BTreeSet<String> {
    let has = |class: &str| classes.contains(class);
    let mut follow: Vec<&str> = Vec::new();
    if has("R3") || has("R4") {
        follow.extend(["R1", "R2", "R5", "R6"]);
    }
    if has("R5") {
        follow.push("R2");
    }
    if has("R1") {
        follow.extend(["I13", "I14"]);
    }
    classes.iter().filter(|class| !follow.contains(&class.as_str())).cloned().collect()
}

/// What a graph of the runs is warned of, because the run shows just that.
const SHOWN: &[(&str, &[&str])] = &[
    ("05-leaking-skip", &["I16"]),
    ("06-parallel-reducers", &["I49"]),
    ("17-cycle-stalls", &["R1"]),
    ("18-start-conditions", &["I12", "I15", "R2"]),
];

#[test]
fn the_graphs_of_the_runs_have_only_the_faults_that_the_runs_show() {
    let mut differences = String::new();
    for path in documents("runs").into_iter().filter(|path| path.extension().unwrap() == "yaml") {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let graph = graph_of(&std::fs::read_to_string(&path).unwrap());
        let found: Vec<String> =
            found(&format!("runs-{name}"), &graph).into_iter().map(|(class, _)| class).collect();
        let expected = SHOWN.iter().find(|(shown, _)| *shown == name).map_or(&[][..], |(_, classes)| classes);
        if found != expected {
            differences.push_str(&format!("{name}\n  expected {expected:?}\n  found    {found:?}\n"));
        }
    }
    assert!(differences.is_empty(), "{differences}");
}

/// The lines below `graph:`, moved to the left.
fn graph_of(job: &str) -> String {
    let behind = job.lines().skip_while(|line| *line != "graph:").skip(1);
    behind.map_while(|line| line.strip_prefix("  ")).map(|line| format!("{line}\n")).collect()
}
