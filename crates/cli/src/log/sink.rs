//! Where lines of the log go.
//!
//! Input: a level, a text. Output: one line with the time, in UTC. Invariant: a line is written at once and whole, so that
//! it is there when the program hangs or ends; nothing of a file's text reaches a terminal as it is.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use nodewise_engine::time::Millis;
use tracing::Level;

use crate::screen;

/// Where lines go.
pub(crate) struct Sink {
    /// Standard error where there is none.
    file: Option<File>,
}

impl Sink {
    /// Standard error.
    pub(crate) fn standard_error() -> Sink {
        Sink { file: None }
    }

    /// A file; what it holds stays, since several servers may write to it.
    pub(crate) fn file(path: &Path) -> Result<Sink> {
        let file = OpenOptions::new().create(true).append(true).open(path);
        let file = file.with_context(|| format!("the log cannot be written to `{}`", path.display()))?;
        Ok(Sink { file: Some(file) })
    }

    /// Whether it is a file.
    pub(crate) fn is_file(&self) -> bool {
        self.file.is_some()
    }

    /// Writes a line. Nobody is left to tell when that fails.
    pub(crate) fn line(&self, level: Level, text: &str) {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let now = Millis(u64::try_from(since.as_millis()).unwrap_or(u64::MAX)).since_1970();
        let line = format!("{now} {level:>5} {}\n", screen::line(text));
        let written = match &self.file {
            Some(file) => {
                let mut file: &File = file;
                file.write_all(line.as_bytes())
            }
            None => std::io::stderr().write_all(line.as_bytes()),
        };
        written.ok();
    }
}
