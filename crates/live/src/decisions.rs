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

/// Runs that wait for people, wherever they are kept. Its methods may wait for a disk or a network.
pub trait WaitingRuns: Send + Sync {
    /// The runs that wait, the one that began last first.
    ///
    /// # Errors
    /// Where they cannot be read.
    fn list(&self) -> Result<Vec<WaitingRun>>;

    /// A question of a run by its key; `None` if there is no such run.
    ///
    /// # Errors
    /// Where it cannot be read.
    fn find(&self, run: &str, key: &str) -> Result<Option<FoundQuestion>>;

    /// Decides a question for the person `by`. When this returns, a decision that is kept is not lost any more.
    ///
    /// # Errors
    /// Where it cannot be kept.
    fn decide(&self, run: &str, key: &str, by: &str, decision: &Decision) -> Result<DecisionResult>;
}

#[derive(Debug, Clone, PartialEq)]
pub struct WaitingRun {
    /// What is known of it.
    pub facts: RunFacts,
    /// What it waits for.
    pub questions: Vec<OpenQuestion>,
}

/// What people see of a run beside its questions.
#[derive(Debug, Clone, PartialEq)]
pub struct RunFacts {
    pub id: String,
    /// What runs, in words.
    pub title: String,
    /// What its user calls it.
    pub name: Option<String>,
    /// When it began.
    pub begun: Moment,
    pub status: RunStatus,
}

/// A question of a run, and how it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundQuestion {
    pub run: RunFacts,
    pub state: QuestionState,
}

#[derive(Debug, Clone, PartialEq)]
pub enum QuestionState {
    /// Nobody decided.
    Open(Box<OpenQuestion>),
    /// Someone decided here.
    Decided(DecisionRecord),
    /// The run does not wait for it any more, or never did.
    Closed,
}
