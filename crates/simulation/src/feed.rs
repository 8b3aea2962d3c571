//! A run that someone else drives in real time, as far as a debugger sees and holds it.
//!
//! Input: what the debugger wants; output: events as they happen. Invariant: while a run is held, it asks nobody anything, its
//! clock stands, and what arrives meanwhile waits.

use nodewise_engine::ask::Answer;
use nodewise_engine::event::{AskId, Event};
use nodewise_engine::outcome::Outcome;

/// What happened in a run since the last look.
#[derive(Debug, Clone, Default)]
pub struct FeedNews {
    /// The new events.
    pub events: Vec<Event>,
    pub standing: FeedStanding,
    /// Lines that tools printed in addition to their answers, without secrets.
    pub printed: Vec<String>,
}

/// Whether a run continues.
#[derive(Debug, Clone, Default)]
pub enum FeedStanding {
    /// It continues.
    #[default]
    Going,
    /// It waits after its last event until [`RunFeed::let_go`] is called.
    Held,
    /// It has ended, or waits for a decision that no one can make here.
    Over(Outcome),
}

/// A run that is driven elsewhere, such as a live run, as a timeline sees it.
pub trait RunFeed: Send {
    /// Returns what happened since the last look, without waiting.
    fn look(&mut self) -> FeedNews;

    /// Stops the run before it does anything more.
    fn hold(&mut self);

    /// Lets a run that is held continue.
    fn let_go(&mut self);

    /// Answers the question that the run is held at, so that the real world is not asked. Returns `false` if the run is not
    /// held at this question.
    fn answer(&mut self, ask: AskId, answer: Answer) -> bool;

    /// Continues a run that waits for a decision with this one.
    ///
    /// # Errors
    /// If it waits for no decision, or cannot be continued.
    fn decide(&mut self, word: &str) -> Result<(), String>;

    /// Stops driving the run. If it has not ended, it can be resumed later.
    fn leave(&mut self);
}
