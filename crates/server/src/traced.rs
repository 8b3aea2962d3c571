//! What the log contains about a message: the method, the file and the duration, but no text of the message.
//!
//! Input: messages of the protocol. Output: spans. Invariant: if the log is off, messages are not searched.

use serde_json::Value;
use tower_lsp_server::jsonrpc::{Id, Request, Response};
use tracing::{Span, debug_span, field, info_span};

/// The span of a message, which ends when it is answered or handled.
pub(crate) fn message(request: &Request, id: Option<&Id>) -> Span {
    let method = request.method();
    let (file, command) = (|| place(request, FILE), || place(request, &["/command"]));
    match id {
        Some(id) => info_span!(
            "request",
            method,
            command = command(),
            id = %id,
            file = file(),
            is_long = field::Empty,
            has_waited = field::Empty,
            error = field::Empty
        ),
        None => debug_span!("notification", method, file = file()),
    }
}

/// Adds to the span of a request how it was answered.
pub(crate) fn answered(response: &Response) {
    if let Some(error) = response.error() {
        Span::current().record("error", &*error.message);
    }
}

/// Marks a request that may take any time, because the user asked for long work.
pub(crate) fn takes_long() {
    Span::current().record("is_long", true);
}

/// Marks a request that waits for an event, so its duration has no meaning.
pub(crate) fn waits() {
    Span::current().record("has_waited", true);
}

/// Where a message contains the file that it is about.
const FILE: &[&str] = &[
    "/textDocument/uri",
    "/arguments/0/uri",
    "/arguments/0/textDocument/uri",
    "/arguments/0",
    "/item/uri",
    "/data/uri",
    "/uri",
    "/changes/0/uri",
];

fn place<'r>(request: &'r Request, places: &[&str]) -> Option<&'r str> {
    let parameters = request.params()?;
    places.iter().find_map(|place| parameters.pointer(place).and_then(Value::as_str))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tower_lsp_server::jsonrpc::Request;

    use super::{FILE, place};

    fn check_file(parameters: Value, expected: Option<&str>) {
        let request = Request::build("a/method").params(parameters).finish();
        assert_eq!(place(&request, FILE), expected);
    }

    #[test]
    fn a_message_says_which_file_it_is_about() {
        check_file(json!({"textDocument": {"uri": "file:///a.yaml", "version": 2}}), Some("file:///a.yaml"));
        check_file(json!({"arguments": [{"uri": "file:///b.yaml", "node": "n"}]}), Some("file:///b.yaml"));
        check_file(json!({"changes": [{"uri": "file:///c.yaml", "type": 1}]}), Some("file:///c.yaml"));
        check_file(json!({"query": "plan"}), None);
    }
}
