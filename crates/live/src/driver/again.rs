//! Calls that were made before, and may have had their effect: they are made again, asked about, or not made.
//!
//! Input: a call, what the configuration says about it, decisions. Output: what becomes of the call. Invariant: a call that must
//! not be repeated is answered by a person or stays without an answer.

use anyhow::{Result, bail};
use nodewise_engine::ask::{Answer, Ask, Decision};
use nodewise_engine::event::AskId;
use nodewise_engine::outcome::Failure;
use nodewise_expr::value::Value;
use nodewise_project::config::live::Again;

use super::{Taken, taken_for};
use crate::people::{Matter, called};

/// The word of a decision that supplies the result of a call.
pub const ANSWER: &str = "answer";
const APPROVED: &str = "approved";
const REJECTED: &str = "rejected";

/// What to do with a call that was made before.
#[derive(Debug)]
pub enum EarlierCall {
    /// Make the call again.
    Repeated,
    Answered(Box<Answer>),
    /// Ask a person.
    Open,
}

/// What to do with a recorded call that has no result. `again` is what the configuration says about a call that may have had its
/// effect. `decisions` are those that people made meanwhile.
pub(super) fn earlier_call(
    id: AskId,
    ask: &Ask,
    again: Again,
    decisions: &mut Vec<Taken>,
) -> Result<EarlierCall> {
    let matter = Matter::of_call(id, ask);
    let counts = |taken: &Taken| match again {
        Again::Ask => true,
        Again::Never => taken.decision.word != APPROVED,
        // Nobody was asked about this call, so only a result for a node that is named counts.
        Again::Repeat => taken.decision.word == ANSWER && taken.node.is_some(),
    };
    match (again, taken_for(&matter, decisions, counts)) {
        (_, Some(decision)) => decided(ask, decision),
        (Again::Repeat, None) => Ok(EarlierCall::Repeated),
        (Again::Ask, None) => Ok(EarlierCall::Open),
        (Again::Never, None) => bail!(
            "{} at `{node}` may have had its effect, and `again = \"never\"` forbids to repeat it\n  help: find out what it \
             did; then give its result with `nodewise resume --answer {node}=JSON`, or let it fail with `--reject {node}`",
            called(ask),
            node = ask.node,
        ),
    }
}

/// What a person's decision says to do with a call.
///
/// # Errors
/// Where the word of the decision is none of `approved`, `answer` and `rejected`.
pub fn decided(ask: &Ask, decision: Decision) -> Result<EarlierCall> {
    match decision.word.as_str() {
        APPROVED => Ok(EarlierCall::Repeated),
        ANSWER => Ok(EarlierCall::Answered(Box::new(Answer::value(decision.data.unwrap_or(Value::Null))))),
        REJECTED => {
            let message = format!("{} was not repeated, because a person decided so", called(ask));
            let failure = Failure::lasting("CallNotRepeated", message);
            Ok(EarlierCall::Answered(Box::new(Answer::failed(failure))))
        }
        word => bail!(
            "`{word}` does not say what becomes of {} at `{node}`\n  help: `--approve {node}` repeats it, `--answer {node}=JSON` \
             gives its result, and `--reject {node}` lets it fail",
            called(ask),
            node = ask.node,
        ),
    }
}
