//! The commands of live runs in a build that leaves them out.
//!
//! Input: a command. Output: an error that says what is missing and how to get it.

use serde_json::Value;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types::ProgressToken;

use crate::backend::Backend;
use crate::handlers::request_failed;

impl Backend {
    /// Refuses: a client that reads what is announced never asks.
    #[expect(clippy::unused_async, reason = "the signature is the one of a build with live runs")]
    pub(super) async fn live(
        &self,
        command: &str,
        _argument: Option<Value>,
        _token: Option<ProgressToken>,
    ) -> Result<Value> {
        Err(request_failed(format!("`{command}` is not available: {}", crate::NO_LIVE)))
    }
}
