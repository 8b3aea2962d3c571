//! The other end of the wire, as the session sees it.
//!
//! Input: what the session has to say. Output: nothing. Invariant: no call waits for the client.

use futures::future::BoxFuture;

use crate::publish::Report;
use crate::runs::Ran;

/// The other end of the wire.
pub(crate) trait Editor: std::fmt::Debug + Send + Sync {
    /// Shows what is wrong with a document.
    fn publish(&self, report: Report);
    /// Asks to be asked again for diagnostics, lenses and hints: something changed that they depend on, other than an edit.
    fn refresh(&self);
    /// Asks to be asked again for lenses and hints, which tell what other documents say, after edits of these.
    fn refresh_annotations(&self);
    /// Asks to be told when files change on disk.
    fn watch(&self);
    /// Asks for the user's settings.
    fn ask_options(&self);
    /// Says that diagnostics may be others now, and that nothing more came for a while.
    fn renew(&self);
    /// Offers the pages of the rules as documents.
    fn offer_pages(&self);
    /// Shows a text to the user.
    fn show(&self, message: String);
    /// Asks the user to choose one of some words; nothing where nobody chooses.
    #[cfg_attr(not(feature = "live"), expect(dead_code, reason = "live runs alone need it"))]
    fn ask(
        &self,
        level: Level,
        message: String,
        choices: &'static [&'static str],
    ) -> BoxFuture<'static, Option<String>>;
    /// Shows what a run says about texts.
    fn simulated(&self, ran: &Ran);
    /// Writes a line to the client's log.
    fn log(&self, level: Level, message: String);
    /// Shows how far some work is.
    fn progress(&self, step: Step);
}

/// How important a line of the log is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    /// Something could not be done.
    Error,
    /// Something that the user should know.
    Warning,
    /// Something that the user may want to know.
    #[cfg_attr(not(feature = "live"), expect(dead_code, reason = "live runs alone need it"))]
    Note,
}

/// A step of some work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// It begins.
    Begin {
        /// Which work.
        work: u64,
        /// What it is.
        title: String,
        /// Whether the user can stop it.
        is_cancellable: bool,
    },
    /// So many of so many are done.
    Report {
        /// Which work.
        work: u64,
        /// How many are done.
        done: usize,
        /// How many there are.
        all: usize,
    },
    /// It is somewhere else now.
    Tell {
        /// Which work.
        work: u64,
        /// Where.
        message: String,
    },
    /// It is done.
    End {
        /// Which work.
        work: u64,
    },
}
