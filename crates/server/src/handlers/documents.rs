//! Open documents.
//!
//! Input: notifications. Output: events. Invariant: nothing is awaited, so edits keep their order.

use tower_lsp_server::ls_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DidSaveTextDocumentParams, TextDocumentContentChangeEvent,
};

use crate::convert;
use crate::documents::DocumentEdit;
use crate::session::Event;

/// `textDocument/didOpen`
pub(crate) fn did_open(parameters: DidOpenTextDocumentParams) -> Event {
    let document = parameters.text_document;
    Event::Open {
        uri: document.uri.as_str().to_owned(),
        version: document.version,
        language: document.language_id,
        text: document.text,
    }
}

/// `textDocument/didChange`
pub(crate) fn did_change(parameters: DidChangeTextDocumentParams) -> Event {
    let edit = |change: TextDocumentContentChangeEvent| DocumentEdit {
        span: change.range.map(convert::span),
        text: change.text,
    };
    Event::Edit {
        uri: parameters.text_document.uri.as_str().to_owned(),
        version: parameters.text_document.version,
        edits: parameters.content_changes.into_iter().map(edit).collect(),
    }
}

/// `textDocument/didSave`
pub(crate) fn did_save(parameters: DidSaveTextDocumentParams) -> Event {
    Event::Save { uri: parameters.text_document.uri.as_str().to_owned() }
}

/// `textDocument/didClose`
pub(crate) fn did_close(parameters: DidCloseTextDocumentParams) -> Event {
    Event::Close { uri: parameters.text_document.uri.as_str().to_owned() }
}
