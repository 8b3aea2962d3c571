//! What the server sends without a request from the client.
//!
//! Input: what the session has to say. Output: notifications and requests. Invariant: the server sends only what the
//! client supports, and no call blocks.

use std::sync::{Arc, OnceLock};

use futures::future::BoxFuture;
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::watch;
use tower_lsp_server::Client;
use tower_lsp_server::ls_types::notification::{DidChangeWatchedFiles, Notification};
use tower_lsp_server::ls_types::{
    ConfigurationItem, DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern,
    MessageActionItem, MessageType, NumberOrString, Registration, WatchKind,
};

use crate::abilities::Abilities;
use crate::convert;
use crate::editor::{Editor, Level, ProgressStep};
use crate::options::{SECTION, UserSettings};
use crate::placed::Report;
use crate::runs::Ran;
use crate::session::{Event, Queue};
use crate::transport::Outbox;
use crate::workers::Workers;

/// The files that the server watches.
pub(crate) const WATCHED: [&str; 3] = ["**/*.{yaml,yml,json}", "**/nodewise.toml", "**/*.py"];
/// Folders. No pattern matches only folders, so this matches everything. Only their creation and deletion matter.
const FOLDERS: &str = "**/*";

/// The client, as the session uses it.
#[derive(Debug)]
pub(crate) struct Wire {
    client: Client,
    outbox: Outbox,
    workers: Workers,
    abilities: Arc<OnceLock<Abilities>>,
    queue: Queue,
    steps: UnboundedSender<ProgressStep>,
    renewed: watch::Sender<()>,
}

impl Wire {
    /// A client whose capabilities are set when it sends `initialize`.
    pub(crate) fn new(
        client: Client,
        outbox: Outbox,
        workers: Workers,
        abilities: Arc<OnceLock<Abilities>>,
        queue: Queue,
        renewed: watch::Sender<()>,
    ) -> Wire {
        let (steps, arriving) = unbounded_channel();
        workers.spawn(show_progress(client.clone(), outbox.clone(), arriving));
        Wire { client, outbox, workers, abilities, queue, steps, renewed }
    }

    fn abilities(&self) -> Abilities {
        self.abilities.get().copied().unwrap_or_default()
    }

    /// Registers a capability with the client. If that fails, the server works without it.
    fn register(&self, id: &str, method: &str, options: Option<Value>) {
        let (id, method) = (id.to_owned(), method.to_owned());
        let registration = Registration { id, method, register_options: options };
        let client = self.client.clone();
        self.workers.spawn(async move { client.register_capability(vec![registration]).await.ok() });
    }
}

impl Editor for Wire {
    fn publish(&self, report: Report) {
        let parameters = convert::diagnostics::published(&report, self.abilities());
        self.outbox.notify("textDocument/publishDiagnostics", parameters);
    }

    fn refresh(&self) {
        let (client, abilities) = (self.client.clone(), self.abilities());
        if abilities.pulls && abilities.refreshes_diagnostics {
            // The server asks only clients that support this. If the request fails, the client pulls again later.
            self.workers.spawn(async move { client.workspace_diagnostic_refresh().await.ok() });
        }
        self.refresh_annotations();
    }

    fn refresh_annotations(&self) {
        let abilities = self.abilities();
        if abilities.refreshes_lenses {
            let client = self.client.clone();
            self.workers.spawn(async move { client.code_lens_refresh().await.ok() });
        }
        if abilities.refreshes_hints {
            let client = self.client.clone();
            self.workers.spawn(async move { client.inlay_hint_refresh().await.ok() });
        }
    }

    fn watch(&self) {
        if !self.abilities().registers_watchers {
            return;
        }
        let watcher = |pattern: &str, kind| FileSystemWatcher {
            glob_pattern: GlobPattern::String(pattern.to_owned()),
            kind,
        };
        let folders = watcher(FOLDERS, Some(WatchKind::Create | WatchKind::Delete));
        let watchers = WATCHED.iter().map(|pattern| watcher(pattern, None)).chain([folders]).collect();
        let options = DidChangeWatchedFilesRegistrationOptions { watchers };
        // Without watchers, the user can still run the command `nodewise.refresh`.
        self.register("nodewise-files", DidChangeWatchedFiles::METHOD, serde_json::to_value(options).ok());
    }

