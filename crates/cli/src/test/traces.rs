//! `nodewise test --recorded`: traces of other programs, compared with the graphs of their projects.
//!
//! Input: the JSON files below a folder. Output: a result for each run that one of them describes. Invariant: a file that is
//! neither a trace nor a declaration is named.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use nodewise_analysis::facts::Ownership;
use nodewise_analysis::workspace::Snapshot;
use nodewise_project::discovery::Project;
use nodewise_simulation::external::conformance::conform;
use nodewise_simulation::external::external_runs;
use nodewise_simulation::testing::Tested;
use rayon::prelude::*;

use crate::output::remark;

/// The endings of files that may be traces.
const ENDINGS: &[&str] = &["json", "jsonl", "ndjson"];

/// The files that may be traces, absolute.
#[derive(Debug, Default)]
pub(super) struct TraceFiles(Vec<PathBuf>);

/// Finds the files below a folder that may be traces. Links and hidden files are left out.
pub(super) fn find(folder: &Path) -> Result<TraceFiles> {
    let mut found = Vec::new();
    let mut waiting = vec![std::path::absolute(folder)?];
    while let Some(folder) = waiting.pop() {
        let entries =
            fs::read_dir(&folder).with_context(|| format!("`{}` cannot be read", folder.display()))?;
        for entry in entries {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
            let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
            if is_hidden {
                continue;
            }
            if kind.is_dir() {
                waiting.push(path);
            } else if kind.is_file() && ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str())) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(TraceFiles(found))
}

impl TraceFiles {
    /// The files of a project: those that are in no project inside it.
    pub(super) fn of(&self, project: &Project, all: &[Project]) -> Vec<PathBuf> {
        let depth = |file: &Path, project: &Project| {
            file.starts_with(&project.root).then(|| project.root.components().count())
        };
        let is_nearest = |file: &&PathBuf| {
            let own = depth(file, project);
            own.is_some() && own == all.iter().filter_map(|project| depth(file, project)).max()
        };
        self.0.iter().filter(is_nearest).cloned().collect()
    }
}

/// The runs of traces, compared with the graphs of their project.
pub(super) fn compared(project: &Project, snapshot: &Snapshot, files: &[PathBuf]) -> Vec<Tested> {
    files.par_iter().flat_map_iter(|file| of_file(project, snapshot, file)).collect()
}

fn of_file(project: &Project, snapshot: &Snapshot, file: &Path) -> Vec<Tested> {
    let relative = file.strip_prefix(&project.root).unwrap_or(file);
    let relative = relative.to_string_lossy().replace('\\', "/");
    let source = snapshot.source(&relative).and_then(|source| snapshot.file(source));
    if source.is_some_and(|file| matches!(file.ownership, Ownership::Ours(_))) {
        return Vec::new();
    }
    let runs = match fs::read_to_string(file) {
        Ok(text) => external_runs(&text),
        Err(error) => {
            remark(&format!("warning: `{}` cannot be read: {error}", file.display()));
            return Vec::new();
        }
    };
    let Some(runs) = runs else {
        remark(&format!(
            "note: `{}` is no trace that nodewise knows\n  help: event logs, checkpoints and OpenTelemetry spans can be compared, as JSON",
            project.shown.join(&relative).display()
        ));
        return Vec::new();
    };
    runs.iter().map(|(system, run)| conform(snapshot, *system, run, &relative)).collect()
}
