//! The streams that a command writes to: standard output, files, standard error.
//!
//! Input: text. Output: the same text, buffered. Invariant: a reader who stops reading (`| head`) is no error;
//! whatever follows is dropped in silence, and the exit code stays what it would have been.

use std::fs::File;
use std::io::{BufWriter, ErrorKind, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};

use crate::screen;

const BUFFER_BYTES: usize = 64 * 1024;

/// Standard output, or a file in its place.
pub(crate) struct Output {
    stream: BufWriter<Box<dyn Write>>,
    name: String,
    is_closed: bool,
}

impl Output {
    /// The process's standard output.
    pub(crate) fn stdout() -> Output {
        Output::new(Box::new(std::io::stdout()), "standard output".to_owned())
    }

    /// A file, which is made anew.
    pub(crate) fn file(path: &Path) -> Result<Output> {
        let name = format!("`{}`", path.display());
        let file = File::create(path).with_context(|| format!("{name} cannot be written"))?;
        Ok(Output::new(Box::new(file), name))
    }

    fn new(stream: Box<dyn Write>, name: String) -> Output {
        Output { stream: BufWriter::with_capacity(BUFFER_BYTES, stream), name, is_closed: false }
    }

    /// Whether the reader is gone.
    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Writes a text.
    pub(crate) fn write(&mut self, text: &str) -> Result<()> {
        if self.is_closed {
            return Ok(());
        }
        let written = self.stream.write_all(text.as_bytes());
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
        let flushed = self.stream.flush();
        self.settle(flushed)
    }

    fn settle(&mut self, written: std::io::Result<()>) -> Result<()> {
        match written {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(())
            }
            other => other.with_context(|| format!("{} cannot be written", self.name)),
        }
    }
}

/// Whether nothing is said beside results and errors.
static IS_QUIET: AtomicBool = AtomicBool::new(false);

/// Says nothing more beside results and errors, if that is wanted.
pub(crate) fn be_quiet(is_wanted: bool) {
    IS_QUIET.store(is_wanted, Ordering::Relaxed);
}

/// Whether nothing is said beside results and errors.
pub(crate) fn is_quiet() -> bool {
    IS_QUIET.load(Ordering::Relaxed)
}

/// Writes what is no error to standard error: counts, notes, warnings; nothing where that is not wanted.
pub(crate) fn remark(text: &str) {
    if !is_quiet() {
        complain(text);
    }
}

/// Writes lines to standard error, made harmless for a terminal. Nobody is left to tell when that fails.
pub(crate) fn complain(text: &str) {
    let mut shown = screen::lines(text).into_owned();
    shown.push('\n');
    std::io::stderr().write_all(shown.as_bytes()).ok();
}
