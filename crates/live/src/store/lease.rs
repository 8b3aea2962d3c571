//! Who drives a run: the process with the lock on its file.
//!
//! Input: a run; output: the right to drive it. Invariant: the system takes the lock away from a process that dies, so that
//! nothing has to be tidied up; the file itself says only what was written of the run.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};

use super::FOLDER;
use super::id::RunId;
use super::written::WrittenRevision;

/// The right to drive a run: the lock on the run's file.
#[derive(Debug)]
pub(super) struct Lease {
    /// Closing the file releases the lock. Its content notes the last revision that was written of the run.
    file: File,
    path: PathBuf,
}

/// How often a lock is tried. A process that lists runs holds it for a moment. A program that a killed process was about to start
/// inherits it until it begins, which takes a while on a busy computer.
const TRIES: u32 = 100;
const PAUSE: Duration = Duration::from_millis(10);

impl Lease {
    /// Takes the lease of a run. Returns an error if another process has it.
    pub(super) fn take(folder: &Path, run: &RunId) -> Result<Lease> {
        let path = path_of(folder, run)?;
        let help = "the folder must be writable, and its disk must support file locks";
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .with_context(|| format!("`{}` cannot be written", path.display()))?;
        for _ in 0..TRIES {
            match file.try_lock() {
                Ok(()) => return Ok(Lease { file, path }),
                Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
                Err(TryLockError::Error(error)) => {
                    return Err(anyhow!("`{}` cannot be locked: {error}\n  help: {help}", path.display()));
                }
            }
        }
        bail!(
            "another process is running `{run}`\n  help: wait until that process ends, or stop it and resume \
             the run"
        )
    }

    /// Notes the revision that was written of the run.
    pub(super) fn note(&self, written: WrittenRevision) {
        written.write_to(&self.file);
    }

    /// Removes the note before the run is deleted, since a note about a run that is not there means damage.
    pub(super) fn forget(&self) {
        self.file.set_len(0).ok();
    }

    /// Also deletes the file, when nobody will need the lease any more.
    pub(super) fn clear(self) {
        // If the file cannot be deleted, that does no harm.
        std::fs::remove_file(&self.path).ok();
    }
}

/// Whether a process drives a run.
pub(super) fn is_held(folder: &Path, run: &RunId) -> Result<bool> {
    let path = path_of(folder, run)?;
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error).with_context(|| format!("`{}` cannot be read", path.display())),
    };
    // A shared lock, so that two processes that only check do not take each other for drivers.
    match file.try_lock_shared() {
        Ok(()) => Ok(false),
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(error)) => {
            Err(error).with_context(|| format!("`{}` cannot be locked", path.display()))
        }
    }
}

/// The revision that is noted for a run. A run that has ended has no note.
pub(super) fn written(folder: &Path, run: &RunId) -> Option<WrittenRevision> {
    WrittenRevision::read(&path_of(folder, run).ok()?)
}

/// The revisions that are noted for all runs that have not ended.
pub(super) fn all_written(folder: &Path) -> Vec<(String, WrittenRevision)> {
    let Ok(entries) = std::fs::read_dir(folder.join(FOLDER)) else { return Vec::new() };
    let mut noted: Vec<(String, WrittenRevision)> = entries
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let id = path.file_name()?.to_str()?.strip_suffix(".lock")?.to_owned();
            Some((id, WrittenRevision::read(&path)?))
        })
        .collect();
    noted.sort_by(|one, other| one.0.cmp(&other.0));
    noted
}

/// The file that is locked while a process drives the run.
pub(super) fn path_of(folder: &Path, run: &RunId) -> Result<PathBuf> {
    if !run.is_sound() {
        bail!("`{run}` is not the id of a run");
    }
    Ok(folder.join(FOLDER).join(format!("{run}.lock")))
}
