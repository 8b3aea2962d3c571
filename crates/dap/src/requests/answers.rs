//! Other answers, which are forks.

use nodewise_debugger::forks::ForkError;
use serde_json::json;

use crate::refusal::{Refusal, RefusalKind};
use crate::session::DebugSession;

/// Gives another answer to the current question.
pub(super) fn give(session: &mut DebugSession<'_>, text: &str) -> Result<(), Refusal> {
    let run = session.stopped_run_mut()?;
    run.debugger.answer(text).map(drop).map_err(|error| match error {
        ForkError::NoQuestion => Refusal::new(
            RefusalKind::BadAnswer,
            "nothing is asked here: step into a question or an answer first".to_owned(),
        ),
        ForkError::BadAnswer(message) => Refusal::new(RefusalKind::BadAnswer, message),
    })
}

/// Says that what is shown is another run.
pub(super) fn forked(session: &mut DebugSession<'_>) {
    session.event("invalidated", json!({"areas": ["threads", "stacks", "variables"]}));
}
