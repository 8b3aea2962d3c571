//! `nodewise check --fix` and `--diff`: fixes carried out on files.
//!
//! Input: projects, which fixes are wanted. Output: files with other texts, or their differences. Invariant: only files
//! that were asked for change, and each is written once.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use nodewise_analysis::diagnostic::{Diagnostic, Fix};
use nodewise_analysis::fixing::mend;
use nodewise_analysis::settings::Pin;
use nodewise_analysis::workspace::{Change, Workspace};
use nodewise_model::SourceId;
use nodewise_project::discovery::Project;
use nodewise_project::reading;
use nodewise_project::settings::SettingsOf;

use crate::diff;
use crate::outcome::Outcome;
use crate::output::{Output, complain};

/// A file that was mended.
struct Changed<'p> {
    path: &'p Path,
    shown: String,
    before: Arc<str>,
    after: Arc<str>,
}

/// Writes the mended files, and says how many findings are gone.
pub(crate) fn write(
    projects: &[Project],
    forced: Option<Pin>,
    wanted: &impl Fn(&Diagnostic, &Fix) -> bool,
) -> Result<()> {
    let (mut fixed, mut files) = (0, 0);
    for project in projects {
        let (changed, count) = mended(project, forced, wanted);
        for file in &changed {
            std::fs::write(file.path, file.after.as_bytes())
                .with_context(|| format!("`{}` cannot be written", file.shown))?;
        }
        fixed += count;
        files += changed.len();
    }
    let (problems, noun) =
        (if fixed == 1 { "problem" } else { "problems" }, if files == 1 { "file" } else { "files" });
    complain(&format!("{fixed} {problems} mended in {files} {noun}"));
    Ok(())
}

/// Shows what would be written.
pub(crate) fn show(
    projects: &[Project],
    forced: Option<Pin>,
    wanted: &impl Fn(&Diagnostic, &Fix) -> bool,
    output: &mut Output,
) -> Result<Outcome> {
    let mut outcome = Outcome::Clean;
    for project in projects {
        for file in mended(project, forced, wanted).0 {
            output.write(&diff::text(&file.shown, &file.before, &file.after))?;
            outcome = Outcome::Findings;
        }
    }
    Ok(outcome)
}

/// The files that change, and how many findings are mended. What cannot be read is told by the check that follows.
fn mended<'p>(
    project: &'p Project,
    forced: Option<Pin>,
    wanted: &impl Fn(&Diagnostic, &Fix) -> bool,
) -> (Vec<Changed<'p>>, usize) {
    let mut settings = SettingsOf::new(project.config.clone(), forced);
    let mut workspace = Workspace::new();
    let read = project.files.iter().filter_map(|file| {
        let text = reading::read(&file.path, project.config.size_max).ok()?;
        Some((file, text))
    });
    let read: Vec<_> = read.collect();
    let changes = read.iter().map(|(file, text)| Change::Write {
        path: file.relative.clone(),
        text: Arc::clone(text),
        settings: settings.file(&file.relative),
    });
    workspace.apply(changes.collect());
    let snapshot = workspace.snapshot();
    let reported = read.iter().filter(|(file, _)| file.is_reported);
    let sources: Vec<SourceId> = reported.filter_map(|(file, _)| snapshot.source(&file.relative)).collect();
    let mended = mend(&mut workspace, &sources, wanted);
    let changed = read.into_iter().filter_map(|(file, before)| {
        let after = mended.texts.get(&snapshot.source(&file.relative)?)?;
        let (path, shown) = (file.path.as_path(), project.shown_path(file));
        (**after != *before).then(|| Changed { path, shown, before, after: Arc::clone(after) })
    });
    (changed.collect(), mended.fixed)
}
