//! The server, as the framework sees it: how requests come to be answered.
//!
//! Input: parameters of the wire. Output: results of the wire. Invariant: a request queues behind the events that arrived
//! before it, then runs on another thread with the view of that moment.

mod commands;
mod protocol;

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;

use nodewise_analysis::cancel::Cancel;
use serde_json::Value;
use tokio::runtime::Handle;
use tokio::sync::{oneshot, watch};
use tower_lsp_server::jsonrpc::{Error, Result};
use tower_lsp_server::ls_types::{
    WorkDoneProgressCancelParams, WorkspaceDiagnosticParams, WorkspaceDiagnosticReport,
};
use tower_lsp_server::{ClientSocket, LspService};
use tracing::Span;

use crate::capabilities::Abilities;
use crate::client::Wire;
use crate::editor::Editor;
use crate::handlers::{debug, diagnostics, reading, simulate, tokens};
use crate::session::{Event, Queue};
use crate::traced;
use crate::transport::{Outbox, fault};
use crate::unfinished::Unfinished;
use crate::view::View;

/// The server, as the framework sees it.
#[derive(Debug)]
pub(crate) struct Backend {
    queue: Queue,
    editor: Arc<dyn Editor>,
    runtime: Handle,
    abilities: Arc<OnceLock<Abilities>>,
    is_debugged: AtomicBool,
    is_shut_down: Arc<AtomicBool>,
    unfinished: Unfinished,
    outbox: Outbox,
    renewed: watch::Receiver<()>,
    is_workspace_told: AtomicBool,
    shows_pages: Arc<AtomicBool>,
    given_up: Arc<AtomicU64>,
    tokens: Arc<tokens::Answers>,
    runs: simulate::Underway,
    traces: Arc<simulate::Traces>,
    /// Held by each dry run that goes on.
    running: Arc<()>,
}

/// Where a request is worked on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Where {
    /// On one of the threads that answer requests.
    Pool,
    /// On a thread of its own, since it may take as long as it likes.
    OwnThread,
}

/// What a request's handler is given.
pub(crate) struct Asked<'v> {
    /// The session at the moment of the request.
    pub(crate) view: &'v View,
    /// Whether the answer is still wanted.
    pub(crate) cancel: &'v Cancel,
    /// What the client understands.
    pub(crate) abilities: Abilities,
    /// How many requests were given up while they were worked on.
    pub(crate) given_up: u64,
}

