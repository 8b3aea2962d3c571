//! Every feature, asked everywhere. In: every document of the corpora and examples, half-typed YAML, and what random
//! edits make of them; out: what is wrong with the answers, nothing. Invariant: nothing panics, and what is answered fits
//! the text: ranges lie in it, on the bounds of characters, in the order and nesting that editors rely on.

mod asks;
mod numbers;

use nodewise_analysis::settings::Settings;
use nodewise_analysis::workspace::{Change, Snapshot, Workspace};
use nodewise_ide::position::FilePosition;
use nodewise_syntax::TextSize;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::robustness::asks::{AT_OFFSET, OF_FILE};
use crate::robustness::numbers::Numbers;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

type Texts = BTreeMap<String, String>;

/// Asks everything of one file of a project, at these offsets; the result is what is wrong.
fn faults_of(texts: &Texts, path: &str, offsets: &[usize]) -> Vec<String> {
    let snapshot = project(texts);
    let source = snapshot.source(path).unwrap();
    let mut faults = Vec::new();
    let mut note = |feature: &str, place: &str, ask: &dyn Fn(&mut Vec<String>)| {
        let mut found = Vec::new();
        if catch_unwind(AssertUnwindSafe(|| ask(&mut found))).is_err() {
            found.push("it panics".to_owned());
        }
        faults.extend(found.into_iter().map(|fault| format!("{feature}{place}: {fault}")));
    };
    for (feature, ask) in OF_FILE {
        note(feature, "", &|found| ask(&snapshot, source, found));
    }
    for offset in offsets {
        let position = FilePosition::new(source, size(*offset));
        for (feature, ask) in AT_OFFSET {
            note(feature, &format!(" at {offset}"), &|found| ask(&snapshot, position, found));
        }
    }
    faults
}

fn project(texts: &Texts) -> Snapshot {
    let settings = Arc::new(Settings::default());
    let write = |(path, text): (&String, &String)| Change::Write {
        path: path.as_str().into(),
        text: text.as_str().into(),
        settings: Arc::clone(&settings),
    };
    let mut workspace = Workspace::new();
    workspace.apply(texts.iter().map(write).collect());
    workspace.snapshot()
}

/// The projects: a folder each for Liman and the examples, else a file; half-typed YAML.
fn projects() -> Vec<Texts> {
    let corpus = Path::new(ROOT).join("tests/data/corpus");
    let folders = [corpus.join("liman"), Path::new(ROOT).join("examples")];
    let mut projects: Vec<Texts> = Vec::new();
    for folder in folders.iter().flat_map(|root| entries(root)).filter(|path| path.is_dir()) {
        let texts = files_below(&folder).into_iter();
        projects.push(texts.map(|path| (path.display().to_string(), text_of(&path))).collect());
    }
    // A project of modules alone has no document.
    projects.retain(|texts| !texts.is_empty());
    for path in ["cycgraph", "agentos"].iter().flat_map(|system| files_below(&corpus.join(system))) {
        projects.push(Texts::from([(path.display().to_string(), text_of(&path))]));
    }
    let broken: serde_json::Value = serde_json::from_str(&text_of(&corpus.join("yaml/broken.json"))).unwrap();
    for case in broken["cases"].as_array().unwrap() {
        let part = |name: &str| case[name].as_str().unwrap().to_owned();
        let text = part("pre") + &part("err") + &part("post");
        projects.push(Texts::from([(format!("{}.yaml", part("name")), text)]));
    }
    projects
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    entries
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let is_ours =
        |path: &PathBuf| path.extension().is_some_and(|end| end == "yaml" || end == "yml" || end == "json");
    let below = entries(folder).into_iter().flat_map(|path| match path.is_dir() {
        true => files_below(&path),
        false => vec![path],
    });
    below.filter(is_ours).collect()
}

fn text_of(path: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned()
}

fn size(offset: usize) -> TextSize {
    TextSize::try_from(offset).unwrap()
}

fn check_as_they_are(count: usize) {
    let mut numbers = Numbers(1);
    let mut faults = Vec::new();
    for texts in projects() {
        for (path, text) in &texts {
            let offsets = match text.len() < count {
                true => (0..=text.len()).collect(),
                false => numbers.offsets(text, count),
            };
            let found = faults_of(&texts, path, &offsets);
            faults.extend(found.into_iter().map(|fault| format!("{path} {fault}")));
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

fn check_mutants(seed: u64, count: usize) {
    let mut numbers = Numbers(seed);
    let projects = projects();
    let mut faults = Vec::new();
    for number in 0..count {
        let mut texts = projects[numbers.below(projects.len())].clone();
        let others = &projects[numbers.below(projects.len())];
        let Some((path, text)) = texts.iter().nth(numbers.below(texts.len())) else { continue };
        let other = others.values().next().unwrap();
        let (path, mut text) = (path.clone(), text.clone());
        for _ in 0..=numbers.below(4) {
            text = numbers.edited(&text, other);
        }
        let offsets = numbers.offsets(&text, 6);
        texts.insert(path.clone(), text.clone());
        for fault in faults_of(&texts, &path, &offsets) {
            faults.push(format!("mutant {number} of {path} {fault}\n{text:?}"));
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn every_answer_about_the_corpora_fits() {
    check_as_they_are(24);
}

/// More of them with `NODEWISE_SEEDS`: so many times 2,000.
#[test]
fn every_answer_about_broken_texts_fits() {
    check_mutants(1, 300);
    let seeds = std::env::var("NODEWISE_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(0);
    (2..2 + seeds).for_each(|seed| check_mutants(seed, 2000));
}

#[test]
fn a_key_in_quotes_is_completed_from_before_them() {
    for text in ["'' # x\nkind: LLMNode\nname: a\n", "kind: LLMNode\nname: a\n''\n", "''"] {
        let texts = Texts::from([("a.yaml".to_owned(), text.to_owned())]);
        let offsets: Vec<usize> = (0..=text.len()).collect();
        assert_eq!(faults_of(&texts, "a.yaml", &offsets), Vec::<String>::new(), "{text}");
    }
}
