//! Versions for tests: from texts, and from the corpora of the repository.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use nodewise_analysis::settings::Settings;
use nodewise_analysis::workspace::{Change, Snapshot, Workspace};
use nodewise_review::change::Review;
use nodewise_review::compare::review;
use nodewise_review::version::ProjectVersion;

/// A file: its path and its text.
pub(crate) type TestFile = (String, String);

/// Files in the notation `#- path`.
pub(crate) fn files(text: &str) -> Vec<TestFile> {
    let parts = text.split("#- ").skip(1);
    parts
        .map(|part| part.split_once('\n').unwrap())
        .map(|(path, text)| (path.trim().into(), text.into()))
        .collect()
}

pub(crate) fn snapshot(files: &[TestFile]) -> Snapshot {
    let mut workspace = Workspace::new();
    let settings = Arc::new(Settings::default());
    let write = |(path, text): &TestFile| Change::Write {
        path: path.as_str().into(),
        text: text.as_str().into(),
        settings: Arc::clone(&settings),
    };
    workspace.apply(files.iter().map(write).collect());
    workspace.snapshot()
}

pub(crate) fn version(files: &[TestFile]) -> Vec<ProjectVersion> {
    let snapshot = snapshot(files);
    let sources = snapshot.files().iter().map(|file| file.source).collect();
    vec![ProjectVersion { folder: String::new(), snapshot, sources }]
}

pub(crate) fn compared(base: &[TestFile], head: &[TestFile]) -> Review {
    review(&version(base), &version(head))
}

/// The projects of the corpora and the examples, each with its files.
pub(crate) fn projects() -> Vec<Vec<TestFile>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut projects = Vec::new();
    for folder in ["examples/liman", "examples/cycgraph", "examples/agentos"] {
        projects.push(read_folder(&root.join(folder)));
    }
    for system in ["cycgraph", "agentos/valid"] {
        let files = read_folder(&root.join("tests/data/corpus").join(system));
        projects.extend(files.into_iter().map(|file| vec![file]));
    }
    let mut folders: Vec<PathBuf> = std::fs::read_dir(root.join("tests/data/corpus/liman"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    projects.extend(folders.iter().map(|folder| read_folder(folder)));
    projects
}

/// The declarations below a folder, without scripts and scenarios.
fn read_folder(folder: &Path) -> Vec<TestFile> {
    let (mut found, mut waiting) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.to_string_lossy().into_owned();
            if path.is_dir() {
                waiting.push(path);
            } else if name.ends_with(".yaml")
                && !name.contains(".script.")
                && !name.contains(".scenario.")
                && let Ok(text) = std::fs::read_to_string(&path)
            {
                found.push((name, text));
            }
        }
    }
    found.sort();
    found
}
