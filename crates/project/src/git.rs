//! Revisions of a repository, read by the program `git`.
//!
//! Input: names of revisions. Output: the files of a commit that may declare something. Invariant: only commands of git that
//! read are started, no hook and no filter of the repository runs, and nothing is written. Only what the user asks for starts
//! git, never an opened file.

use std::fmt;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::config::FILE_NAME;
use crate::discovery::is_declaration_name;

#[derive(Debug)]
pub struct Repository {
    folder: PathBuf,
}

/// Why a revision cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GitError {
    /// The program cannot be started.
    NotStarted,
    /// The folder is in no repository. The text is git's reason.
    NoRepository(String),
    /// No commit has that name.
    NoRevision(String),
    /// Two revisions have no commit in common.
    NothingInCommon(String, String),
    /// Anything else.
    Failed(String),
}

/// A file of a commit.
struct Listed {
    object: String,
    path: PathBuf,
}

/// Receives the path and the content of each file.
pub type TakeFile<'t> = &'t mut dyn FnMut(&Path, Vec<u8>) -> Result<(), GitError>;

impl fmt::Display for GitError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GitError::NotStarted => write!(formatter, "the program `git` cannot be started"),
            GitError::NoRepository(_) => write!(formatter, "this is no repository of git"),
            GitError::NoRevision(name) => write!(formatter, "`{name}` is no revision"),
            GitError::NothingInCommon(one, other) => {
                write!(formatter, "`{one}` and `{other}` have no commit in common")
            }
            GitError::Failed(reason) => formatter.write_str(reason),
        }
    }
}

impl std::error::Error for GitError {}

impl Repository {
    /// The repository that a folder is in.
    pub fn around(folder: &Path) -> Result<Repository, GitError> {
        let found = output(folder, &["rev-parse", "--show-toplevel"]).map_err(|error| match error {
            GitError::Failed(reason) => GitError::NoRepository(reason),
            error => error,
        })?;
        let folder = String::from_utf8_lossy(&found);
        Ok(Repository { folder: PathBuf::from(folder.trim_end_matches(['\n', '\r'])) })
    }

    /// Its top folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The path of a folder in it, with `/` at the end, or nothing for its top folder.
    pub fn path_of(&self, folder: &Path) -> Result<String, GitError> {
        let found = output(folder, &["rev-parse", "--show-prefix"])?;
        Ok(String::from_utf8_lossy(&found).trim_end_matches(['\n', '\r']).to_owned())
    }

