//! Who answers in real time what a run asks.
//!
//! Input: a question, with its number; output: the answer, when there is one. Invariant: an answer holds no secret, since it is
//! recorded as it is.

use std::sync::Arc;

use futures::future::BoxFuture;
use nodewise_engine::ask::{Answer, Ask};
use nodewise_engine::event::AskId;
use nodewise_project::config::live::Again;
use smol_str::SmolStr;

/// A question that is put to the world.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Its number in the run.
    pub id: AskId,
    pub ask: Arc<Ask>,
    /// The idempotency key. It is the same for each attempt at this question, and differs from the key of every other question.
    pub key: SmolStr,
    /// Observes what happens until the answer is complete.
    pub watch: Arc<dyn Watch>,
}

/// Observes what happens between a question and its answer. Nothing of this is recorded.
pub trait Watch: Send + Sync + std::fmt::Debug {
    /// A model produced a part of its answer.
    fn on_delta(&self, _ask: AskId, _part: &str) {}

    /// The call is repeated after this number of milliseconds, for this reason.
    fn on_retry(&self, _ask: AskId, _wait_ms: u64, _reason: &str) {}
}

/// An observer that ignores everything.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unwatched;

impl Watch for Unwatched {}

pub trait Answering: Send + Sync {
    /// Answers a question. The caller measures how long it takes. Dropping the future cancels the call.
    fn answer(&self, asked: Asked) -> BoxFuture<'static, Answer>;

    /// What a resumed run does with a question that was put to the world before and may have had its effect.
    fn again(&self, _ask: &Ask) -> Again {
        Again::Repeat
    }
}
