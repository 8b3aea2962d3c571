//! The checkout as a git repository from which others install.
//!
//! Input is the checkout, with uncommitted changes. Output is a repository of one commit with the tag of the release.
//! Invariant: the same files give the same commit.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::FOLDER;
use super::folder::Folder;
use crate::installs::succeed;
use crate::package::version;

/// A repository from which hooks are installed.
pub(super) struct Remote {
    pub(super) path: PathBuf,
    /// Its only commit.
    pub(super) commit: String,
    /// The tag of that commit.
    pub(super) tag: String,
}

impl Remote {
    /// The checkout's files, as git would commit them now.
    pub(super) fn of_checkout(root: &Path) -> Result<Remote> {
        let folder = Folder::new(root.join(FOLDER).join("remote"), Vec::new())?;
        for path in files(root)? {
            // Skip a file that is deleted but still in git's index.
            if let Ok(bytes) = std::fs::read(root.join(&path)) {
                folder.write_file(&path, bytes)?;
            }
        }
        Remote::of(folder, root)
    }

    /// Makes a folder a repository with the tag of the checkout's release.
    pub(super) fn of(folder: Folder, root: &Path) -> Result<Remote> {
        folder.commit("Everything")?;
        let tag = format!("v{}", version(root)?);
        succeed(&mut folder.command("git", &["tag", &tag]))?;
        let commit = folder.command("git", &["rev-parse", "HEAD"]).output()?;
        ensure!(commit.status.success(), "git names no commit");
        let commit = String::from_utf8_lossy(&commit.stdout).trim().to_owned();
        Ok(Remote { path: folder.path, commit, tag })
    }

    /// The URL for pre-commit's configuration.
    pub(super) fn url(&self) -> String {
        format!("file://{}", self.path.display())
    }
}

fn files(root: &Path) -> Result<Vec<String>> {
    let mut command = Command::new("git");
    command.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let output = command.current_dir(root).output().context("git does not start")?;
    ensure!(output.status.success(), "git lists no files: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).context("a path is not UTF-8")?;
    Ok(text.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect())
}
