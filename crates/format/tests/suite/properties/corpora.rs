//! Where texts that people wrote are: the corpora and the examples. Invariant: the order is that of the paths.

use std::path::{Path, PathBuf};

/// The YAML and JSON files of the corpora and the examples.
pub(crate) fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for folder in ["tests/data/corpus", "examples"] {
        collect(&root.join(folder), &mut files);
    }
    files.sort();
    files
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_yaml = path.extension().is_some_and(|end| end == "yaml" || end == "yml" || end == "json");
        if path.is_dir() {
            collect(&path, files);
        } else if is_yaml {
            files.push(path);
        }
    }
}
