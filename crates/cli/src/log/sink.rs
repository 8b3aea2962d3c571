//! The output of the log.
//!
//! Input: a level, a text. Output: one line with the time in UTC. Invariant: each line is written immediately and
//! completely, so it is there if the program hangs or ends. Control characters do not reach a terminal.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use nodewise_engine::time::Millis;
use tracing::Level;

use crate::screen;

/// The output of the log.
pub(crate) struct Sink {
    /// `None` for standard error.
    file: Option<File>,
}

impl Sink {
    pub(crate) fn standard_error() -> Sink {
        Sink { file: None }
    }

    /// A file. Its content stays, because several servers may write to it.
    pub(crate) fn file(path: &Path) -> Result<Sink> {
        let file = OpenOptions::new().create(true).append(true).open(path);
        let file = file.with_context(|| format!("the log cannot be written to `{}`", path.display()))?;
        Ok(Sink { file: Some(file) })
    }

    /// Whether it is a file.
    pub(crate) fn is_file(&self) -> bool {
        self.file.is_some()
    }

    /// Writes a line. If that fails, there is no place to report it.
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
