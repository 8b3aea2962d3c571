//! Renaming everything in the corpora. In: the projects of `tests/data/corpus`; out: for each name that can change,
//! a check that every name of the project still means what it meant, that the same is found wrong with the project, and
//! that the old name brings back the old text.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nodewise_analysis::settings::Settings;
use nodewise_analysis::workspace::{Change, Snapshot, Workspace};
use nodewise_ide::names::{Entity, Occurrence, names};
use nodewise_ide::position::FilePosition;
use nodewise_ide::rename::{FileEdits, RenameOptions, prepare_rename, rename};
use nodewise_syntax::edit::apply_edits;

type Texts = BTreeMap<String, String>;

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

fn all_names(snapshot: &Snapshot) -> Vec<Occurrence> {
    snapshot.files().iter().flat_map(|file| names(snapshot, file.source)).collect()
}

/// What a project's names mean, name by name: the thing's number in order of appearance, and whether it is missing.
fn meanings(names: &[Occurrence]) -> Vec<(usize, bool)> {
    let mut numbers: BTreeMap<&Entity, usize> = BTreeMap::new();
    names
        .iter()
        .map(|one| {
            let next = numbers.len();
            let number = *numbers.entry(&one.entity).or_insert(next);
            (number, matches!(one.entity, Entity::Missing { .. }))
        })
        .collect()
}

/// What is wrong with a project: rule and line of each finding.
fn faults(snapshot: &Snapshot) -> Vec<(String, &'static str, usize)> {
    let mut found = Vec::new();
    for file in snapshot.files() {
        for diagnostic in snapshot.diagnostics(file.source) {
            let before = &file.text[..usize::from(diagnostic.finding.at.range.start())];
            found.push((file.path.to_string(), diagnostic.rule, before.lines().count()));
        }
    }
    found.sort();
    found
}

fn edited(snapshot: &Snapshot, texts: &Texts, files: Vec<FileEdits>) -> Texts {
    let mut texts = texts.clone();
    for mut file in files {
        let path = &*snapshot.file(file.source).unwrap().path;
        let text = apply_edits(&texts[path], &mut file.edits).expect("edits that fit");
        texts.insert(path.to_owned(), text);
    }
    texts
}

/// Renames everything in a project, there and back; says how many things could be renamed.
fn check_project(label: &str, texts: &Texts) -> usize {
    let snapshot = project(texts);
    let before = all_names(&snapshot);
    let (expected, faults_before) = (meanings(&before), faults(&snapshot));
    let mut seen: Vec<&Entity> = Vec::new();
    let mut renamed = 0;
    for (number, one) in before.iter().enumerate() {
        if seen.contains(&&one.entity) || one.is_alias {
            continue;
        }
        seen.push(&one.entity);
        let position = FilePosition::new(one.at.source, one.at.range.start());
        let Ok(found) = prepare_rename(&snapshot, position) else { continue };
        // One of several declarations of a name does not take the others along; `y` and `n` come back in quotes.
        if snapshot.index().declared(&found.name).len() > 1 || ["y", "n"].contains(&found.name.as_str()) {
            continue;
        }
        let new_name = another(&found.name);
        let Ok(files) = rename(&snapshot, position, &new_name, RenameOptions::default()) else { continue };
        let context = format!("{label}: {} to {new_name}", found.name);
        let after_texts = edited(&snapshot, texts, files);
        let after = project(&after_texts);
        let after_names = all_names(&after);
        assert_eq!(meanings(&after_names), expected, "{context}");
        // A use under a kind that does not fit means nothing, and does not go along.
        if !faults_before.iter().any(|(_, rule, _)| *rule == "wrong-kind-target") {
            assert_eq!(faults(&after), faults_before, "{context}");
        }
        let there = &after_names[number];
        let position = FilePosition::new(there.at.source, there.at.range.start());
        let back = rename(&after, position, &found.name, RenameOptions::default());
        let back = back.unwrap_or_else(|refusal| panic!("{context}, and back: {refusal}"));
        assert_eq!(&edited(&after, &after_texts, back), texts, "{context}, and back");
        renamed += 1;
    }
    renamed
}

/// Another name of the same sort: a number for a number, a UUID for a UUID.
fn another(name: &str) -> String {
    let is_number = name.parse::<f64>().is_ok();
    let is_uuid = name.len() == 36 && name.chars().all(|letter| letter == '-' || letter.is_ascii_hexdigit());
    match (name.strip_suffix('0'), is_uuid) {
        (Some(rest), true) => format!("{rest}1"),
        (None, true) => format!("{}0", &name[..35]),
        _ => format!("{name}{}", if is_number { "77" } else { "_zq" }),
    }
}

fn corpus(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/corpus").join(name)
}

fn read(folder: &Path, root: &Path, texts: &mut Texts) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        if path.is_dir() {
            read(&path, root, texts);
        } else if ["yaml", "yml", "json"].contains(&extension)
            && let Ok(text) = fs::read_to_string(&path)
        {
            let path = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
            texts.insert(path, text);
        }
    }
}

/// Each folder, or each file, below a folder as a project of its own.
fn projects(folder: &Path) -> Vec<(String, Texts)> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let mut projects = Vec::new();
    for path in entries {
        let mut texts = Texts::new();
        let label = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            read(&path, &path, &mut texts);
        } else if let Ok(text) = fs::read_to_string(&path) {
            texts.insert(label.clone(), text);
        }
        projects.push((label, texts));
    }
    projects
}

fn check_corpus(folders: &[&str], least: usize) {
    let all = folders.iter().flat_map(|folder| projects(&corpus(folder)));
    let renamed: usize = all.map(|(label, texts)| check_project(&label, &texts)).sum();
    assert!(renamed >= least, "only {renamed} things could be renamed");
}

#[test]
fn everything_in_liman_projects() {
    check_corpus(&["liman"], 100);
}

#[test]
fn everything_in_cycgraph_graphs() {
    check_corpus(&["cycgraph"], 200);
}

#[test]
fn everything_in_agentos_graphs() {
    check_corpus(&["agentos/valid", "agentos/implied", "agentos/runs"], 200);
}

#[test]
fn everything_in_a_whole_folder_at_once() {
    let mut texts = Texts::new();
    let folder = corpus("agentos/valid");
    read(&folder, &folder, &mut texts);
    assert!(check_project("agentos/valid", &texts) >= 50);
}
