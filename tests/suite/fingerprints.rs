//! Fingerprints of the findings in every corpus while other parts of the files change.
//!
//! Input: the corpora and the examples. Output: the fingerprints after comments, documents and files came, moved and went.
//! Invariant: an edit elsewhere changes no fingerprint, in no file of the project.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nodewise_analysis::facts::kinds;
use nodewise_analysis::fingerprint::{Fingerprint, fingerprints};
use nodewise_analysis::settings::{Pin, Settings};
use nodewise_analysis::workspace::{Change, Workspace};
use nodewise_format::format_tree;
use nodewise_syntax::parse;

/// Path, rule, message and fingerprint of every finding, sorted.
type Names = Vec<(String, &'static str, String, Fingerprint)>;

/// A declaration of each system that has nothing to do with any other.
const NEWCOMERS: [(&str, &str); 3] = [
    ("zz-newcomer-liman.yaml", "kind: FunctionNode\nname: a_newcomer\nfunc: came.later\n"),
    (
        "zz-newcomer-cycgraph.yaml",
        "id: a-newcomer\nname: A newcomer\nnodes:\n  - {id: newcomer_start, type: router}\nedges: []\n\
         start_node: newcomer_start\nend_nodes: [newcomer_start]\n",
    ),
    ("zz-newcomer-comment.yaml", "# Nothing yet.\n"),
];

/// A project whose files are edited one at a time.
struct Project {
    name: String,
    texts: BTreeMap<String, Arc<str>>,
    workspace: Workspace,
}

impl Project {
    fn open(folder: &Path) -> Option<Project> {
        let texts = read(folder);
        let mut project = Project { name: folder.display().to_string(), texts, workspace: Workspace::new() };
        project.texts.clone().into_iter().for_each(|(path, text)| project.write(&path, text));
        (!project.texts.is_empty()).then_some(project)
    }

    fn write(&mut self, path: &str, text: Arc<str>) {
        let settings = Arc::new(Settings::default());
        self.workspace.apply(vec![Change::Write { path: path.into(), text, settings }]);
    }

    fn names(&self) -> Names {
        let snapshot = self.workspace.snapshot();
        let mut names = Names::new();
        for file in snapshot.files() {
            let found = snapshot.diagnostics(file.source);
            let of_file = fingerprints(&file.text, &found);
            names.extend(found.into_iter().zip(of_file).map(|(one, fingerprint)| {
                (file.path.to_string(), one.rule, one.finding.message, fingerprint)
            }));
        }
        names.sort();
        names
    }

    /// The names with another text of a file.
    fn names_with(&mut self, path: &str, text: String) -> Names {
        let before = Arc::clone(&self.texts[path]);
        self.write(path, text.into());
        let names = self.names();
        self.write(path, before);
        names
    }
}

/// What an edit did to names, if it did anything.
fn difference(what: &str, project: &Project, before: &Names, after: &Names) -> Option<String> {
    let lost: Vec<_> = before.iter().filter(|one| !after.contains(one)).collect();
    let new: Vec<_> = after.iter().filter(|one| !before.contains(one)).collect();
    let is_same = lost.is_empty() && new.is_empty() && before.len() == after.len();
    (!is_same).then(|| format!("{}: {what}\n  lost {lost:?}\n  new  {new:?}", project.name))
}

/// Holds what edits of every file do against nothing at all.
fn check_edits(edits: impl Fn(&str, &str) -> Vec<(String, String)>, tried_min: usize) {
    let (mut tried, mut findings, mut failures) = (0, 0, Vec::new());
    for folder in folders() {
        let Some(mut project) = Project::open(&folder) else { continue };
        let before = project.names();
        findings += before.len();
        for (path, text) in project.texts.clone() {
            for (what, text) in edits(&path, &text) {
                tried += 1;
                let after = project.names_with(&path, text);
                failures.extend(difference(&format!("{path}: {what}"), &project, &before, &after));
            }
        }
    }
    println!("{tried} edits, {findings} findings");
    assert!(tried >= tried_min && findings > 300, "{tried} edits, {findings} findings");
    assert!(failures.is_empty(), "{} of {tried}\n{}", failures.len(), failures.join("\n"));
}

/// Whether a comment can stand before a line: an entry of the outermost level begins there, or a document.
fn begins_entry(before: &str, line: &str) -> bool {
    let is_entry = line.starts_with(|first: char| first.is_alphanumeric() || first == '-');
    // Comments that speak for the next line belong to it.
    is_entry && !before.lines().next_back().is_some_and(|last| last.contains("nodewise:"))
}

#[test]
fn comments_between_entries_change_no_fingerprint() {
    let edits = |path: &str, text: &str| {
        let mut edits = Vec::new();
        if path.ends_with(".json") {
            return edits;
        }
        let mut offset = 0;
        for line in text.split_inclusive('\n') {
            let (before, behind) = text.split_at(offset);
            if begins_entry(before, line) {
                let what = format!("a comment before {:?}", line.trim_end());
                edits.push((what, format!("{before}# Came later.\n\n{behind}")));
            }
            offset += line.len();
        }
        edits
    };
    check_edits(edits, 1_300);
}

#[test]
fn the_order_of_documents_changes_no_fingerprint() {
    let edits = |path: &str, text: &str| {
        let documents: Vec<&str> = text.split("\n---\n").collect();
        let is_plain = !path.ends_with(".json") && documents.len() > 1 && !text.starts_with("---");
        let turned: Vec<&str> = documents.iter().rev().map(|one| one.trim_end_matches('\n')).collect();
        let turned = (String::from("documents turned round"), format!("{}\n", turned.join("\n---\n")));
        if is_plain { vec![turned] } else { Vec::new() }
    };
    check_edits(edits, 20);
}

#[test]
fn other_layout_changes_no_fingerprint() {
    let edits = |path: &str, text: &str| {
        let tree = parse(text);
        let formatted = kinds(path, &tree, Pin::ByContent)
            .and_then(|kinds| format_tree(&tree, &kinds, &Default::default()).ok());
        formatted.into_iter().map(|formatted| ("laid out".to_owned(), formatted.text)).collect()
    };
    check_edits(edits, 100);
}

#[test]
fn new_files_change_no_fingerprint() {
    let mut failures = Vec::new();
    for folder in folders() {
        let Some(mut project) = Project::open(&folder) else { continue };
        let before = project.names();
        for (path, text) in NEWCOMERS {
            project.write(path, text.into());
            let mut after = project.names();
            after.retain(|(found, ..)| found != path);
            failures.extend(difference(path, &project, &before, &after));
            project.workspace.apply(vec![Change::Remove { path: path.into() }]);
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The folders that hold declarations, each a project of its own.
fn folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = Vec::new();
    for base in ["tests/data/corpus/liman", "tests/data/corpus/agentos", "tests/data/corpus", "examples"] {
        let below = std::fs::read_dir(root.join(base)).unwrap().map(|entry| entry.unwrap().path());
        let mut below: Vec<PathBuf> = below.filter(|path| path.is_dir()).collect();
        below.sort();
        folders.extend(below);
    }
    folders
}

/// The declarations of a folder, those below it left out.
fn read(folder: &Path) -> BTreeMap<String, Arc<str>> {
    let mut texts = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_ours = path.extension().is_some_and(|end| end == "yaml" || end == "yml" || end == "json");
        if let (true, Ok(text)) = (is_ours, std::fs::read_to_string(&path)) {
            texts.insert(path.file_name().unwrap().to_string_lossy().into_owned(), Arc::from(text));
        }
    }
    texts
}
