//! Why a request has no answer.
//!
//! Input: what went wrong. Output: a message, and perhaps what to do. Invariant: both are for people.

use nodewise_simulation::target::TargetError;

/// An error, as a message for the user.
#[derive(Debug)]
pub(crate) struct JsError {
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

impl JsError {
    pub(crate) fn new(message: String, help: &str) -> JsError {
        JsError { message, help: Some(help.to_owned()) }
    }
}

impl From<TargetError> for JsError {
    fn from(error: TargetError) -> JsError {
        JsError { message: error.message, help: error.help }
    }
}