    fn renew(&self) {
        self.renewed.send_replace(());
    }

    fn offer_pages(&self) {
        if self.abilities().shows_pages {
            let options = json!({"schemes": [convert::diagnostics::OWN_SCHEME]});
            self.register("nodewise-pages", "workspace/textDocumentContent", Some(options));
        }
    }

    fn show(&self, message: String) {
        self.outbox.notify("window/showMessage", json!({"type": MessageType::INFO, "message": message}));
    }

    fn ask(
        &self,
        level: Level,
        message: String,
        choices: &'static [&'static str],
    ) -> BoxFuture<'static, Option<String>> {
        let client = self.client.clone();
        let action =
            |title: &&str| MessageActionItem { title: (*title).to_owned(), properties: Default::default() };
        let actions = choices.iter().map(action).collect();
        Box::pin(async move {
            // If the client does not support the request, the user cannot choose.
            let chosen = client.show_message_request(kind(level), message, Some(actions)).await;
            chosen.ok().flatten().map(|action| action.title)
        })
    }

    fn ask_options(&self) {
        if !self.abilities().has_configuration {
            return;
        }
        let (client, queue) = (self.client.clone(), self.queue.clone());
        self.workers.spawn(async move {
            let item = ConfigurationItem { scope_uri: None, section: Some(SECTION.to_owned()) };
            let values = client.configuration(vec![item]).await.unwrap_or_default();
            if let Some(value) = values.first().filter(|value| value.is_object()) {
                queue.send(Event::Options(UserSettings::read(value)));
            }
        });
    }

    fn simulated(&self, ran: &Ran) {
        if self.abilities().shows_runs {
            self.outbox.notify("nodewise/simulated", convert::runs::simulated(ran));
        }
    }

    fn followed(&self, part: Value) {
        self.outbox.notify("nodewise/runProgress", part);
    }

    fn log(&self, level: Level, message: String) {
        match level {
            Level::Error => tracing::error!("{message}"),
            Level::Warning => tracing::warn!("{message}"),
            Level::Note => tracing::info!("{message}"),
        }
        self.outbox.notify("window/logMessage", json!({"type": kind(level), "message": message}));
    }

    fn progress(&self, step: ProgressStep) {
        if self.abilities().has_progress {
            self.steps.send(step).ok();
        }
    }
}

fn kind(level: Level) -> MessageType {
    match level {
        Level::Error => MessageType::ERROR,
        Level::Warning => MessageType::WARNING,
        Level::Note => MessageType::INFO,
    }
}

/// Sends the progress of work to the client, in the order of its steps. If the client does not accept a token, it
/// gets no progress of that work.
async fn show_progress(client: Client, outbox: Outbox, mut steps: UnboundedReceiver<ProgressStep>) {
    let mut shown = std::collections::BTreeSet::new();
    while let Some(step) = steps.recv().await {
        let (work, value) = match step {
            ProgressStep::Begin { work, title, is_cancellable } => {
                let token = NumberOrString::String(token_of(work));
                if client.create_work_done_progress(token).await.is_err() {
                    continue;
                }
                shown.insert(work);
                // Work that can be cancelled has no known length, so it has no percentage.
                match is_cancellable {
                    true => (work, json!({"kind": "begin", "title": title, "cancellable": true})),
                    false => (work, json!({"kind": "begin", "title": title, "percentage": 0})),
                }
            }
            ProgressStep::Report { work, done, all } => {
                let percentage = done * 100 / all.max(1);
                (
                    work,
                    json!({"kind": "report", "message": format!("{done} of {all}"), "percentage": percentage}),
                )
            }
            ProgressStep::Tell { work, message } => (work, json!({"kind": "report", "message": message})),
            ProgressStep::End { work } => (work, json!({"kind": "end"})),
        };
        if shown.contains(&work) {
            outbox.notify("$/progress", json!({"token": token_of(work), "value": value}));
        }
    }
}

/// The progress token for some work.
pub(crate) fn token_of(work: u64) -> String {
    format!("nodewise-{work}")
}
