//! Why a model gave no answer. In: the result of a call; out: a failure that the nodes' policies can decide by. Invariant: what may
//! go well another time is retryable, and nothing else; the text is one line.

use std::time::Duration;

use nodewise_engine::outcome::Failure;
use nodewise_simulation::system::RunnableSystem;
use reqwest::StatusCode;
use serde_json::Value as Json;

use super::plan::Planned;

use crate::systems;

/// Why a call of a model gave no answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CallFailure {
    pub(super) sort: Sort,
    /// What the provider did, as the rest of a sentence that begins with its name: `cannot be reached …`.
    pub(super) text: String,
    pub(super) is_lasting: bool,
    /// How long the provider asks to wait before the next request.
    pub(super) wait: Option<Duration>,
}

/// What went wrong in a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// There was no connection, or it ended early.
    Connection,
    /// A time limit passed.
    Timeout,
    /// The provider answered with this HTTP status.
    Status(u16),
    /// The answer does not follow the protocol.
    Malformed,
}

/// The longest message of a provider that is shown, in characters.
const LONGEST: usize = 300;

impl CallFailure {
    /// A failure that may not happen again.
    pub(super) fn passing(sort: Sort, text: impl Into<String>) -> CallFailure {
        CallFailure { sort, text: text.into(), is_lasting: false, wait: None }
    }

    /// The model does not accept a part of its prompt, so nothing was sent.
    pub(super) fn unsupported(planned: &Planned, reason: &str) -> CallFailure {
        let text = format!("was not asked: the model `{}` {reason}", planned.model);
        CallFailure { sort: Sort::Malformed, text, is_lasting: true, wait: None }
    }

    /// The answer does not follow the protocol.
    pub(super) fn malformed(text: impl Into<String>) -> CallFailure {
        CallFailure::passing(Sort::Malformed, text)
    }

    /// The failure for an HTTP status other than success. `wait` is how long the provider asks to wait.
    pub(super) fn of_status(status: StatusCode, body: &str, wait: Option<Duration>) -> CallFailure {
        let (said, code) = said(body);
        let reason = status.canonical_reason().map(|reason| format!(" {reason}")).unwrap_or_default();
        let said = if said.is_empty() { said } else { format!(": {said}") };
        let hint = match status.as_u16() {
            401 | 403 => " (check the key)",
            429 if !is_quota(&code) => " (rate limit)",
            300..=399 => " (check `base_url`)",
            _ => "",
        };
        let is_passing = matches!(status.as_u16(), 408 | 409 | 425 | 429 | 500..) && !is_quota(&code);
        CallFailure {
            sort: Sort::Status(status.as_u16()),
            text: format!("answered {}{reason}{hint}{said}", status.as_u16()),
            is_lasting: !is_passing,
            wait,
        }
    }

    /// The failure for an error that the provider reports in the body of its answer.
    pub(super) fn of_error(error: &Json) -> CallFailure {
        let (said, code) = said(&error.to_string());
        let sort = match code.as_str() {
            "overloaded_error" => Sort::Status(529),
            "rate_limit_error" | "rate_limit_exceeded" => Sort::Status(429),
            "invalid_request_error" => Sort::Status(400),
            _ => Sort::Status(500),
        };
        let is_lasting = sort == Sort::Status(400) || is_quota(&code);
        CallFailure {
            is_lasting,
            ..CallFailure::passing(sort, format!("ended its answer with an error: {said}"))
        }
    }

    /// The failure that the node gets, with a class that its system knows.
    pub(super) fn failure(&self, system: RunnableSystem, planned: &Planned) -> Failure {
        let (provider, model) = (&planned.provider, &planned.model);
        let message = format!("the provider `{provider}` {} (model `{model}`)", self.text);
        let class = systems::of(system).provider_error().unwrap_or_else(|| self.class());
        Failure { retryable: !self.is_lasting, ..Failure::new(class, message) }
    }

    /// The class of the error in the providers' own client libraries.
    fn class(&self) -> &'static str {
        match self.sort {
            Sort::Connection => "APIConnectionError",
            Sort::Timeout => "APITimeoutError",
            Sort::Malformed => "APIResponseValidationError",
            Sort::Status(400) => "BadRequestError",
            Sort::Status(401) => "AuthenticationError",
            Sort::Status(403) => "PermissionDeniedError",
            Sort::Status(404) => "NotFoundError",
            Sort::Status(409) => "ConflictError",
            Sort::Status(422) => "UnprocessableEntityError",
            Sort::Status(429) => "RateLimitError",
            Sort::Status(500..) => "InternalServerError",
            Sort::Status(_) => "APIStatusError",
        }
    }
}

/// The message and the code of the error in a body; the code is empty if there is none.
fn said(body: &str) -> (String, String) {
    let Ok(json) = serde_json::from_str::<Json>(body) else { return (one_line(body), String::new()) };
    let error = json.get("error").unwrap_or(&json);
    let text = |json: &Json, key: &str| json.get(key).and_then(Json::as_str).map(str::to_owned);
    let message = text(error, "message").or_else(|| error.as_str().map(str::to_owned));
    let message = message.or_else(|| text(error, "detail")).unwrap_or_else(|| json.to_string());
    let code = text(error, "code").or_else(|| text(error, "type")).unwrap_or_default();
    (one_line(&message), code)
}

/// Whether the code means that the account has no money left. Waiting does not help then.
fn is_quota(code: &str) -> bool {
    matches!(code, "insufficient_quota" | "billing_hard_limit_reached" | "billing_error")
}

/// The beginning of a text, on one line.
pub(super) fn one_line(text: &str) -> String {
    let words = text.split(|character: char| character.is_whitespace() || character.is_control());
    let line = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or(&line)),
        None => line,
    }
}
