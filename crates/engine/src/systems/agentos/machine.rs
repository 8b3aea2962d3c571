//! What runs a node, as executors implement it: a state machine that is woken, and what it works with.
//!
//! Input: answers and timers; output: that it waits, a result, or an exception. Invariant: a copy continues as the original
//! would.

use std::fmt;

use nodewise_expr::javascript;
use nodewise_expr::value::Value;
use smol_str::SmolStr;

use super::result::NodeResult;
use super::state::State;
use super::turns::Turns;
use super::{AgentOs, Output, THROWN};
use crate::ask::{Answer, Reply};
use crate::event::VisitId;
use crate::kernel::{TaskContext, Wake};
use crate::time::Millis;

/// Where a node runs, and what it sees.
#[derive(Debug, Clone)]
pub(super) struct Situation {
    pub(super) graph: u32,
    pub(super) node: u32,
    pub(super) visit: VisitId,
    pub(super) attempt: u32,
    /// How many graphs this one is inside of.
    pub(super) depth: u32,
    pub(super) state: State,
    /// What the host's clock showed when the run began.
    pub(super) clock: Millis,
    /// Whether other nodes run at the same time.
    pub(super) is_beside: bool,
}

/// What an executor does in one attempt, as a state machine.
pub(super) trait Machine: fmt::Debug + Send + Sync {
    /// Continues until it must wait for something.
    fn go(&mut self, wake: Wake<Output>, work: &mut MachineContext<'_, '_>) -> Progress;

    /// What happens when the node's time limit is over.
    fn timed_out(&mut self, error: SmolStr, _work: &mut MachineContext<'_, '_>) -> Progress {
        Progress::done(NodeResult::failed(error))
    }

    /// A copy that continues as the original would.
    fn copied(&self) -> Box<dyn Machine>;
}

/// The result of a step of a machine.
#[derive(Debug)]
pub(super) enum Progress {
    Wait,
    Done(Box<NodeResult>),
    /// An exception that nothing catches, so that the run ends.
    Thrown(SmolStr),
}

/// What a machine can use in a step.
pub(super) struct MachineContext<'w, 'k> {
    pub(super) situation: &'w Situation,
    pub(super) context: &'w mut TaskContext<'k, AgentOs>,
    /// Counts the turns that the work takes.
    pub(super) turns: &'w mut Turns,
}

impl Progress {
    /// Ends the attempt with a result.
    pub(super) fn done(result: NodeResult) -> Progress {
        Progress::Done(Box::new(result))
    }
}

/// The report of a tool or extension service about a call.
pub(super) enum Report {
    Thrown(SmolStr),
    Came { success: bool, output: Value, error: Option<SmolStr> },
}

/// Reads a service's report from an answer. The answer's `aside` may hold `success`, `output` and `error`, beside a
/// value or in place of one.
pub(super) fn report(answer: Answer) -> Report {
    let aside = match &answer.aside {
        Some(Value::Map(aside)) => Some(aside.clone()),
        _ => None,
    };
    let beside = |key: &str| aside.as_ref().and_then(|aside| aside.get(key)).cloned();
    let error = beside("error").map(|error| javascript::to_text(&error).into());
    let success = beside("success").map(|success| javascript::is_truthy(&success));
    match answer.result {
        Err(failure) if failure.class == THROWN => Report::Thrown(failure.message),
        Err(failure) => Report::Came {
            success: success.unwrap_or(false),
            output: beside("output").unwrap_or(Value::Undefined),
            error: Some(error.unwrap_or(failure.message)),
        },
        Ok(reply) => Report::Came {
            success: success.unwrap_or(true),
            output: match reply {
                Reply::Value(output) => output,
                _ => Value::Undefined,
            },
            error,
        },
    }
}
