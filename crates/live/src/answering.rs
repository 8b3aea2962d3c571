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

/// A question that waits for its answer.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Its number in the run.
    pub id: AskId,
    pub ask: Arc<Ask>,
    /// The idempotency key: the same whenever this question is put to the world, and that of no other question.
    pub key: SmolStr,
    /// Observes what happens until the answer is complete.
    pub watch: Arc<dyn Watch>,
}

/// Observes what happens between a question and its answer. Nothing of it is recorded.
pub trait Watch: Send + Sync + std::fmt::Debug {
    /// A model said a part of its answer.
    fn on_delta(&self, _ask: AskId, _part: &str) {}

    /// The call is made again, in so many milliseconds, for a reason.
    fn on_retry(&self, _ask: AskId, _wait_ms: u64, _reason: &str) {}
}

/// No observer.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unwatched;

impl Watch for Unwatched {}

pub trait Answering: Send + Sync {
    /// Answers a question; how long it took is measured by who asks. Dropping the future gives the question up.
    fn answer(&self, asked: Asked) -> BoxFuture<'static, Answer>;

    /// What to do with a question that was put to the world before, and may have had its effect.
    fn again(&self, _ask: &Ask) -> Again {
        Again::Repeat
    }
}
