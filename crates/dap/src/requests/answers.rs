//! Other answers, which are forks.

use nodewise_debugger::forks::{ForkError, OtherAnswer};
use serde_json::json;

use super::Then;
use crate::refusal::{Refusal, RefusalKind};
use crate::session::DebugSession;

/// What a fork of a live run is.
const DRY: &str = "This branch is a simulation: no model and no tool is asked in it. `.branch 0` returns to the live run.\n";

/// Gives another answer to the current question, or a decision to the current pause. Returns what the client is told then.
pub(super) fn give(session: &mut DebugSession<'_>, text: &str) -> Result<Then, Refusal> {
    let run = session.stopped_run_mut()?;
    let was_live = run.debugger.timeline().is_fed();
    match run.debugger.answer(text) {
        Ok(OtherAnswer::Forked(_)) => Ok(Box::new(move |session| {
            forked(session);
            if was_live {
                session.output("important", DRY, None);
            }
        })),
        Ok(OtherAnswer::GivenToLiveRun) => Ok(Box::new(forked)),
        Err(ForkError::NoQuestion) => Err(Refusal::new(
            RefusalKind::BadAnswer,
            "nothing is asked here: step into a question or an answer first".to_owned(),
        )),
        Err(ForkError::BadAnswer(message)) => Err(Refusal::new(RefusalKind::BadAnswer, message)),
    }
}

/// Says that what is shown is another run.
pub(super) fn forked(session: &mut DebugSession<'_>) {
    session.event("invalidated", json!({"areas": ["threads", "stacks", "variables"]}));
}

/// Decides what a live run waits for, which continues then; otherwise the same as another answer.
pub(super) fn decide(session: &mut DebugSession<'_>, word: &str) -> Result<(String, Option<Then>), Refusal> {
    let run = session.stopped_run_mut()?;
    match run.debugger.decide(word) {
        Some(Ok(())) => {
            session.references.clear();
            Ok((format!("the run continues with `{word}`"), None))
        }
        Some(Err(message)) => Err(Refusal::new(RefusalKind::BadAnswer, message)),
        None => Ok(("a new branch begins here".to_owned(), Some(give(session, word)?))),
    }
}
