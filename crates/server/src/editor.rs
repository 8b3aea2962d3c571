//! The client, as the session uses it.
//!
//! Input: what the session has to say. Output: nothing. Invariant: no call waits for the client.

use futures::future::BoxFuture;

use crate::placed::Report;
use crate::runs::Ran;

/// What the session asks the client to show or to do.
pub(crate) trait Editor: std::fmt::Debug + Send + Sync {
    /// Shows the diagnostics of a document.
    fn publish(&self, report: Report);
    /// Asks the client to request diagnostics, lenses and hints again, because something other than an edit changed
    /// them.
    fn refresh(&self);
    /// Asks the client to request lenses and hints again after edits, because they depend on other documents.
    fn refresh_annotations(&self);
    /// Asks the client to report changes of files on disk.
    fn watch(&self);
    /// Asks for the user's settings.
    fn ask_options(&self);
    /// Answers requests that wait for new diagnostics. This is called in a pause between events.
    fn renew(&self);
    /// Offers rule pages and other documents that the server provides.
    fn offer_pages(&self);
    /// Shows a text to the user.
    fn show(&self, message: String);
    /// Asks the user to choose one of some words. `None` if the user does not choose.
    #[cfg_attr(not(feature = "live"), expect(dead_code, reason = "only live runs need it"))]
    fn ask(
        &self,
        level: Level,
        message: String,
        choices: &'static [&'static str],
    ) -> BoxFuture<'static, Option<String>>;
    /// Shows the decorations of a run.
    fn simulated(&self, ran: &Ran);
    /// Sends a part of a live run that the client follows.
    #[cfg_attr(not(feature = "live"), expect(dead_code, reason = "only live runs need it"))]
    fn followed(&self, part: serde_json::Value);
    /// Writes a line to the client's log.
    fn log(&self, level: Level, message: String);
    /// Shows the progress of some work.
    fn progress(&self, step: ProgressStep);
}

/// The level of a log line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    /// Something failed.
    Error,
    /// Something that the user should know.
    Warning,
    /// Something that the user may want to know.
    #[cfg_attr(not(feature = "live"), expect(dead_code, reason = "only live runs need it"))]
    Note,
}

/// A step in the progress of some work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ProgressStep {
    /// The work begins.
    Begin {
        /// The number of the work, from which its progress token is made.
        work: u64,
        /// The title that the user sees.
        title: String,
        /// Whether the user can stop it.
        is_cancellable: bool,
    },
    /// Some of the files have been read.
    Report {
        work: u64,
        /// How many files have been read.
        done: usize,
        /// How many files there are.
        all: usize,
    },
    /// The work has a new state.
    Tell {
        work: u64,
        /// The state in words.
        message: String,
    },
    /// The work is done.
    End { work: u64 },
}
