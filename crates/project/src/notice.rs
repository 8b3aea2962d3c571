//! What a run has to say about itself: files that cannot be read, links that lead in circles.
//!
//! Input: a path and a reason. Output: a notice, which a command prints and a server shows. Invariant: a notice says what to do.

/// A message about a run of the program itself, such as a file that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Notice {
    /// The path or place that it is about, as shown.
    pub path: String,
    /// What happened.
    pub reason: String,
    pub help: String,
    /// Whether the run failed because of it.
    pub is_failure: bool,
}

impl Notice {
    /// Something that could not be done.
    pub fn failure(path: impl Into<String>, reason: impl Into<String>, help: impl Into<String>) -> Notice {
        Notice { path: path.into(), reason: reason.into(), help: help.into(), is_failure: true }
    }

    /// Something that the user should know.
    pub fn remark(path: impl Into<String>, reason: impl Into<String>, help: impl Into<String>) -> Notice {
        Notice { is_failure: false, ..Notice::failure(path, reason, help) }
    }
}