    /// The commit that a revision names.
    pub fn commit(&self, revision: &str) -> Result<String, GitError> {
        let wanted = format!("{revision}^{{commit}}");
        self.line(&["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted])
            .map_err(|error| of_failure(error, || GitError::NoRevision(revision.to_owned())))
    }

    /// The newest commit that two revisions have in common.
    pub fn ancestor(&self, one: &str, other: &str) -> Result<String, GitError> {
        let (one_commit, other_commit) = (self.commit(one)?, self.commit(other)?);
        self.line(&["merge-base", &one_commit, &other_commit]).map_err(|error| {
            of_failure(error, || GitError::NothingInCommon(one.to_owned(), other.to_owned()))
        })
    }

    /// Reads the files of a commit below a folder that may declare something, and the configurations of projects. The
    /// folder is written as in [`Repository::path_of`], and the paths begin with it. Contents are as the repository stores
    /// them.
    pub fn read(&self, commit: &str, folder: &str, take: TakeFile<'_>) -> Result<(), GitError> {
        let mut arguments = vec!["ls-tree", "-r", "-z", "--full-tree", commit];
        arguments.extend((!folder.is_empty()).then_some(["--", folder]).into_iter().flatten());
        let listed = output(&self.folder, &arguments).map_err(|error| {
            of_failure(error, || GitError::Failed(format!("the files of `{commit}` cannot be listed")))
        })?;
        let files: Vec<Listed> = listed.split(|byte| *byte == 0).filter_map(listed_file).collect();
        let (mut process, mut input, output) = self.contents()?;
        let wanted: String = files.iter().map(|file| format!("{}\n", file.object)).collect();
        // A thread of its own, because git prints answers before it has read all names: both pipes could fill up.
        let writer = std::thread::spawn(move || input.write_all(wanted.as_bytes()));
        let mut output = BufReader::new(output);
        let read = files.iter().try_for_each(|file| take(&file.path, content(&mut output)?));
        drop(output);
        let is_written = writer.join().is_ok();
        let status = process.wait().map_err(|_| failed("`git` cannot be waited for"))?;
        read?;
        match is_written && status.success() {
            true => Ok(()),
            false => Err(failed("`git cat-file` failed")),
        }
    }

    /// The process that writes the content of every object whose name it reads.
    fn contents(&self) -> Result<(Child, ChildStdin, ChildStdout), GitError> {
        let mut process = git(&self.folder)
            .args(["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|_| GitError::NotStarted)?;
        match (process.stdin.take(), process.stdout.take()) {
            (Some(input), Some(output)) => Ok((process, input, output)),
            _ => Err(failed("`git` has no input or output")),
        }
    }

    fn line(&self, arguments: &[&str]) -> Result<String, GitError> {
        let found = output(&self.folder, arguments)?;
        Ok(String::from_utf8_lossy(&found).trim().to_owned())
    }
}

fn failed(reason: &str) -> GitError {
    GitError::Failed(reason.to_owned())
}

/// Replaces the error of a command that ran and failed by another reason.
fn of_failure(error: GitError, reason: impl FnOnce() -> GitError) -> GitError {
    if matches!(error, GitError::Failed(_)) { reason() } else { error }
}

/// The next object of `git cat-file --batch`.
fn content(output: &mut impl BufRead) -> Result<Vec<u8>, GitError> {
    let unreadable = |_| failed("`git cat-file` cannot be read");
    let mut header = String::new();
    output.read_line(&mut header).map_err(unreadable)?;
    let size = header.split_whitespace().nth(2).and_then(|size| size.parse::<u64>().ok());
    let Some(size) = size else {
        return Err(GitError::Failed(format!("`git cat-file` gave an unknown answer: `{}`", header.trim())));
    };
    let mut content = Vec::new();
    output.take(size).read_to_end(&mut content).map_err(unreadable)?;
    let is_whole = content.len() as u64 == size && output.read_exact(&mut [0]).is_ok();
    if is_whole { Ok(content) } else { Err(failed("`git cat-file` ended early")) }
}

/// A line of `git ls-tree`, if it is a file that matters. Links and submodules are no files.
fn listed_file(line: &[u8]) -> Option<Listed> {
    let line = std::str::from_utf8(line).ok()?;
    let (head, path) = line.split_once('\t')?;
    let mut words = head.split(' ');
    let (mode, _, object) = (words.next()?, words.next()?, words.next()?);
    let path = PathBuf::from(path);
    let is_inside = path.components().all(|part| matches!(part, Component::Normal(_)));
    let is_wanted = is_declaration_name(&path) || path.file_name().is_some_and(|name| name == FILE_NAME);
    (mode.starts_with("100") && is_inside && is_wanted).then(|| Listed { object: object.to_owned(), path })
}

fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command.args(["--no-pager", "--no-optional-locks", "-c", "core.fsmonitor=false"]);
    command.current_dir(folder).stdin(Stdio::null());
    command
}

/// What a command of git prints.
fn output(folder: &Path, arguments: &[&str]) -> Result<Vec<u8>, GitError> {
    let output = git(folder).args(arguments).output().map_err(|_| GitError::NotStarted)?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let reason = String::from_utf8_lossy(&output.stderr);
    Err(GitError::Failed(match reason.lines().next() {
        Some(reason) => format!("git: {reason}"),
        None => "git ended with an error".to_owned(),
    }))
}
