//! What can go wrong in a run, as filters that stop it.

use nodewise_engine::ask::Reply;
use nodewise_engine::event::{Event, EventKind};
use nodewise_engine::outcome::{Failure, Outcome, SCRIPT_EXHAUSTED, Status};
use nodewise_simulation::explain::is_condition_error;

/// Something that can go wrong in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExceptionFilter {
    /// The run ends with a failure.
    RunFailed,
    /// A visit fails.
    NodeFailed,
    /// A visit fails and is tried again.
    Retried,
    /// The run reaches a limit.
    Budget,
    /// A guardrail finds a violation.
    Guardrail,
    /// A write is refused.
    DroppedWrite,
    /// A condition has no value.
    ConditionError,
    /// The script has no answer left.
    ScriptExhausted,
}

/// The filters: id, name, description, whether they are on by default.
pub const FILTERS: [(ExceptionFilter, &str, &str, &str, bool); 8] = [
    (
        ExceptionFilter::RunFailed,
        "run-failed",
        "Failed Runs",
        "Stops when the run ends with a failure.",
        true,
    ),
    (ExceptionFilter::NodeFailed, "node-failed", "Failed Nodes", "Stops when a visit of a node fails.", true),
    (ExceptionFilter::Retried, "retried", "Retries", "Stops when a visit fails and is tried again.", false),
    (ExceptionFilter::Budget, "budget", "Limits", "Stops when the run reaches a limit.", false),
    (
        ExceptionFilter::Guardrail,
        "guardrail",
        "Guardrails",
        "Stops when a guardrail finds a violation.",
        false,
    ),
    (
        ExceptionFilter::DroppedWrite,
        "dropped-write",
        "Dropped Writes",
        "Stops when a write is refused.",
        false,
    ),
    (
        ExceptionFilter::ConditionError,
        "condition-error",
        "Condition Errors",
        "Stops when the condition of an edge has no value.",
        false,
    ),
    (
        ExceptionFilter::ScriptExhausted,
        "script-exhausted",
        "Missing Answers",
        "Stops when the script has no answer left.",
        false,
    ),
];

impl ExceptionFilter {
    /// The filter with this id in [`FILTERS`].
    #[must_use]
    pub fn of(id: &str) -> Option<ExceptionFilter> {
        FILTERS.iter().find(|(_, known, ..)| *known == id).map(|(filter, ..)| *filter)
    }

    /// Whether the filter stops at an event. If there are `classes`, only failures of these classes stop.
    pub(crate) fn is_event(self, event: &Event, classes: &[String]) -> bool {
        let fits = |failure: &Failure| is_one_of(failure, classes);
        match (self, &event.kind) {
            (ExceptionFilter::NodeFailed, EventKind::VisitEnded { result: Err(failure), .. })
            | (ExceptionFilter::Retried, EventKind::Retried { failure, .. }) => fits(failure),
            (ExceptionFilter::Guardrail, EventKind::Answered { answer, .. }) => {
                matches!(&answer.result, Ok(Reply::Verdict(verdict)) if !verdict.passed)
            }
            (ExceptionFilter::DroppedWrite, EventKind::Dropped { .. }) => true,
            (ExceptionFilter::ConditionError, EventKind::EdgeJudged { reason: Some(reason), .. }) => {
                is_condition_error(reason)
            }
            (ExceptionFilter::ScriptExhausted, EventKind::Answered { answer, .. }) => {
                answer.result.as_ref().is_err_and(|failure| failure.class == SCRIPT_EXHAUSTED)
            }
            _ => false,
        }
    }

    /// Whether the filter stops at the end of a run with this outcome. If there are `classes`, only failures of these
    /// classes stop.
    pub(crate) fn is_end(self, outcome: &Outcome, classes: &[String]) -> bool {
        match (self, outcome.status) {
            (ExceptionFilter::Budget, Status::Stopped(_)) => true,
            (
                ExceptionFilter::RunFailed,
                Status::Failed | Status::TimedOut | Status::Hung | Status::Crashed,
            ) => match &outcome.failure {
                Some(failure) => is_one_of(failure, classes),
                None => classes.is_empty(),
            },
            _ => false,
        }
    }
}

fn is_one_of(failure: &Failure, classes: &[String]) -> bool {
    classes.is_empty()
        || classes.iter().any(|class| failure.class == **class || failure.cause.as_deref() == Some(class))
}
