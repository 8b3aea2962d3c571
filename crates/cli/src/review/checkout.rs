//! The files of a commit in a folder of their own.
//!
//! Input: a repository and a commit. Output: the folder. Invariant: no file is written outside of the new folder, and the
//! folder is deleted when it is no longer needed.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context, Result};
use nodewise_project::git::{GitError, Repository};

/// The files of a commit. They are deleted when it goes.
pub(super) struct Checkout {
    folder: PathBuf,
}

impl Drop for Checkout {
    fn drop(&mut self) {
        // What cannot be deleted stays in the folder for temporary files, which the system clears.
        std::fs::remove_dir_all(&self.folder).ok();
    }
}

impl Checkout {
    /// The files of a commit that may declare something, and the configurations of projects.
    pub(super) fn of(repository: &Repository, commit: &str) -> Result<Checkout> {
        let checkout = Checkout::new()?;
        let mut write = |path: &Path, content: Vec<u8>| {
            let written = checkout.write(path, &content);
            written.map_err(|error| GitError::Failed(format!("{error:#}")))
        };
        repository.read(commit, "", &mut write)?;
        Ok(checkout)
    }

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
