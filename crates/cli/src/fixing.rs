//! `nodewise check --fix` and `--diff`: applies fixes to files.
//!
//! Input: projects, and which fixes of a file's findings to apply. Output: changed files, or their differences.
//! Invariant: only files in the request change, and each is written once.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use nodewise_analysis::diagnostic::{Diagnostic, Fix};
use nodewise_analysis::facts::FileFacts;
use nodewise_analysis::fixing::apply_fixes;
use nodewise_analysis::settings::Pin;
use nodewise_model::SourceId;
use nodewise_project::discovery::{self, FoundFile, Project};

use crate::diff;
use crate::outcome::Outcome;
use crate::output::{Output, remark};
use crate::print::count;
use crate::workspace::{Loaded, load};

/// A file that was fixed.
struct Changed {
    path: PathBuf,
    shown: String,
    before: Arc<str>,
    after: Arc<str>,
}

/// Writes the fixed files, and reports how many findings were fixed.
pub(crate) fn write(
    projects: &[Project],
    forced: Option<Pin>,
    choose: &impl Fn(&Project, &FileFacts, Vec<Diagnostic>) -> Vec<Fix>,
) -> Result<()> {
    let (mut fixed, mut files) = (0, 0);
    for project in projects {
        let (changed, gone) = of_project(project, forced, choose);
        for file in &changed {
            std::fs::write(&file.path, file.after.as_bytes())
                .with_context(|| format!("`{}` cannot be written", file.shown))?;
        }
        fixed += gone;
        files += changed.len();
    }
    remark(&format!("fixed {} in {}", count(fixed, "problem"), count(files, "file")));
    Ok(())
}

/// Shows the differences without writing.
pub(crate) fn show(
    projects: &[Project],
    forced: Option<Pin>,
    choose: &impl Fn(&Project, &FileFacts, Vec<Diagnostic>) -> Vec<Fix>,
    output: &mut Output,
) -> Result<Outcome> {
    let mut outcome = Outcome::Clean;
    for project in projects {
        for file in of_project(project, forced, choose).0 {
            output.write(&diff::text(&file.shown, &file.before, &file.after))?;
            outcome = Outcome::Findings;
        }
    }
    Ok(outcome)
}

/// The files that change, and how many findings are fixed. The check that follows reports files that cannot be read.
fn of_project(
    project: &Project,
    forced: Option<Pin>,
    choose: &impl Fn(&Project, &FileFacts, Vec<Diagnostic>) -> Vec<Fix>,
) -> (Vec<Changed>, usize) {
    let Loaded { mut workspace, texts, .. } = load(project, forced, None);
    let snapshot = workspace.snapshot();
    // A file outside of the project is not changed through a link.
    let is_own = |file: &FoundFile| file.is_reported && !discovery::leads_out(&file.path(), &project.root);
    let reported = texts.iter().filter(|(file, _)| is_own(file));
    let sources: Vec<SourceId> = reported.filter_map(|(file, _)| snapshot.source(&file.relative)).collect();
    let outcome = apply_fixes(&mut workspace, &sources, |file, found| choose(project, file, found));
    let changed = texts.into_iter().filter_map(|(file, before)| {
        let after = outcome.texts.get(&snapshot.source(&file.relative)?)?;
        let (path, shown) = (file.path(), project.shown_path(file));
        (**after != *before).then(|| Changed { path, shown, before, after: Arc::clone(after) })
    });
    (changed.collect(), outcome.fixed)
}
