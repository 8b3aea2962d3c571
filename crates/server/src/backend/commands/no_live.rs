//! The commands of live runs in a build without live runs.
//!
//! Input: a command. Output: an error that says what is missing and how to get it.

use serde_json::Value;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types::ProgressToken;

use crate::backend::Backend;
use crate::handlers::request_failed;

impl Backend {
    /// Returns an error. A client that reads the announced commands never sends these.
    #[expect(clippy::unused_async, reason = "the signature is the one of a build with live runs")]
    pub(super) async fn live(
        &self,
        command: &str,
        _argument: Option<Value>,
        _token: Option<ProgressToken>,
    ) -> Result<Value> {
        Err(request_failed(format!("`{command}` is not available: {}", nodewise_platform::left_out::NO_LIVE)))
    }
}
