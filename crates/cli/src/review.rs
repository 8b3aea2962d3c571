//! `nodewise diff`: what changed between two versions, by meaning.
//!
//! Input: revisions of git, folders or files. Output: the changes, an exit code. Invariant: the working tree and the
//! repository are only read, and versions that mean the same give no changes.

mod checkout;

use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use nodewise_project::discovery::{self, DiscoveryRequest};
use nodewise_project::git::{GitError, Repository};
use nodewise_project::notice::Notice;
use nodewise_review::behaviour::behaviour;
use nodewise_review::compare::review;
use nodewise_review::version::ProjectVersion;
use nodewise_review::{json, markdown, text};

use crate::outcome::Outcome;
use crate::output::Output;
use crate::print::json::to_json;
use crate::{notices, screen, workspace};
use checkout::Checkout;

/// Compare two versions by meaning.
///
/// Reports the nodes, edges, conditions, grants, prompts, models, budgets and policies that were added, removed or
/// changed. Layout, comments, defaults and the order of names change nothing. The scenarios of the new version run on
/// both versions, without models or tools: those that take another path are listed. A version is a revision of git, a
/// folder or a file. To read a revision, nodewise starts the program `git`.
#[derive(Args)]
pub(crate) struct DiffOptions {
    /// The old version [default: the last commit].
    ///
    /// `A..B` compares two revisions, and `A...B` the common ancestor of both with B.
    base: Option<String>,
    /// The new version [default: the working tree].
    head: Option<String>,
    /// Report only what is in these files and folders, after `--`.
    #[arg(last = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Output format.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// End with 1 if there are changes.
    #[arg(long)]
    exit_code: bool,
    /// Do not run scenarios on both versions.
    #[arg(long)]
    no_scenarios: bool,
    /// Follow symbolic links that lead out of the project.
    #[arg(long)]
    follow_links: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A line for each change.
    Text,
    /// One JSON document, with a version.
    Json,
    /// Markdown for a pull request, with a drawing of what changed.
    Markdown,
}

/// A version to read.
enum Version {
    /// A commit.
    Commit(String),
    /// The files of the working tree.
    WorkingTree,
    /// A file or a folder.
    Path(PathBuf),
}

/// The projects of a version. The files of a commit are deleted when it goes.
struct Opened {
    projects: Vec<ProjectVersion>,
    /// Whether its paths are relative to the repository.
    is_of_repository: bool,
    _checkout: Option<Checkout>,
}

/// Compares the versions.
pub(crate) fn run(options: &DiffOptions, output: &mut Output) -> Result<Outcome> {
    let repository = Repository::around(Path::new("."));
    let (base, head) = options.versions(&repository)?;
    let mut notices = Vec::new();
    let base = options.open(&base, &repository, &mut notices)?;
    let head = options.open(&head, &repository, &mut notices)?;
    let has_failed = notices::print_all(notices);
    let selection = PathSelection::new(&options.paths, &repository, &base, &head)?;
    let mut found = review(&base.projects, &head.projects);
    let is_selected = |path: &str| selection.has(path);
    if !options.no_scenarios {
        found.behaviour = behaviour(&base.projects, &head.projects, &found, &is_selected);
    }
    found.keep_paths(&is_selected);
    match options.format {
        Format::Text => output.write(&screen::lines(&text::text(&found)))?,
        Format::Json => output.line(&to_json(&json::json(&found)))?,
        Format::Markdown => output.write(&markdown::markdown(&found))?,
    }
    Ok(match (has_failed, options.exit_code && !(found.is_empty() && found.behaviour.changed.is_empty())) {
        (true, _) => Outcome::Failed,
        (false, true) => Outcome::Findings,
        (false, false) => Outcome::Clean,
    })
}

impl DiffOptions {
    /// The versions that the arguments name.
    fn versions(&self, repository: &Result<Repository, GitError>) -> Result<(Version, Version)> {
        let (base, head) = match (&self.base, &self.head) {
            (Some(range), None) if range.contains("..") && !Path::new(range).exists() => {
                let repository = wanted(repository)?;
                let (base, head, is_forked) = match range.split_once("...") {
                    Some((base, head)) => (base, head, true),
                    None => {
                        range.split_once("..").map(|(base, head)| (base, head, false)).unwrap_or_default()
                    }
                };
                let named = |name: &str| if name.is_empty() { "HEAD".to_owned() } else { name.to_owned() };
                let (base, head) = (named(base), named(head));
                let from =
                    if is_forked { repository.ancestor(&base, &head)? } else { repository.commit(&base)? };
                return Ok((Version::Commit(from), Version::Commit(repository.commit(&head)?)));
            }
            (base, head) => (base, head),
        };
        let base = match base {
            Some(name) => version(name, repository)?,
            None => Version::Commit(wanted(repository)?.commit("HEAD")?),
        };
        let head = match (head, &base) {
            (Some(name), _) => version(name, repository)?,
            (None, Version::Path(path)) => bail!(
                "there is nothing to compare `{}` with\n  help: name a second file or folder, or a revision of git first",
                path.display()
            ),
            (None, _) => Version::WorkingTree,
        };
        Ok((base, head))
    }

