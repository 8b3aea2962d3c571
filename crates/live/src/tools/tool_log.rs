//! What parts of a run say beside their answers: what functions print, what servers log.
//!
//! Input: lines of text; output: the same lines without secrets, for a listener. Invariant: no line leaves here before it
//! is masked.

use std::ffi::OsString;
use std::fmt;
use std::sync::Arc;

use nodewise_engine::outcome::Failure;
use serde_json::Value as Json;

use crate::secrets::Secrets;

/// Receives what tools print besides their answers. Nothing of this is recorded.
pub trait Notes: Send + Sync {
    /// Receives a line that a function printed or a server logged. `source` names the function or server.
    fn note(&self, source: &str, line: &str);
}

/// Ignores all lines.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoNotes;

impl Notes for NoNotes {
    fn note(&self, _source: &str, _line: &str) {}
}

/// Passes lines on to the listener, with secrets masked.
#[derive(Clone)]
pub(crate) struct ToolLog {
    notes: Arc<dyn Notes>,
    secrets: Arc<Secrets>,
}

impl ToolLog {
    pub(crate) fn new(notes: Arc<dyn Notes>, secrets: Arc<Secrets>) -> ToolLog {
        ToolLog { notes, secrets }
    }

    /// Masks a text, and reports each of its lines.
    pub(crate) fn note(&self, source: &str, text: &str) {
        for line in self.masked(text).lines() {
            self.notes.note(source, line);
        }
    }

    /// Reports a line in which secrets are masked already.
    pub(crate) fn note_masked(&self, source: &str, line: &str) {
        self.notes.note(source, line);
    }

    /// The value of a variable that the configuration names: of this process, else of the file `.env`.
    pub(crate) fn variable(&self, name: &str) -> Option<OsString> {
        let of_file = || self.secrets.environment().get(name).ok().map(OsString::from);
        std::env::var_os(name).or_else(of_file)
    }

    /// A text without secrets.
    pub(crate) fn masked(&self, text: &str) -> String {
        self.secrets.mask_text(text)
    }

    /// A value without secrets.
    pub(crate) fn mask(&self, value: &mut Json) {
        self.secrets.mask_json(value);
    }

    /// A failure without secrets.
    pub(crate) fn masked_failure(&self, failure: Failure) -> Failure {
        Failure { message: self.masked(&failure.message).into(), ..failure }
    }
}

impl fmt::Debug for ToolLog {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ToolLog")
    }
}
