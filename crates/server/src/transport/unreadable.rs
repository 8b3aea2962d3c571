//! Edits that cannot be parsed.
//!
//! Input: a message. Output: the same message. An edit that cannot be parsed is replaced with the closing of its
//! document, and a message to the user. Invariant: a text that may differ from the editor's is never checked or edited.

use serde::Deserialize;
use serde_json::{Value, json};
use tower_lsp_server::jsonrpc::Request;
use tower_lsp_server::ls_types::DidChangeTextDocumentParams;

use super::Outbox;

/// `MessageType.Warning` of the protocol.
const WARNING: u8 = 2;

/// The message to handle. After a lost edit, every later edit would be at the wrong place. So the document is closed
/// until the editor opens it again.
pub(super) fn replaced(request: Request, outbox: &Outbox) -> Request {
    if request.method() != "textDocument/didChange" {
        return request;
    }
    let parameters = request.params().unwrap_or(&Value::Null);
    let Err(error) = DidChangeTextDocumentParams::deserialize(parameters) else { return request };
    let Some(uri) = parameters.pointer("/textDocument/uri").and_then(Value::as_str) else { return request };
    tracing::warn!(file = uri, %error, "cannot read an edit");
    let message = format!(
        "nodewise cannot read an edit of {uri} and ignores the file until you close it and open it again: {error}"
    );
    outbox.send(&json!({
        "jsonrpc": "2.0", "method": "window/showMessage", "params": { "type": WARNING, "message": message },
    }));
    Request::build("textDocument/didClose").params(json!({ "textDocument": { "uri": uri } })).finish()
}
