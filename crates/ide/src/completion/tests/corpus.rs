//! Properties for real documents: every offset gets an answer, and accepting an item breaks nothing.

#![allow(clippy::disallowed_methods, reason = "the corpora are files")]

use std::path::Path;
use std::sync::Arc;

use nodewise_analysis::settings::Settings;
use nodewise_analysis::workspace::{Change, Workspace};

use super::{SNIPPETS, applied, complete, resolve};
use crate::position::FilePosition;

/// The distance in bytes between two tested offsets.
const STEP: usize = 23;

fn documents(folder: &Path, found: &mut Vec<(String, String)>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            documents(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "yaml" || ending == "json")
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            found.push((path.display().to_string(), text));
        }
    }
}

#[test]
fn accepting_breaks_nothing() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/corpus");
    let mut found = Vec::new();
    documents(&folder, &mut found);
    assert!(found.len() > 50, "the corpus is there");
    let mut accepted = 0;
    for (number, (path, text)) in found.iter().enumerate().filter(|(_, (_, text))| text.len() < 20_000) {
        let ending = path.rsplit('.').next().unwrap();
        let mut workspace = Workspace::new();
        let change = Change::Write {
            path: format!("main.{ending}").into(),
            text: text.as_str().into(),
            settings: Arc::new(Settings::default()),
        };
        workspace.apply(vec![change]);
        let snapshot = workspace.snapshot();
        let source = snapshot.source(&format!("main.{ending}")).unwrap();
        let problems = nodewise_syntax::parse(text.as_str()).problems().len();
        for offset in (number % STEP..=text.len() + 1).step_by(STEP) {
            let position = FilePosition::new(source, u32::try_from(offset).unwrap().into());
            let answer = complete(&snapshot, position, SNIPPETS);
            for item in answer.items.iter().step_by(1 + answer.items.len() / 8) {
                if let Some(handle) = &item.documentation {
                    assert!(resolve(&snapshot, handle).is_some(), "{path} {}", item.label);
                }
                let (with, _) = applied(text, item, item.edit.replace);
                let now = nodewise_syntax::parse(with.as_str()).problems().len();
                assert!(now <= problems, "{path} at {offset}: {} makes\n{with}", item.label);
                accepted += 1;
            }
        }
    }
    assert!(accepted > 1000, "{accepted} items were accepted");
}
