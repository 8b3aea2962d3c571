//! The outputs of a command: standard output, files, standard error.
//!
//! Input: text. Output: the same text, buffered. Invariant: a reader that stops reading (`| head`) is not an error. The
//! rest is dropped silently, and the exit code stays the same.

use std::fs::File;
use std::io::{BufWriter, ErrorKind, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};

use crate::screen;

const BUFFER_BYTES: usize = 64 * 1024;

/// Standard output, or a file instead of it.
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

    /// A new file, which replaces an existing one.
    pub(crate) fn file(path: &Path) -> Result<Output> {
        let name = format!("`{}`", path.display());
        let file = File::create(path).with_context(|| format!("{name} cannot be written"))?;
        Ok(Output::new(Box::new(file), name))
    }

    fn new(stream: Box<dyn Write>, name: String) -> Output {
        Output { stream: BufWriter::with_capacity(BUFFER_BYTES, stream), name, is_closed: false }
    }

    /// Whether the reader has closed the output.
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

    /// Flushes the buffer.
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

/// Whether only results and errors are printed.
static IS_QUIET: AtomicBool = AtomicBool::new(false);

/// With `true`, only results and errors are printed from now on.
pub(crate) fn be_quiet(is_wanted: bool) {
    IS_QUIET.store(is_wanted, Ordering::Relaxed);
}

/// Whether only results and errors are printed.
pub(crate) fn is_quiet() -> bool {
    IS_QUIET.load(Ordering::Relaxed)
}

/// Prints counts, notes and warnings to standard error, except with `--quiet`.
pub(crate) fn remark(text: &str) {
    if !is_quiet() {
        complain(text);
    }
}

/// Prints lines to standard error, with control characters replaced. If that fails, there is no place to report it.
pub(crate) fn complain(text: &str) {
    let mut shown = screen::lines(text).into_owned();
    shown.push('\n');
    std::io::stderr().write_all(shown.as_bytes()).ok();
}
