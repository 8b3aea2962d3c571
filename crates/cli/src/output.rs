//! The two streams that a command writes to.
//!
//! Input: text. Output: the same text, buffered. Invariant: a reader who stops reading (`| head`) is no error;
//! whatever follows is dropped in silence, and the exit code stays what it would have been.

use std::io::{BufWriter, ErrorKind, Stdout, Write};

use anyhow::{Context, Result};

use crate::screen;

const BUFFER_BYTES: usize = 64 * 1024;

/// Standard output.
pub(crate) struct Output {
    stdout: BufWriter<Stdout>,
    is_closed: bool,
}

impl Output {
    /// The process's standard output.
    pub(crate) fn stdout() -> Output {
        Output { stdout: BufWriter::with_capacity(BUFFER_BYTES, std::io::stdout()), is_closed: false }
    }

    /// Writes a text.
    pub(crate) fn write(&mut self, text: &str) -> Result<()> {
        if self.is_closed {
            return Ok(());
        }
        let written = self.stdout.write_all(text.as_bytes());
        self.settle(written)
    }

    /// Writes a text and a line break.
    pub(crate) fn line(&mut self, text: &str) -> Result<()> {
        self.write(text)?;
        self.write("\n")
    }

    /// Sends everything on its way.
    pub(crate) fn finish(&mut self) -> Result<()> {
        if self.is_closed {
            return Ok(());
        }
        let flushed = self.stdout.flush();
        self.settle(flushed)
    }

    fn settle(&mut self, written: std::io::Result<()>) -> Result<()> {
        match written {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(())
            }
            other => other.context("standard output cannot be written"),
        }
    }
}

/// Writes lines to standard error, made harmless for a terminal. Nobody is left to tell when that fails.
pub(crate) fn complain(text: &str) {
    let mut shown = screen::lines(text).into_owned();
    shown.push('\n');
    std::io::stderr().write_all(shown.as_bytes()).ok();
}
