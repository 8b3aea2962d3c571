//! A run that someone else drives in real time, as far as a debugger sees and holds it.
//!
//! Input: what the debugger wants; output: events as they happen. Invariant: while a run is held, it asks nobody anything, its
//! clock stands, and what arrives meanwhile waits.

use nodewise_engine::ask::Answer;
use nodewise_engine::event::{AskId, Event};
use nodewise_engine::outcome::Outcome;

/// What became of a run since the last look.
#[derive(Debug, Clone, Default)]
pub struct FeedNews {
    /// What happened.
    pub events: Vec<Event>,
    pub standing: FeedStanding,
    /// Lines that tools printed beside their answers, without secrets.
    pub printed: Vec<String>,
}

/// How a run stands.
#[derive(Debug, Clone, Default)]
pub enum FeedStanding {
    /// It continues.
    #[default]
    Going,
    /// It is held after its last event, and continues when it is let go.
    Held,
    /// It is over, or nobody decides what it waits for.
    Over(Outcome),
}

/// A run that someone else drives.
pub trait RunFeed: Send {
    /// What became of it since the last look. Returns at once.
    fn look(&mut self) -> FeedNews;

    /// Holds it before it does anything more.
    fn hold(&mut self);

    /// Lets it continue.
    fn let_go(&mut self);

    /// Answers a question before which it is held, so that the world is not asked. `false` if it is not held before it.
    fn answer(&mut self, ask: AskId, answer: Answer) -> bool;

    /// Continues a run that waits for a decision with this one.
    ///
    /// # Errors
    /// If it does not wait for one, or cannot be continued.
    fn decide(&mut self, word: &str) -> Result<(), String>;

    /// Ends its driving. A run that is not over can be resumed then.
    fn leave(&mut self);
}
