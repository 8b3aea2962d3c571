//! A user's repository for tests, and commands that run in it.
//!
//! Input is files and command lines. Output is the text that a person would see. Invariant: the git settings and
//! colours of the machine have no effect, so the same files give the same text everywhere.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::installs::succeed;

/// The time of every commit, so that the same files give the same commit.
const MOMENT: &str = "2026-01-01T00:00:00Z";
/// Variables that git and other tools read, about the machine or an outer git process.
const FOREIGN_VARIABLES: &[&str] =
    &["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "FORCE_COLOR", "CLICOLOR_FORCE"];
/// Longer runs of dots are shown as three, because pre-commit fills its lines with dots.
const DOTS_MAX: usize = 3;

/// The folder of one case.
pub(super) struct Folder {
    pub(super) path: PathBuf,
    environment: Vec<(&'static str, OsString)>,
}

impl Folder {
    /// An empty folder.
    pub(super) fn new(path: PathBuf, environment: Vec<(&'static str, OsString)>) -> Result<Folder> {
        if path.exists() {
            std::fs::remove_dir_all(&path)
                .with_context(|| format!("{} cannot be emptied", path.display()))?;
        }
        std::fs::create_dir_all(&path)?;
        Ok(Folder { path, environment })
    }

    /// Writes files in fixture notation: `#- path` starts a file.
    pub(super) fn write(&self, files: &str) -> Result<()> {
        for part in files.split("#- ").skip(1) {
            let (path, text) = part.split_once('\n').context("a file begins after its path")?;
            self.write_file(path, text)?;
        }
        Ok(())
    }

    /// Writes a file, and creates the folders around it.
    pub(super) fn write_file(&self, path: &str, bytes: impl AsRef<[u8]>) -> Result<()> {
        let path = self.path.join(path);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(path, bytes)?;
        Ok(())
    }

    /// The text of a file.
    pub(super) fn read(&self, path: &str) -> Result<String> {
        let path = self.path.join(path);
        std::fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))
    }

    /// Copies a folder into this one.
    pub(super) fn copy(&self, from: &Path, to: &str) -> Result<()> {
        for entry in std::fs::read_dir(from).with_context(|| format!("{} is not there", from.display()))? {
            let entry = entry?;
            let to = format!("{to}/{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                self.copy(&entry.path(), &to)?;
            } else {
                self.write_file(&to, std::fs::read(entry.path())?)?;
            }
        }
        Ok(())
    }

    /// Makes the folder a git repository, or adds a commit with all its files.
    pub(super) fn commit(&self, message: &str) -> Result<()> {
        succeed(&mut self.command("git", &["init", "--quiet", "--initial-branch=main"]))?;
        self.stage(".")?;
        let arguments = ["commit", "--quiet", "--no-verify", "--allow-empty", "--message", message];
        succeed(&mut self.command("git", &arguments))
    }

    /// Stages the changes below a path.
    pub(super) fn stage(&self, path: &str) -> Result<()> {
        succeed(&mut self.command("git", &["add", "--all", "--force", path]))
    }

    /// A command that runs in the folder.
    pub(super) fn command(&self, program: impl AsRef<OsStr>, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.path).stdin(Stdio::null());
        for variable in FOREIGN_VARIABLES {
            command.env_remove(variable);
        }
        for role in ["AUTHOR", "COMMITTER"] {
            command
                .env(format!("GIT_{role}_NAME"), "nobody")
                .env(format!("GIT_{role}_EMAIL"), "nobody@localhost");
            command.env(format!("GIT_{role}_DATE"), MOMENT);
        }
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1").env("NO_COLOR", "1");
        command.envs(self.environment.iter().map(|(variable, value)| (variable, value)));
        command
    }

    /// The output of a command, with its exit code on the last line.
    pub(super) fn show(&self, program: impl AsRef<OsStr>, arguments: &[&str]) -> Result<String> {
        shown(&mut self.command(program, arguments))
    }
}

/// The output of a command, with its exit code on the last line.
pub(super) fn shown(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("{:?} does not start", command.get_program()))?;
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    let code = output.status.code().map_or("killed".to_owned(), |code| code.to_string());
    Ok(format!("{}exit {code}\n", without_filling(&text)))
}

/// Compares output with the expected text.
pub(super) fn check_shown(found: &str, expected: &str) -> Result<()> {
    let expected = expected.trim_start_matches('\n');
    ensure!(found == expected, "found:\n{found}\nexpected:\n{expected}");
    Ok(())
}

/// The text with longer runs of dots replaced with three dots, and without empty lines.
fn without_filling(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let mut dots = 0;
        for character in line.chars() {
            dots = if character == '.' { dots + 1 } else { 0 };
            if dots <= DOTS_MAX {
                shown.push(character);
            }
        }
        shown.push('\n');
    }
    shown
}
