//! Revisions of a repository, read by the program `git`.
//!
//! Input: names of revisions. Output: the files of a commit that may declare something, in a folder of their own. Invariant:
//! only commands of git that read are started, no hook and no filter of the repository runs, and no file is written outside
//! of the new folder.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context, Result, bail, ensure};
use nodewise_project::config::FILE_NAME;
use nodewise_project::discovery::is_declaration_name;

/// A repository.
pub(super) struct Repository {
    folder: PathBuf,
}

/// The files of a commit. They are deleted when it goes.
pub(super) struct Checkout {
    folder: PathBuf,
}

/// A file of a commit.
struct Listed {
    object: String,
    path: PathBuf,
}

impl Drop for Checkout {
    fn drop(&mut self) {
        // What cannot be deleted stays in the folder for temporary files, which the system clears.
        std::fs::remove_dir_all(&self.folder).ok();
    }
}

impl Checkout {
    /// Where the files are.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    fn new() -> Result<Checkout> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let parent = std::env::temp_dir();
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let folder = parent.join(format!("nodewise-diff-{}-{number}", std::process::id()));
            match std::fs::create_dir(&folder) {
                Ok(()) => return Ok(Checkout { folder }),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => {
                    return Err(error).with_context(|| format!("`{}` cannot be created", folder.display()));
                }
            }
        }
    }

    fn write(&self, path: &Path, content: &[u8]) -> Result<()> {
        let path = self.folder.join(path);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)
                .with_context(|| format!("`{}` cannot be created", parent.display()))?;
        }
        std::fs::write(&path, content).with_context(|| format!("`{}` cannot be written", path.display()))
    }
}

impl Repository {
    /// The repository that a folder is in.
    pub(super) fn around(folder: &Path) -> Result<Repository> {
        let found =
            output(folder, &["rev-parse", "--show-toplevel"]).context("this is no repository of git")?;
        Ok(Repository {
            folder: PathBuf::from(String::from_utf8_lossy(&found).trim_end_matches(['\n', '\r'])),
        })
    }

    /// Its top folder.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The commit that a revision names.
    pub(super) fn commit(&self, revision: &str) -> Result<String> {
        let wanted = format!("{revision}^{{commit}}");
        self.line(&["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted])
            .with_context(|| format!("`{revision}` is no revision"))
    }

    /// The newest commit that two revisions have in common.
    pub(super) fn ancestor(&self, one: &str, other: &str) -> Result<String> {
        let (one_commit, other_commit) = (self.commit(one)?, self.commit(other)?);
        self.line(&["merge-base", &one_commit, &other_commit])
            .with_context(|| format!("`{one}` and `{other}` have no commit in common"))
    }

    /// The files of a commit that may declare something, and the configurations of projects.
    pub(super) fn checkout(&self, commit: &str) -> Result<Checkout> {
        let listed = output(&self.folder, &["ls-tree", "-r", "-z", "--full-tree", commit])
            .with_context(|| format!("the files of `{commit}` cannot be listed"))?;
        let files: Vec<Listed> = listed.split(|byte| *byte == 0).filter_map(listed_file).collect();
        let checkout = Checkout::new()?;
        self.write(&files, &checkout)?;
        Ok(checkout)
    }

    /// Writes the content of files, as the repository has it, to a folder.
    fn write(&self, files: &[Listed], checkout: &Checkout) -> Result<()> {
        let mut process = git(&self.folder)
            .args(["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("`git` cannot be started")?;
        let (Some(mut input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            bail!("`git` has no input or output");
        };
        let wanted: String = files.iter().map(|file| format!("{}\n", file.object)).collect();
        // Git answers while it is still asked.
        let writer = std::thread::spawn(move || input.write_all(wanted.as_bytes()));
        let mut output = BufReader::new(output);
        let copied = files.iter().try_for_each(|file| checkout.write(&file.path, &content(&mut output)?));
        drop(output);
        let is_written = writer.join().is_ok();
        let status = process.wait().context("`git` cannot be waited for")?;
        copied?;
        ensure!(is_written && status.success(), "`git cat-file` failed");
        Ok(())
    }

    fn line(&self, arguments: &[&str]) -> Result<String> {
        let found = output(&self.folder, arguments)?;
        Ok(String::from_utf8_lossy(&found).trim().to_owned())
    }
}

/// The next object of `git cat-file --batch`.
fn content(output: &mut impl BufRead) -> Result<Vec<u8>> {
    let mut header = String::new();
    output.read_line(&mut header).context("`git cat-file` cannot be read")?;
    let size = header.split_whitespace().nth(2).and_then(|size| size.parse::<u64>().ok());
    let Some(size) = size else { bail!("`git cat-file` gave an unknown answer: `{}`", header.trim()) };
    let mut content = Vec::new();
    output.take(size).read_to_end(&mut content).context("`git cat-file` cannot be read")?;
    ensure!(content.len() as u64 == size, "`git cat-file` ended early");
    output.read_exact(&mut [0]).context("`git cat-file` ended early")?;
    Ok(content)
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
fn output(folder: &Path, arguments: &[&str]) -> Result<Vec<u8>> {
    let output = git(folder).args(arguments).output().context("`git` cannot be started")?;
    if !output.status.success() {
        let reason = String::from_utf8_lossy(&output.stderr);
        match reason.lines().next() {
            Some(reason) => bail!("git: {reason}"),
            None => bail!("git ended with an error"),
        }
    }
    Ok(output.stdout)
}
