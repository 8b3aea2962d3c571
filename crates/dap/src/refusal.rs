//! Why a request fails: a number, a stable word, and a message for the user.

use serde_json::{Value, json};

/// Why a request fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The kind, which stands for a number and a stable word.
    pub kind: RefusalKind,
    /// What is wrong, in words for the user.
    pub message: String,
}

/// The kinds of refusals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefusalKind {
    /// There is nothing to run.
    NoTarget,
    /// The declarations, or the script, have errors.
    Broken,
    /// The user has not allowed something that the run starts or calls.
    NotAllowed,
    /// Another process drives the run.
    Driven,
    /// The request needs a run that is stopped.
    NotStopped,
    /// The reference is from an earlier stop or another branch.
    StaleReference,
    /// The value cannot be changed.
    ReadOnlyState,
    /// The answer does not fit the question.
    BadAnswer,
    /// The expression cannot be evaluated.
    BadExpression,
    /// The adapter does not support the request.
    Unsupported,
    /// The arguments do not have the expected form.
    BadArguments,
    /// The request does not fit the state of the session.
    BadOrder,
    /// The client cancelled the request.
    Cancelled,
    /// A bug in nodewise.
    Internal,
}

impl RefusalKind {
    fn number(self) -> u32 {
        match self {
            RefusalKind::NoTarget => 1001,
            RefusalKind::Broken => 1002,
            RefusalKind::NotAllowed => 1003,
            RefusalKind::Driven => 1004,
            RefusalKind::NotStopped => 1101,
            RefusalKind::StaleReference => 1102,
            RefusalKind::ReadOnlyState => 1201,
            RefusalKind::BadAnswer => 1202,
            RefusalKind::BadExpression => 1301,
            RefusalKind::Unsupported => 1401,
            RefusalKind::BadArguments => 1402,
            RefusalKind::BadOrder => 1403,
            RefusalKind::Cancelled => 1404,
            RefusalKind::Internal => 1500,
        }
    }

    /// The word for programs that read the response. It does not change between versions.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            RefusalKind::NoTarget => "noTarget",
            RefusalKind::Broken => "broken",
            RefusalKind::NotAllowed => "notAllowed",
            RefusalKind::Driven => "driven",
            RefusalKind::NotStopped => "notStopped",
            RefusalKind::StaleReference => "staleReference",
            RefusalKind::ReadOnlyState => "readOnlyState",
            RefusalKind::BadAnswer => "badAnswer",
            RefusalKind::BadExpression => "badExpression",
            RefusalKind::Unsupported => "unsupported",
            RefusalKind::BadArguments => "badArguments",
            RefusalKind::BadOrder => "badOrder",
            RefusalKind::Cancelled => "cancelled",
            RefusalKind::Internal => "internalError",
        }
    }

    /// Whether an editor shows the message to the user, because the user asked for something and did not get it.
    fn is_shown(self) -> bool {
        matches!(
            self,
            RefusalKind::NoTarget
                | RefusalKind::Broken
                | RefusalKind::NotAllowed
                | RefusalKind::Driven
                | RefusalKind::ReadOnlyState
                | RefusalKind::BadAnswer
                | RefusalKind::BadArguments
                | RefusalKind::Internal
        )
    }
}

impl Refusal {
    #[must_use]
    pub fn new(kind: RefusalKind, message: impl Into<String>) -> Refusal {
        Refusal { kind, message: message.into() }
    }

    /// The refusal of a request that needs a stopped run.
    pub(crate) fn not_stopped() -> Refusal {
        Refusal::new(RefusalKind::NotStopped, "the run is not stopped")
    }

    /// The body of the error response.
    pub(crate) fn body(&self) -> Value {
        // The client replaces braces in `format`. So the message, which may contain braces, is a variable.
        json!({"error": {
            "id": self.kind.number(),
            "format": "{text}",
            "variables": {"text": self.message},
            "showUser": self.kind.is_shown(),
        }})
    }
}