    /// Reads a version.
    fn open(
        &self,
        version: &Version,
        repository: &Result<Repository, GitError>,
        notices: &mut Vec<Notice>,
    ) -> Result<Opened> {
        let (path, checkout) = match version {
            Version::Commit(commit) => {
                let checkout = Checkout::of(wanted(repository)?, commit)?;
                (checkout.folder().to_owned(), Some(checkout))
            }
            Version::WorkingTree => (wanted(repository)?.folder().to_owned(), None),
            Version::Path(path) => (std::path::absolute(path)?, None),
        };
        let request =
            DiscoveryRequest::new(std::slice::from_ref(&path), None)?.follow_links(self.follow_links);
        let found = discovery::find(&request, None)?;
        notices.extend(found.notices);
        let mut projects = Vec::new();
        for project in &found.projects {
            let asked = workspace::asked(project, None, None, notices);
            let folder = project.root.strip_prefix(&path).unwrap_or(Path::new(""));
            let folder = folder.to_string_lossy().replace('\\', "/");
            projects.push(ProjectVersion { folder, snapshot: asked.snapshot, sources: asked.sources });
        }
        let is_of_repository = !matches!(version, Version::Path(_));
        Ok(Opened { projects, is_of_repository, _checkout: checkout })
    }
}

/// The files and folders of which changes are reported, relative to the versions; none are all.
struct PathSelection(Vec<String>);

impl PathSelection {
    /// What the user named, if a file of one of the versions is in each.
    fn new(
        paths: &[PathBuf],
        repository: &Result<Repository, GitError>,
        base: &Opened,
        head: &Opened,
    ) -> Result<PathSelection> {
        let folder = match base.is_of_repository || head.is_of_repository {
            true => Some(wanted(repository)?.folder().canonicalize()?),
            false => None,
        };
        let here = std::env::current_dir()?.canonicalize()?;
        let relative = |path: &PathBuf| {
            let inside = match &folder {
                Some(folder) => normal(&here.join(path)).strip_prefix(folder).map(Path::to_owned).ok(),
                None => Some(normal(path)),
            };
            let inside =
                inside.with_context(|| format!("`{}` is outside of the repository", path.display()))?;
            Ok(inside.to_string_lossy().replace('\\', "/"))
        };
        let selection = paths.iter().map(relative).collect::<Result<Vec<String>>>()?;
        let files: Vec<String> =
            base.projects.iter().chain(&head.projects).flat_map(ProjectVersion::paths).collect();
        for (path, named) in selection.iter().zip(paths) {
            if !files.iter().any(|file| is_in(file, path)) {
                bail!("neither version has a file in `{}`", named.display());
            }
        }
        Ok(PathSelection(selection))
    }

    fn has(&self, path: &str) -> bool {
        self.0.is_empty() || self.0.iter().any(|selected| is_in(path, selected))
    }
}

/// Whether a file is the path, or below it.
fn is_in(file: &str, path: &str) -> bool {
    let rest = file.strip_prefix(path);
    path.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A path without `.` and `..`, whether or not it exists.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}

/// The version that an argument names: a revision, or else a path.
fn version(name: &str, repository: &Result<Repository, GitError>) -> Result<Version> {
    let commit = repository.as_ref().ok().and_then(|repository| repository.commit(name).ok());
    let path = Path::new(name);
    match (commit, path.exists()) {
        (Some(_), true) => bail!(
            "`{name}` is a revision and a path\n  help: write `./{name}` for the path, or `refs/heads/{name}` for the branch"
        ),
        (Some(commit), false) => Ok(Version::Commit(commit)),
        (None, true) => Ok(Version::Path(path.to_owned())),
        (None, false) => {
            bail!("`{name}` is no revision, no folder and no file\n  help: {}", help(repository))
        }
    }
}

fn help(repository: &Result<Repository, GitError>) -> String {
    match repository {
        Ok(_) => "`git log --oneline` lists revisions".to_owned(),
        Err(error) => format!("revisions cannot be read: {error}"),
    }
}

fn wanted(repository: &Result<Repository, GitError>) -> Result<&Repository> {
    repository.as_ref().map_err(|error| {
        anyhow::anyhow!("{error}\n  help: name two folders or files to compare them without git")
    })
}
