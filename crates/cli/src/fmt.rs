//! `nodewise fmt`: formats declarations.
//!
//! Input: paths. Output: the files, rewritten in place, or the differences. Invariant: a file is not written if a
//! second parser reads the new text differently. `--check` and `--diff` write nothing.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;
use nodewise_analysis::facts::kinds;
use nodewise_format::options::FormatOptions as Layout;
use nodewise_format::{FormatRefusal, format_tree};
use nodewise_project::config::FILE_NAME;
use nodewise_project::discovery::{self, DiscoveryRequest, Project, Stdin};
use nodewise_project::reading;
use nodewise_project::settings::SettingsOf;
use nodewise_syntax::{LineIndex, parse};
use rayon::prelude::*;

use crate::input::{self, STDIN_NAME};
use crate::outcome::Outcome;
use crate::output::{Output, complain, remark};
use crate::print::count;
use crate::{diff, notices, screen};

/// Format declarations.
///
/// Comments, anchors and meaning stay the same. Before nodewise writes a file, a second YAML parser compares the old
/// and the new text. A file whose meaning would change is not written, and is reported. Files without declarations are
/// skipped.
#[derive(Args)]
pub(crate) struct FmtOptions {
    /// Files and folders to format; `-` formats standard input to standard output.
    #[arg(default_value = ".")]
    paths: Vec<PathBuf>,
    /// List the files that would change, without writing them.
    ///
    /// Ends with 1 if there are any.
    #[arg(long)]
    check: bool,
    /// Show what would change, without writing it.
    ///
    /// Ends with 1 if there is anything to change.
    #[arg(long)]
    diff: bool,
    /// Apply the exclusions in `nodewise.toml` to named files too.
    #[arg(long)]
    force_exclude: bool,
    /// Follow symbolic links that lead out of the project.
    ///
    /// Such files are read and never written.
    #[arg(long)]
    follow_links: bool,
    /// Also format YAML and JSON files without declarations.
    #[arg(long)]
    all: bool,
    /// Use this file instead of each project's `nodewise.toml`.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Format standard input as if it were this file.
    #[arg(long, value_name = "PATH")]
    stdin_filename: Option<PathBuf>,
}

/// A file and its result.
struct Done {
    /// The path as shown.
    shown: String,
    result: FormatResult,
}

enum FormatResult {
    /// It is already formatted.
    Unchanged,
    /// It has no declarations.
    NotOurs,
    /// The text before and after.
    Changed(String, String),
    /// The reason why it does not change, and what to do.
    Refused(String, &'static str),
    /// It cannot be read or written.
    Failed(String),
}

/// Formats the paths.
pub(crate) fn run(options: &FmtOptions, output: &mut Output) -> Result<Outcome> {
    if options.paths.iter().any(|path| input::is_stdin(path)) {
        return options.stdin(output);
    }
    let found = discovery::find(&options.request()?, options.config.as_deref())?;
    let failures = found.notices.into_iter().filter(|notice| notice.is_failure);
    let mut outcome = match notices::print_all(failures.collect()) {
        true => Outcome::Failed,
        false => Outcome::Clean,
    };
    let (mut changed, mut unchanged, mut skipped) = (0_usize, 0_usize, 0_usize);
    for project in &found.projects {
        if !project.config_problems.is_empty() {
            // The `[format]` settings cannot be read.
            let config = project.shown.join(FILE_NAME);
            complain(&format!(
                "error: {}: fix this file first; nothing in its project is formatted",
                config.display()
            ));
            continue;
        }
        for done in options.project(project) {
            outcome = outcome.max(options.report(&done, output)?);
            changed += usize::from(matches!(done.result, FormatResult::Changed(..)));
            unchanged += usize::from(matches!(done.result, FormatResult::Unchanged));
            skipped += usize::from(matches!(done.result, FormatResult::NotOurs));
        }
    }
    output.finish()?;
    let verb = if options.writes() { "formatted" } else { "to format" };
    let others = if skipped > 0 { format!(", {skipped} skipped") } else { String::new() };
    remark(&format!("{} {verb}, {unchanged} unchanged{others}", count(changed, "file")));
    Ok(outcome)
}

impl FmtOptions {
    fn request(&self) -> Result<DiscoveryRequest> {
        let request = input::request(&self.paths, self.stdin_filename.as_deref())?;
        Ok(request.force_exclusions(self.force_exclude).follow_links(self.follow_links))
    }

    fn writes(&self) -> bool {
        !self.check && !self.diff
    }

    fn project(&self, project: &Project) -> Vec<Done> {
        let mut settings = SettingsOf::new(project.config.clone(), None);
        let files: Vec<_> = project.files.iter().filter(|file| file.is_reported).collect();
        let settings: Vec<_> = files.iter().map(|file| settings.file(&file.relative)).collect();
        let formatted = files.par_iter().zip(&settings).map(|(file, settings)| {
            let path = file.path();
            let result = match reading::read(&path, project.config.size_max) {
                Err(unreadable) => FormatResult::Failed(unreadable.reason),
                Ok(text) => {
                    let result = self.result(&text, &file.relative, settings.dialect, &project.config.format);
                    self.written(project, &path, result)
                }
            };
            Done { shown: project.shown_path(file), result }
        });
        formatted.collect()
    }

