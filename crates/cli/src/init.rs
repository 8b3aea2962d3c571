//! `nodewise init`: creates the configuration of a folder.
//!
//! Input: a folder. Output: its `nodewise.toml`, what was found, and what to do next; or an example project. Invariant: an
//! existing configuration is overwritten only with `--force`. In a git repository, `.gitignore` gets a line for `.env`. Only
//! `--example` writes anything else.

mod example;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use nodewise_project::config::{FILE_NAME, starter};
use nodewise_project::discovery::{self, DiscoveryRequest, Project};
use nodewise_project::reading;
use nodewise_project::survey::Survey;

use crate::outcome::Outcome;
use crate::output::{Output, remark};
use crate::print::count;
use crate::screen;

/// Write a `nodewise.toml` that fits this folder.
///
/// nodewise looks at the declarations below the folder: their systems, the releases that they need, and their layout. The
/// new file explains each key in a comment. In a git repository, `.env` is added to `.gitignore`, because it can hold keys of
/// live runs. Its `[format]` settings are those that change the fewest files.
#[derive(Args)]
pub(crate) struct InitOptions {
    /// The folder of the project.
    #[arg(default_value = ".", value_name = "DIR")]
    folder: PathBuf,
    /// Print the file instead of writing it.
    #[arg(long)]
    stdout: bool,
    #[arg(long, value_name = "SYSTEM", help = example_help(), conflicts_with_all = ["stdout", "force"])]
    example: Option<String>,
    /// Overwrite an existing `nodewise.toml`.
    #[arg(long, conflicts_with = "stdout")]
    force: bool,
}

fn example_help() -> String {
    format!("Write an example project: {}. The folder may be new", example::systems().join(", "))
}

/// Examines the folder, and writes.
pub(crate) fn run(options: &InitOptions, output: &mut Output) -> Result<Outcome> {
    let folder = &options.folder;
    if let Some(system) = &options.example {
        return write_example(system, folder, output);
    }
    if !folder.is_dir() {
        bail!("`{}` is not a folder\n  help: name the folder of the project", folder.display());
    }
    let path = if folder == Path::new(".") { PathBuf::from(FILE_NAME) } else { folder.join(FILE_NAME) };
    if path.exists() && !options.force && !options.stdout {
        bail!(
            "`{}` already exists\n  help: `--stdout` prints the new file, `--force` overwrites the old one",
            path.display()
        );
    }
    let found = discovery::find(&DiscoveryRequest::new(std::slice::from_ref(folder), None)?, None)?;
    let root = std::fs::canonicalize(folder)?;
    let is_inside = |project: &&Project| project.root != root && project.root.starts_with(&root);
    let nested = found.projects.iter().filter(is_inside).count();
    let around =
        found.projects.iter().find(|project| root.starts_with(&project.root) && project.root != root);
    let survey = survey(found.projects.iter().filter(|project| !is_inside(project)));
    let text = starter::text(&survey);
    let mut said = said(&survey, nested, around);
    if options.stdout {
        output.write(&text)?;
        output.finish()?;
        said.iter().for_each(|line| remark(line));
        return Ok(Outcome::Clean);
    }
    std::fs::write(&path, text).with_context(|| format!("`{}` cannot be written", path.display()))?;
    said.push(format!("created: {}", path.display()));
    said.extend(ignore_secrets(folder, &root)?);
    said.extend(next(&survey, folder));
    for line in said {
        output.line(&screen::lines(&line))?;
    }
    Ok(Outcome::Clean)
}

/// Writes an example project.
fn write_example(system: &str, folder: &Path, output: &mut Output) -> Result<Outcome> {
    let files = example::write(system, folder)?;
    let shown = folder.display();
    let mut said: Vec<String> =
        files.iter().map(|path| format!("created: {}", folder.join(path).display())).collect();
    said.extend([
        "next:".to_owned(),
        format!("  nodewise check {shown}   reports problems"),
        format!("  nodewise test {shown}    runs its scenarios"),
    ]);
    for line in said {
        output.line(&screen::lines(&line))?;
    }
    Ok(Outcome::Clean)
}

/// Keeps the file with the keys of live runs out of git; what was written for that.
fn ignore_secrets(folder: &Path, root: &Path) -> Result<Option<String>> {
    if !root.ancestors().any(|folder| folder.join(".git").exists()) {
        return Ok(None);
    }
    let path = if folder == Path::new(".") { PathBuf::from(".gitignore") } else { folder.join(".gitignore") };
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error).with_context(|| format!("`{}` cannot be read", path.display())),
    };
    let covers =
        |line: &str| matches!(line.trim().trim_start_matches('/'), ".env" | ".env*" | "*.env" | ".*");
    if text.lines().any(covers) {
        return Ok(None);
    }
    let separator = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    std::fs::write(&path, format!("{text}{separator}.env\n"))
        .with_context(|| format!("`{}` cannot be written", path.display()))?;
    Ok(Some(format!("added `.env` to {}: keys of live runs stay out of git", path.display())))
}

/// The declarations of the folder. `check` reports files that cannot be read.
fn survey<'p>(projects: impl Iterator<Item = &'p Project>) -> Survey {
    let files = projects.flat_map(|project| {
        let reported = project.files.iter().filter(|file| file.is_reported);
        reported.filter_map(|file| {
            let text = reading::read(&file.path(), project.config.size_max).ok()?;
            Some((&*file.relative, text))
        })
    });
    Survey::of(files)
}

/// What was found, one line each.
fn said(survey: &Survey, nested: usize, around: Option<&Project>) -> Vec<String> {
    let mut said: Vec<String> = Vec::new();
    for system in &survey.systems {
        let (files, declarations) = (system.files, system.declarations);
        let release = system.release.map(|release| format!(", with fields of {release}")).unwrap_or_default();
        said.push(format!(
            "{}: {} in {}{release}",
            system.dialect.title,
            count(declarations, "declaration"),
            count(files, "file")
        ));
    }
    if said.is_empty() {
        said.push("no declarations found yet".to_owned());
    } else {
        let (changed, measured) = (survey.style.changed, survey.measured);
        said.push(format!("format: {changed} of {} would change", count(measured, "file")));
    }
    if nested > 0 {
        said.push(format!(
            "{} below {} a {FILE_NAME}, and {}",
            count(nested, "folder"),
            if nested == 1 { "has" } else { "have" },
            if nested == 1 { "is a separate project" } else { "are separate projects" },
        ));
    }
    if let Some(around) = around {
        let config = around.shown.join(FILE_NAME);
        said.push(format!("{} no longer applies to these files", config.display()));
    }
    said
}

/// What to do next.
fn next(survey: &Survey, folder: &Path) -> Vec<String> {
    if survey.systems.is_empty() {
        return Vec::new();
    }
    let folder = if folder == Path::new(".") { String::new() } else { format!(" {}", folder.display()) };
    vec![
        "next:".to_owned(),
        format!("  nodewise check{folder}   reports problems; `--fix` applies safe fixes"),
        format!("  nodewise fmt{folder}     formats the files; use `--check` in CI"),
        "  docs/ci.md of nodewise shows how to use it with pre-commit, GitHub and GitLab".to_owned(),
    ]
}
