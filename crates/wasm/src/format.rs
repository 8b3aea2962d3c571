//! The canonical layout of the files.
//!
//! Input: the files. Output: the new text of each file that changes, and why a file cannot be formatted. Invariant:
//! the same files change as with `nodewise fmt`. Files without declarations stay as they are, and so do the files of
//! a project whose configuration has errors.

use std::collections::BTreeMap;
use std::sync::Arc;

use nodewise_analysis::facts::kinds;
use nodewise_format::{FormatRefusal, format_tree};
use nodewise_project::config::FILE_NAME;
use nodewise_project::texts::projects_of;
use nodewise_syntax::{LineIndex, parse};
use serde_json::{Map, Value, json};

/// Formats all files. Returns JSON with the texts that change and the files that cannot be formatted.
pub(crate) fn format(texts: &BTreeMap<String, Arc<str>>) -> String {
    let mut changed = Map::new();
    let mut refused: Vec<Value> = Vec::new();
    for project in projects_of(texts) {
        if let Some(problem) = project.config_problems.first() {
            let file = format!("{}{FILE_NAME}", project.folder);
            refused.push(refusal(file, (problem.at.line, problem.at.column), &problem.reason));
            continue;
        }
        for file in &project.files {
            let tree = parse(Arc::clone(&file.text));
            let Some(kinds) = kinds(&file.path, &tree, file.settings.dialect) else { continue };
            let path = format!("{}{}", project.folder, file.path);
            match format_tree(&tree, &kinds, &project.config.format) {
                Ok(formatted) if formatted.edits.is_empty() => {}
                Ok(formatted) => drop(changed.insert(path, formatted.text.into())),
                Err(FormatRefusal::Broken(problem)) => {
                    let at = LineIndex::new(&file.text).line_col(problem.range.start());
                    refused.push(refusal(path, (at.line, at.column), &problem.message()));
                }
                Err(FormatRefusal::Doubted(failure)) => {
                    refused.push(refusal(path, (1, 1), &failure.to_string()))
                }
            }
        }
    }
    json!({"changed": changed, "refused": refused}).to_string()
}

fn refusal(file: String, (line, column): (u32, u32), message: &str) -> Value {
    json!({"file": file, "line": line, "column": column, "message": message})
}
