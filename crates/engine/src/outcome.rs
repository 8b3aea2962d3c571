//! How a run, or a visit of a node, ended.

use std::fmt;

use nodewise_expr::value::Value;
use smol_str::SmolStr;

use crate::limits::Limit;

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    pub status: Status,
    /// The failure, if something went wrong.
    pub failure: Option<Failure>,
    /// What the run returns.
    pub output: Value,
}

/// How a run ended, or why it waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It did what it had to do.
    Completed,
    /// Something went wrong.
    Failed,
    /// It waits for a person.
    Waiting,
    /// The system's own time limit was reached.
    TimedOut,
    /// It was ended from outside, or by a rejection.
    Cancelled,
    /// The system's runtime would never return.
    Hung,
    /// The system's runtime throws an exception that ends the run.
    Crashed,
    /// A limit of the simulator was reached.
    Stopped(Limit),
}

/// What went wrong.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// The class of error, as the system names it.
    pub class: SmolStr,
    /// The error's text, in the system's own words where its specification gives them.
    pub message: SmolStr,
    /// Whether another attempt can succeed; a system may decide otherwise.
    pub retryable: bool,
    /// The class of the error that caused this one.
    pub cause: Option<SmolStr>,
}

/// The class of the failure that is reported when a script has no answer left.
pub const SCRIPT_EXHAUSTED: &str = "ScriptExhausted";

impl Outcome {
    /// An outcome without a failure.
    #[must_use]
    pub fn of(status: Status, output: Value) -> Outcome {
        Outcome { status, failure: None, output }
    }

    /// An outcome with a failure.
    #[must_use]
    pub fn failed(status: Status, failure: Failure) -> Outcome {
        Outcome { status, failure: Some(failure), output: Value::Null }
    }
}

impl Status {
    /// The word for the status in traces and scenario files.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Status::Completed => "completed",
            Status::Failed => "failed",
            Status::Waiting => "waiting",
            Status::TimedOut => "timeout",
            Status::Cancelled => "cancelled",
            Status::Hung => "hung",
            Status::Crashed => "crashed",
            Status::Stopped(_) => "stopped",
        }
    }
}

impl Failure {
    /// A failure that trying again may fix.
    #[must_use]
    pub fn new(class: impl Into<SmolStr>, message: impl Into<SmolStr>) -> Failure {
        Failure { class: class.into(), message: message.into(), retryable: true, cause: None }
    }

    /// A failure that trying again cannot fix.
    #[must_use]
    pub fn lasting(class: impl Into<SmolStr>, message: impl Into<SmolStr>) -> Failure {
        Failure { retryable: false, ..Failure::new(class, message) }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.class, self.message)
    }
}
