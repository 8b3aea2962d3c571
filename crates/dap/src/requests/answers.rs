//! Other answers, which begin forks.

use nodewise_debugger::forks::{ForkError, PreparedAnswer};
use serde_json::json;

use super::Then;
use crate::refusal::{Refusal, RefusalKind};
use crate::session::DebugSession;

/// The note for the user when a live run gets a branch.
const DRY: &str = "This branch is a simulation: no model and no tool is asked in it. `.branch 0` returns to the live run.\n";

/// What was done with another answer.
pub(super) struct Given {
    /// What to send to the client after the response.
    pub(super) then: Then,
    /// What was done, in words for the user.
    pub(super) text: &'static str,
}

/// Gives another answer to the current question, or another decision to the current pause. A fork is a session of its
/// own if the client can start one, else a branch of this session.
pub(super) fn give(session: &mut DebugSession<'_>, text: &str) -> Result<Given, Refusal> {
    let run = session.stopped_run_mut()?;
    let was_live = run.debugger.timeline().is_fed();
    match run.debugger.prepare_answer(text) {
        Ok(PreparedAnswer::Fork(fork)) if session.can_start_child() => Ok(Given {
            then: Box::new(move |session| {
                // The editor shows what the user wrote, but the answer in this session does not change. So the editor
                // must read the variables again.
                forked(session);
                session.start_child(fork);
            }),
            text: "a new session begins with this answer",
        }),
        Ok(PreparedAnswer::Fork(fork)) => {
            session.stopped_run_mut()?.debugger.begin_fork(fork);
            Ok(Given {
                then: Box::new(move |session| {
                    forked(session);
                    if was_live {
                        session.output("important", DRY, None);
                    }
                }),
                text: "a new branch begins here",
            })
        }
        Ok(PreparedAnswer::GivenToLiveRun) => {
            Ok(Given { then: Box::new(forked), text: "the run gets this answer" })
        }
        Err(ForkError::NoQuestion) => Err(Refusal::new(
            RefusalKind::BadAnswer,
            "nothing is asked here: step into a question or an answer first".to_owned(),
        )),
        Err(ForkError::BadAnswer(message)) => Err(Refusal::new(RefusalKind::BadAnswer, message)),
    }
}

/// Asks the client to read threads, frames and variables again.
pub(super) fn forked(session: &mut DebugSession<'_>) {
    session.event("invalidated", json!({"areas": ["threads", "stacks", "variables"]}));
}

/// Gives a live run the decision that it waits for, and continues it. In other runs, the decision is another answer.
pub(super) fn decide(session: &mut DebugSession<'_>, word: &str) -> Result<(String, Option<Then>), Refusal> {
    let run = session.stopped_run_mut()?;
    match run.debugger.decide(word) {
        Some(Ok(())) => {
            session.references.clear();
            Ok((format!("the run continues with `{word}`"), None))
        }
        Some(Err(message)) => Err(Refusal::new(RefusalKind::BadAnswer, message)),
        None => {
            let given = give(session, word)?;
            Ok((given.text.to_owned(), Some(given.then)))
        }
    }
}
