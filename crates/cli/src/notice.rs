//! What a run has to say about itself: files that cannot be read, links that lead in circles.
//!
//! Input: a path and a reason. Output: lines for standard error. Invariant: a notice says what to do.

use crate::output::complain;

/// One thing that a run has to say about itself.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Notice {
    /// What it is about, as shown.
    pub(crate) path: String,
    /// The fact.
    pub(crate) reason: String,
    /// What to do.
    pub(crate) help: String,
    /// Whether the run failed because of it.
    pub(crate) is_failure: bool,
}

impl Notice {
    /// Something that could not be done.
    pub(crate) fn failure(
        path: impl Into<String>,
        reason: impl Into<String>,
        help: impl Into<String>,
    ) -> Notice {
        Notice { path: path.into(), reason: reason.into(), help: help.into(), is_failure: true }
    }

    /// Something that the user should know.
    pub(crate) fn remark(
        path: impl Into<String>,
        reason: impl Into<String>,
        help: impl Into<String>,
    ) -> Notice {
        Notice { is_failure: false, ..Notice::failure(path, reason, help) }
    }

    /// Writes it to standard error.
    pub(crate) fn print(&self) {
        let level = if self.is_failure { "error" } else { "warning" };
        complain(&format!("{level}: {}: {}\n  help: {}", self.path, self.reason, self.help));
    }
}
