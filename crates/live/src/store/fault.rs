//! What goes wrong with a store, in words for people.
//!
//! Input: the database's errors; output: which file, why, what to do. Invariant: no text of a run stands in an error.

use std::path::Path;

use anyhow::{Error, Result, anyhow};
use rusqlite::ErrorCode;

/// Turns errors of the database into errors for people.
pub(super) trait DescribeError<T> {
    /// Describes an error: `done` says what could not be done (`be read`), and `file` with which file.
    fn describe_error(self, done: &str, file: &Path) -> Result<T>;
}

impl<T> DescribeError<T> for rusqlite::Result<T> {
    fn describe_error(self, done: &str, file: &Path) -> Result<T> {
        self.map_err(|error| describe(&error, done, file))
    }
}

/// The error that there is no such run.
pub(super) fn unknown(name: &str) -> Error {
    anyhow!("there is no run `{name}`\n  help: `nodewise runs` lists the runs of the project")
}

pub(super) fn damaged_file(file: &Path) -> Error {
    anyhow!("`{}` is damaged\n  help: {BACKUP}", file.display())
}

/// The error that the store has other runs than were written. `what` says how they differ.
pub(super) fn damaged_store(file: &Path, what: &str) -> Error {
    anyhow!("`{}` is damaged: {what}\n  help: {BACKUP}", file.display())
}

/// The damage of a run whose row is not as it was written, as a part of a message.
pub(super) const ROW: &str = "its status and usage are not as they were written";

pub(super) fn damaged_run(run: &str, file: &Path, what: &str) -> Error {
    anyhow!(
        "the run `{run}` in `{}` is damaged: {what}\n  help: restore a backup with `nodewise runs restore FILE`, or delete \
         the run with `nodewise runs delete {run}`",
        file.display()
    )
}

/// The help for a damaged file.
pub(super) const BACKUP: &str = "restore a backup with `nodewise runs restore FILE`; without a backup, move the file away with \
                                 those beside it that start with its name; the next run creates a new one";

impl<T> DescribeError<T> for Result<T> {
    fn describe_error(self, done: &str, file: &Path) -> Result<T> {
        self.map_err(|error| match error.downcast::<rusqlite::Error>() {
            Ok(error) => describe(&error, done, file),
            Err(error) => error,
        })
    }
}

fn describe(error: &rusqlite::Error, done: &str, file: &Path) -> Error {
    let shown = file.display();
    let (reason, help) = match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => {
            ("it is not a database".to_owned(), "move it away; the next run creates a new one")
        }
        Some(ErrorCode::DatabaseCorrupt) => ("it is damaged".to_owned(), BACKUP),
        Some(ErrorCode::DiskFull) => ("the disk is full".to_owned(), "free some space, then resume the run"),
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => (
            "the file or its folder is not writable".to_owned(),
            "make the folder `.nodewise` of the project writable; it stores the runs",
        ),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => (
            "another process keeps it locked".to_owned(),
            "wait until other nodewise commands in this project finish",
        ),
        Some(ErrorCode::SystemIoFailure) => {
            (format!("the disk fails: {error}"), "check that the disk is connected and has free space")
        }
        None if is_unreadable(error) => ("it is damaged".to_owned(), BACKUP),
        _ => (error.to_string(), "move it away if another program changed it"),
    };
    anyhow!("`{shown}` cannot {done}: {reason}\n  help: {help}")
}

/// Whether a value in the file has another type than nodewise writes, which means that the file is damaged.
fn is_unreadable(error: &rusqlite::Error) -> bool {
    matches!(
        error,
        rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::Utf8Error(..)
            | rusqlite::Error::QueryReturnedNoRows
    )
}
