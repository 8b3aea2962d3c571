//! What goes wrong with a store, as people are told it.
//!
//! Input: the database's errors; output: which file, why, what to do. Invariant: no text of a run stands in an error.

use std::path::Path;

use anyhow::{Error, Result, anyhow};
use rusqlite::ErrorCode;

/// Makes the database's errors the store's.
pub(super) trait Told<T> {
    /// The same, where an error says what could not be done with which file.
    fn told(self, done: &str, file: &Path) -> Result<T>;
}

impl<T> Told<T> for rusqlite::Result<T> {
    fn told(self, done: &str, file: &Path) -> Result<T> {
        self.map_err(|error| told(&error, done, file))
    }
}

/// There is no such run.
pub(super) fn unknown(name: &str) -> Error {
    anyhow!("there is no run `{name}`\n  help: `nodewise runs` lists the runs of the project")
}

fn told(error: &rusqlite::Error, done: &str, file: &Path) -> Error {
    let shown = file.display();
    let (reason, help) = match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => {
            ("it is not a database".to_owned(), "move it away; nodewise makes a new one with the next run")
        }
        Some(ErrorCode::DatabaseCorrupt) => (
            "it is damaged".to_owned(),
            "move it away with the files beside it that begin with its name; nodewise makes a new one with the next run",
        ),
        Some(ErrorCode::DiskFull) => ("the disk is full".to_owned(), "make room, then go on with the run"),
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => (
            "the file or its folder may not be written".to_owned(),
            "runs are kept in the folder `.nodewise` of the project, which must be writable",
        ),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => (
            "another process holds it for too long".to_owned(),
            "wait until other commands of nodewise are done with this project",
        ),
        Some(ErrorCode::SystemIoFailure) => {
            (format!("the disk fails: {error}"), "see whether the disk is there, and has room")
        }
        _ => (error.to_string(), "move it away if it was changed by something else than nodewise"),
    };
    anyhow!("`{shown}` cannot {done}: {reason}\n  help: {help}")
}
