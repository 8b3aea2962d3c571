//! People decide on a web page what live runs wait for.
//!
//! Input: runs that wait ([`WaitingRuns`]: the local store, or another place that keeps runs), the key of links. Output: pages, and
//! decisions with who gave them. Reading order: [`WaitingRuns`], `local` (the runs of a project), `links` (who may decide what until
//! when), `page` (the HTML), `server` (HTTP), `webhook` (the message that a run waits). Invariant: a page shows and decides only what
//! its link is signed for, and nothing of it depends on scripts.

mod links;
mod local;
mod page;
mod server;
mod webhook;

use anyhow::Result;
use nodewise_engine::ask::Decision;

pub use self::links::Links;
pub use self::local::LocalRuns;
pub use self::server::DecisionServer;
pub use self::webhook::Webhook;
pub use crate::store::{DecisionRecord, DecisionResult, OpenQuestion};
use crate::store::{Moment, RunStatus};

/// A place that keeps runs which wait for people. The methods may block on a disk or a network.
pub trait WaitingRuns: Send + Sync {
    /// The waiting runs, the newest first.
    ///
    /// # Errors
    /// Where they cannot be read.
    fn list(&self) -> Result<Vec<WaitingRun>>;

    /// Finds a question of a run by its key; `None` if there is no such run.
    ///
    /// # Errors
    /// Where it cannot be read.
    fn find(&self, run: &str, key: &str) -> Result<Option<FoundQuestion>>;

    /// Decides a question for the person `by`. If the decision was kept, it is on disk or on the engine when this returns.
    ///
    /// # Errors
    /// Where it cannot be kept.
    fn decide(&self, run: &str, key: &str, by: &str, decision: &Decision) -> Result<DecisionResult>;
}

#[derive(Debug, Clone, PartialEq)]
pub struct WaitingRun {
    pub facts: RunFacts,
    /// The open questions of the run.
    pub questions: Vec<OpenQuestion>,
}

/// What people see about a run, besides its questions.
#[derive(Debug, Clone, PartialEq)]
pub struct RunFacts {
    pub id: String,
    /// A description of what runs.
    pub title: String,
    /// The name that the user gave the run.
    pub name: Option<String>,
    pub begun: Moment,
    pub status: RunStatus,
}

/// A question of a run, and whether it is open.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundQuestion {
    pub run: RunFacts,
    pub state: QuestionState,
}

#[derive(Debug, Clone, PartialEq)]
pub enum QuestionState {
    /// The question is open.
    Open(Box<OpenQuestion>),
    /// Someone has decided it.
    Decided(DecisionRecord),
    /// The run does not wait for this question now.
    Closed,
}