/// What a request comes to, of whatever type.
type Answer = Box<dyn Any + Send>;
type Work = Box<dyn FnOnce(&Asked<'_>) -> Answer + Send>;

/// Cancels when the framework drops a handler, which it does when the client cancels.
struct CancelOnDrop(Cancel);

/// The framework's service around a server of its own.
pub(crate) fn service(
    outbox: &Outbox,
    runtime: &Handle,
    is_shut_down: &Arc<AtomicBool>,
    shows_pages: &Arc<AtomicBool>,
) -> std::io::Result<(LspService<Backend>, ClientSocket)> {
    let abilities: Arc<OnceLock<Abilities>> = Arc::default();
    let (queue, events) = Queue::new();
    let (renew, renewed) = watch::channel(());
    let mut started = Ok(());
    let (service, socket) = LspService::build(|client| {
        let editor: Arc<dyn Editor> = Arc::new(Wire::new(
            client,
            outbox.clone(),
            runtime.clone(),
            Arc::clone(&abilities),
            queue.clone(),
            renew,
        ));
        started = queue.start(events, Arc::clone(&editor));
        Backend {
            queue: queue.clone(),
            editor,
            runtime: runtime.clone(),
            abilities: Arc::clone(&abilities),
            is_debugged: AtomicBool::new(false),
            is_shut_down: Arc::clone(is_shut_down),
            unfinished: Unfinished::default(),
            outbox: outbox.clone(),
            renewed,
            is_workspace_told: AtomicBool::new(false),
            shows_pages: Arc::clone(shows_pages),
            given_up: Arc::default(),
            tokens: Arc::default(),
            runs: simulate::Underway::default(),
            traces: Arc::default(),
            running: Arc::default(),
        }
    })
    .custom_method("nodewise/debug", Backend::debug)
    .custom_method("workspace/textDocumentContent", Backend::content)
    .custom_method("window/workDoneProgress/cancel", Backend::stop)
    .finish();
    started.map(|()| (service, socket))
}

impl Backend {
    /// Where events are put.
    pub(crate) fn queue(&self) -> &Queue {
        &self.queue
    }

    /// Remembers what the client said about itself.
    pub(crate) fn begin(&self, abilities: Abilities, asked_again: Vec<String>, is_debugged: bool) {
        self.unfinished.ask_again(asked_again);
        // The framework lets `initialize` through once.
        self.abilities.set(abilities).ok();
        self.is_debugged.store(is_debugged, Ordering::Relaxed);
    }

    /// Whether the client shows documents of the server's own.
    pub(crate) fn shows_pages(&self) -> bool {
        self.shows_pages.load(Ordering::Relaxed)
    }

    /// Answers a request on another thread, with everything that arrived before it applied.
    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Asked<'_>) -> T + Send + 'static,
    ) -> Result<T> {
        self.read_until(Where::Pool, Cancel::default(), work).await
    }

    /// The same for a request about a document's text, which is dropped if the text changes meanwhile and the client
    /// asks again then.
    async fn read_text<T: Send + 'static>(
        &self,
        method: &str,
        uri: &str,
        work: impl FnOnce(&Asked<'_>) -> T + Send + 'static,
    ) -> Result<T> {
        let cancel = Cancel::default();
        let request = self.unfinished.begin(method, uri, &cancel);
        let result = self.read_until(Where::Pool, cancel, work).await;
        match request.is_some_and(|request| request.is_outdated()) {
            true => Err(Error::content_modified()),
            false => result,
        }
    }

    async fn read_until<T: Send + 'static>(
        &self,
        place: Where,
        cancel: Cancel,
        work: impl FnOnce(&Asked<'_>) -> T + Send + 'static,
    ) -> Result<T> {
        let work: Work = Box::new(move |asked| Box::new(work(asked)));
        let answer = self.answer(place, cancel, work).await?;
        // What comes back is what the work above put into the box.
        answer.downcast::<T>().map(|answer| *answer).map_err(|_| fault())
    }

    /// The same whatever the answer's type is, so that it is compiled once and not for each request.
    async fn answer(&self, place: Where, cancel: Cancel, work: Work) -> Result<Answer> {
        let (answer, answered) = oneshot::channel();
        let guard = CancelOnDrop(cancel.clone());
        let given_up = Arc::clone(&self.given_up);
        if place == Where::OwnThread {
            traced::takes_long();
        }
        let span = Span::current();
        let (runtime, abilities) = (self.runtime.clone(), self.abilities.get().copied().unwrap_or_default());
        self.queue.send(Event::Read(Box::new(move |view| {
            let work = move || {
                let _entered = span.enter();
                let count = given_up.load(Ordering::Relaxed);
                let asked = Asked { view: &view, cancel: &cancel, abilities, given_up: count };
                let work = || (!cancel.is_cancelled()).then(|| work(&asked));
                let result = catch_unwind(AssertUnwindSafe(work)).map_err(|_| fault()).transpose();
                let Some(result) = result.filter(|_| !cancel.is_cancelled()) else {
                    given_up.fetch_add(1, Ordering::Relaxed);
                    return;
                };
                // Nobody waits for the answer if the client left.
                answer.send(result).ok();
            };
            match place {
                Where::Pool => drop(runtime.spawn_blocking(work)),
                // Without a thread the answer is that nobody works on it.
                Where::OwnThread => {
                    thread::Builder::new().name("nodewise-run".to_owned()).spawn(work).map(drop).ok();
                }
            }
        })));
        let result = answered.await.unwrap_or_else(|_| Err(Error::request_cancelled()));
        drop(guard);
        result
    }

    async fn content(&self, parameters: reading::ContentParams) -> Result<reading::Content> {
        reading::content(&parameters)
    }

    /// `window/workDoneProgress/cancel`
    async fn stop(&self, parameters: WorkDoneProgressCancelParams) {
        self.runs.stop(&parameters.token);
    }

    async fn debug(&self, trial: debug::Trial) -> Result<Value> {
        if !self.is_debugged.load(Ordering::Relaxed) {
            return Err(Error::method_not_found());
        }
        let uri = trial.uri().to_owned();
        self.read_text(debug::METHOD, &uri, |asked| debug::debug(asked, trial)).await
    }

    /// `workspace/diagnostic`: a client asks again as soon as it is answered, so that an answer without news waits for
    /// some.
    async fn workspace_report(
        &self,
        parameters: WorkspaceDiagnosticParams,
    ) -> Result<WorkspaceDiagnosticReport> {
        let parameters = Arc::new(parameters);
        let mut renewed = self.renewed.clone();
        loop {
            renewed.mark_unchanged();
            let asked_for = Arc::clone(&parameters);
            let items = self.read(move |asked| diagnostics::workspace(asked, &asked_for)).await?;
            // The first answer is none that the client could know.
            let is_told = self.is_workspace_told.swap(true, Ordering::Relaxed);
            let is_first = !is_told && parameters.previous_result_ids.is_empty();
            if is_first || diagnostics::has_news(&items) {
                let token = parameters.partial_result_params.partial_result_token.as_ref();
                return Ok(diagnostics::in_parts(items, token, &self.outbox));
            }
            traced::waits();
            if renewed.changed().await.is_err() {
                return Err(Error::request_cancelled());
            }
        }
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
