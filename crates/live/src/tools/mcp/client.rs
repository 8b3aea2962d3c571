//! What a server may ask of us: nothing but signs of life. Its log is shown as notes.
//!
//! Input: requests and notifications of a server; output: refusals. Invariant: no server reaches a model, a person or a file
//! through us: models are refused, people decline, and there are no folders.

#![expect(deprecated, reason = "the protocol's next version is without a log; the servers of today have one")]

use std::future::{Future, ready};

use rmcp::ClientHandler;
use rmcp::model::{ClientCapabilities, ClientConfig, Implementation, LoggingMessageNotificationParam};
use rmcp::service::{NotificationContext, RoleClient};

use crate::tools::tool_log::ToolLog;

/// Our side of a connection. The default answers of `ClientHandler` refuse everything that a server may not have.
#[derive(Debug)]
pub(super) struct Client {
    server: String,
    tool_log: ToolLog,
}

impl Client {
    pub(super) fn new(server: &str, tool_log: &ToolLog) -> Client {
        Client { server: server.to_owned(), tool_log: tool_log.clone() }
    }
}

impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        let nodewise = Implementation::new("nodewise", env!("CARGO_PKG_VERSION"));
        ClientConfig::new(ClientCapabilities::default(), nodewise)
    }

    fn on_logging_message(
        &self,
        logged: LoggingMessageNotificationParam,
        _: NotificationContext<RoleClient>,
    ) -> impl Future<Output = ()> + Send + '_ {
        match &logged.data {
            serde_json::Value::String(text) => self.tool_log.note(&self.server, text),
            data => self.tool_log.note(&self.server, &data.to_string()),
        }
        ready(())
    }
}