    /// The result of formatting a text.
    fn result(
        &self,
        text: &str,
        path: &str,
        pin: nodewise_analysis::settings::Pin,
        layout: &Layout,
    ) -> FormatResult {
        let tree = parse(text);
        let kinds = match kinds(path, &tree, pin) {
            Some(kinds) => kinds,
            None if self.all => Vec::new(),
            None => return FormatResult::NotOurs,
        };
        match format_tree(&tree, &kinds, layout) {
            Ok(formatted) if formatted.edits.is_empty() => FormatResult::Unchanged,
            Ok(formatted) => FormatResult::Changed(text.to_owned(), formatted.text),
            Err(FormatRefusal::Broken(problem)) => {
                let at = LineIndex::new(text).line_col(problem.range.start());
                let reason = format!("{}:{}: {}", at.line, at.column, problem.message());
                FormatResult::Refused(reason, "fix the syntax first; `nodewise check` shows where")
            }
            Err(FormatRefusal::Doubted(failure)) => FormatResult::Refused(
                failure.to_string(),
                "the file is not changed; this is a bug in nodewise, please report it with the file",
            ),
        }
    }

    /// Writes a changed file, unless the options only ask.
    fn written(&self, project: &Project, path: &Path, result: FormatResult) -> FormatResult {
        match result {
            FormatResult::Changed(..) if self.writes() && discovery::leads_out(path, &project.root) => {
                FormatResult::Failed("not written, because its link leads out of the project".to_owned())
            }
            FormatResult::Changed(before, after) if self.writes() => match std::fs::write(path, &after) {
                Ok(()) => FormatResult::Changed(before, after),
                Err(error) => FormatResult::Failed(format!("cannot be written: {error}")),
            },
            other => other,
        }
    }

    fn report(&self, done: &Done, output: &mut Output) -> Result<Outcome> {
        match &done.result {
            FormatResult::Unchanged | FormatResult::NotOurs => Ok(Outcome::Clean),
            FormatResult::Changed(before, after) if self.diff => {
                output.write(&diff::text(&done.shown, before, after))?;
                Ok(Outcome::Findings)
            }
            FormatResult::Changed(..) if self.check => {
                output.line(&screen::lines(&format!("would change: {}", done.shown)))?;
                Ok(Outcome::Findings)
            }
            FormatResult::Changed(..) => {
                output.line(&screen::lines(&format!("formatted: {}", done.shown)))?;
                Ok(Outcome::Clean)
            }
            FormatResult::Refused(reason, help) => {
                complain(&format!("error: {}:{reason}\n  help: {help}", done.shown));
                Ok(Outcome::Findings)
            }
            FormatResult::Failed(reason) => {
                complain(&format!("error: {}: {reason}", done.shown));
                Ok(Outcome::Failed)
            }
        }
    }

    /// Formats standard input. Prints the new text, or the old one if it cannot be formatted.
    fn stdin(&self, output: &mut Output) -> Result<Outcome> {
        if self.paths.len() > 1 {
            bail!("standard input cannot be formatted together with files\n  help: run the command twice");
        }
        let name = self.stdin_filename.as_deref().unwrap_or(Path::new(STDIN_NAME));
        let request = self.request()?;
        let found = discovery::find(&request, self.config.as_deref())?;
        let text = match &request.stdin {
            Some(Stdin { bytes, .. }) => reading::text(bytes).map_err(|unreadable| {
                anyhow::anyhow!("{}\n  help: {}", unreadable.reason, unreadable.help)
            })?,
            None => bail!("standard input cannot be read"),
        };
        let shown = name.to_string_lossy().into_owned();
        let project = found.projects.iter().find(|project| project.files.iter().any(|file| file.is_reported));
        let result = match project {
            Some(project) if project.config_problems.is_empty() => {
                let file = project.files.iter().find(|file| file.is_reported);
                let relative = file.map_or(shown.as_str(), |file| &*file.relative);
                let settings = SettingsOf::new(project.config.clone(), None).file(relative);
                self.result(&text, relative, settings.dialect, &project.config.format)
            }
            Some(_) => FormatResult::Failed("the nodewise.toml of its project has errors".to_owned()),
            // The configuration excludes it.
            None => FormatResult::NotOurs,
        };
        if self.writes() {
            let shown = match &result {
                FormatResult::Changed(_, after) => after,
                _ => &*text,
            };
            output.write(shown)?;
            if let FormatResult::Changed(..) = &result {
                return Ok(Outcome::Clean);
            }
        }
        self.report(&Done { shown, result }, output)
    }
}
