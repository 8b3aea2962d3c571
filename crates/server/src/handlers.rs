//! Requests and notifications: translate, call `nodewise-ide`, translate back.
//!
//! Input: parameters in the types of the protocol, and for requests also a view. Output: results in the types of the
//! protocol. Invariant: a handler keeps no state between two calls. To add a feature, write its functions in the file
//! of its group, give each a line in `backend`, and announce it in `capabilities`.

use std::borrow::Cow;

use tower_lsp_server::jsonrpc::{Error, ErrorCode};

pub(crate) mod actions;
pub(crate) mod board;
pub(crate) mod bound;
pub(crate) mod commands;
pub(crate) mod completion;
pub(crate) mod config;
pub(crate) mod debug;
pub(crate) mod diagnostics;
pub(crate) mod documents;
mod edits;
pub(crate) mod evaluate;
pub(crate) mod formatting;
pub(crate) mod graph;
pub(crate) mod hierarchy;
pub(crate) mod history;
pub(crate) mod hover;
pub(crate) mod inlay_and_lens;
pub(crate) mod layout;
pub(crate) mod lifecycle;
mod listed;
#[cfg(feature = "live")]
pub(crate) mod live;
pub(crate) mod marks;
mod markup;
pub(crate) mod navigation;
pub(crate) mod outline;
pub(crate) mod renaming;
pub(crate) mod simulate;
pub(crate) mod status;
pub(crate) mod tokens;
pub(crate) mod typing;
pub(crate) mod workspace;

/// The answer to a valid request that cannot be carried out.
pub(crate) fn request_failed(reason: impl Into<Cow<'static, str>>) -> Error {
    const REQUEST_FAILED: i64 = -32803;
    Error { code: ErrorCode::ServerError(REQUEST_FAILED), message: reason.into(), data: None }
}
