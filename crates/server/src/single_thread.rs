//! The server without threads, files and streams: for an editor in a web page.
//!
//! Input: messages of the protocol, the texts of the workspace, the time. Output: messages of the protocol. Invariant: a message is
//! handled when the call returns, and nothing runs between two calls.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use tower_lsp_server::jsonrpc::Request;

use crate::abilities::UntypedAbilities;
use crate::backend::{self, Backend};
use crate::disk::{ClientFiles, Disk};
use crate::publish::Sent;
use crate::session::SessionWorker;
use crate::transport::{Collected, Outbox, Server};
use crate::workers::CallerFutures;
use crate::{clock, uri};

/// A language server that works while it is called.
pub struct SingleThreadServer {
    server: Server<Backend>,
    session: SessionWorker,
    futures: CallerFutures,
    messages: Collected,
    files: ClientFiles,
    sent: Sent,
    untyped: Arc<OnceLock<UntypedAbilities>>,
}

/// A notification of the client with texts of the workspace, which the server cannot read itself.
const FILES: &str = "nodewise/files";

/// The parameters of that notification.
#[derive(Debug, Deserialize)]
struct FilesParams {
    /// The URI of each file or folder, and its text. Without a text, the file or folder is gone.
    files: Vec<(String, Option<String>)>,
}

impl SingleThreadServer {
    /// A server that waits for `initialize`.
    #[must_use]
    pub fn new() -> SingleThreadServer {
        let (outbox, messages) = Outbox::collected();
        let futures = CallerFutures::default();
        let workers = futures.workers();
        let files = ClientFiles::default();
        let untyped = Arc::new(OnceLock::new());
        let is_shut_down = Arc::new(AtomicBool::new(false));
        let (service, socket, session) =
            backend::service(&outbox, &workers, Disk::Texts(files.clone()), &is_shut_down, &untyped);
        let server = Server::new(&outbox, service, socket, &workers);
        SingleThreadServer { server, session, futures, messages, files, sent: Sent::default(), untyped }
    }

    /// Handles a message, and returns what the client gets. `now` is the time since the beginning of 1970.
    pub fn message(&mut self, message: &Value, now: Duration) -> Vec<String> {
        clock::set(now);
        if message.get("method").and_then(Value::as_str) == Some(FILES) {
            self.take_files(message);
            return Vec::new();
        }
        let untyped = Arc::clone(&self.untyped);
        let observe = |request: &Request| {
            if let Some(parameters) = request.params().filter(|_| request.method() == "initialize") {
                // The framework accepts `initialize` only once.
                untyped.set(UntypedAbilities::read(parameters)).ok();
            }
        };
        self.server.message(message.to_string().as_bytes(), &observe);
        self.work();
        self.messages.take()
    }

    /// Sends what waits for a pause between messages, and returns what the client gets.
    pub fn pause(&mut self, now: Duration) -> Vec<String> {
        clock::set(now);
        self.session.publish_waiting(&mut self.sent);
        self.work();
        self.messages.take()
    }

    /// Handles events and futures until all of them wait for the client.
    fn work(&mut self) {
        self.futures.run();
        while self.session.handle_waiting() {
            self.futures.run();
        }
    }

    fn take_files(&self, message: &Value) {
        let parameters = message.get("params").cloned().unwrap_or_default();
        let Ok(FilesParams { files }) = serde_json::from_value(parameters) else { return };
        for (uri, text) in files {
            if let Some(path) = uri::to_path(&uri) {
                self.files.write(path, text.map(Arc::from));
            }
        }
    }
}

impl Default for SingleThreadServer {
    fn default() -> SingleThreadServer {
        SingleThreadServer::new()
    }
}

#[cfg(test)]
mod tests;
