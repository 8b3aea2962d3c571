//! The server, as the framework calls it, and how it answers requests.
//!
//! Input: parameters in the types of the protocol. Output: results in the types of the protocol. Invariant: a request
//! waits for the events that arrived before it. Then it runs with the view of that moment, on another thread or, if it is quick, on this
//! one ([`at_once`]).

mod at_once;
mod commands;
mod protocol;

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use nodewise_analysis::cancel::Cancel;
use serde_json::Value;
use tokio::sync::{oneshot, watch};
use tower_lsp_server::jsonrpc::{Error, Result};
use tower_lsp_server::ls_types::{
    WorkDoneProgressCancelParams, WorkspaceDiagnosticParams, WorkspaceDiagnosticReport,
};
use tower_lsp_server::{ClientSocket, LspService};
use tracing::Span;

use crate::abilities::{Abilities, UntypedAbilities};
use crate::client::Wire;
use crate::disk::Disk;
use crate::editor::Editor;
use crate::handlers::lifecycle::Begun;
use crate::handlers::{debug, diagnostics, hover, simulate, tokens};
use crate::request::Asked;
use crate::session::{Event, Queue, SessionWorker, SharedSession, ViewReader};
use crate::traced;
use crate::transport::{Outbox, fault};
use crate::unfinished::Unfinished;
use crate::workers::Workers;

/// The server, as the framework calls it.
#[derive(Debug)]
pub(crate) struct Backend {
    queue: Queue,
    /// The session, if requests may be answered on the thread that reads them.
    shared: Arc<OnceLock<SharedSession>>,
    editor: Arc<dyn Editor>,
    workers: Workers,
    abilities: Arc<OnceLock<Abilities>>,
    is_debugged: AtomicBool,
    is_shut_down: Arc<AtomicBool>,
    unfinished: Unfinished,
    outbox: Outbox,
    renewed: watch::Receiver<()>,
    has_reported_workspace: AtomicBool,
    untyped: Arc<OnceLock<UntypedAbilities>>,
    given_up: Arc<AtomicU64>,
    tokens: Arc<tokens::Answers>,
    runs: simulate::Underway,
    traces: Arc<simulate::TraceIndex>,
    /// Each active run holds a clone, so the number of clones says how many are active.
    running: Arc<()>,
}

/// On which thread a request is handled, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RequestThread {
    /// On one of the threads that answer requests.
    Pool,
    /// On one of these threads, after the open folders have been read for the first time.
    PoolAfterLoad,
    /// On a thread of its own, because it may take any time. This is also after the open folders have been read.
    OwnThread,
}

/// The answer to a request, of any type.
type Answer = Box<dyn Any + Send>;
type Work = Box<dyn FnOnce(&Asked<'_>) -> Answer + Send>;

/// Cancels the work of a request when its handler is dropped. The framework drops the handler when the client cancels.
struct CancelOnDrop(Cancel);

/// The framework's service around a new server, and its session, which has not begun.
pub(crate) fn service(
    outbox: &Outbox,
    workers: &Workers,
    disk: Disk,
    is_shut_down: &Arc<AtomicBool>,
    untyped: &Arc<OnceLock<UntypedAbilities>>,
) -> (LspService<Backend>, ClientSocket, SessionWorker) {
    let abilities: Arc<OnceLock<Abilities>> = Arc::default();
    let (queue, events) = Queue::new();
    let (renew, renewed) = watch::channel(());
    let shared: Arc<OnceLock<SharedSession>> = Arc::default();
    let (service, socket) = LspService::build(|client| {
        let editor: Arc<dyn Editor> = Arc::new(Wire::new(
            client,
            outbox.clone(),
            workers.clone(),
            Arc::clone(&abilities),
            queue.clone(),
            renew,
        ));
        Backend {
            queue: queue.clone(),
            shared: Arc::clone(&shared),
            editor,
            workers: workers.clone(),
            abilities: Arc::clone(&abilities),
            is_debugged: AtomicBool::new(false),
            is_shut_down: Arc::clone(is_shut_down),
            unfinished: Unfinished::default(),
            outbox: outbox.clone(),
            renewed,
            has_reported_workspace: AtomicBool::new(false),
            untyped: Arc::clone(untyped),
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
    let editor = Arc::clone(&service.inner().editor);
    let session = queue.session(events, editor, workers.clone(), disk);
    if workers.has_threads() {
        shared.get_or_init(|| session.shared());
    }
    (service, socket, session)
}

impl Backend {
    /// Stores what the client said in `initialize`, and begins the session.
    fn begin(&self, begun: Begun) {
        self.unfinished.ask_again(begun.asked_again);
        // The framework accepts `initialize` only once.
        self.abilities.set(begun.abilities).ok();
        self.is_debugged.store(begun.is_debugged, Ordering::Relaxed);
        self.queue.send(Event::Begin(begun.setup));
    }

    /// The client capabilities that the framework's types do not have.
    fn untyped(&self) -> UntypedAbilities {
        self.untyped.get().copied().unwrap_or_default()
    }

    /// Answers a request on another thread, after all earlier events are applied.
    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Asked<'_>) -> T + Send + 'static,
    ) -> Result<T> {
        self.read_until(RequestThread::Pool, Cancel::default(), work).await
    }

    /// Like `read`, for a request whose answer depends on other files. It waits until the open folders have been read
    /// for the first time. An answer from only some of the names, or a change of only some of the files, would be
    /// wrong.
    async fn read_files<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Asked<'_>) -> T + Send + 'static,
    ) -> Result<T> {
        self.read_until(RequestThread::PoolAfterLoad, Cancel::default(), work).await
    }

    /// Like `read`, for a request about the text of a document. If the text changes before the answer, and the client
    /// repeats such requests, the request fails with the error that makes the client repeat it.
    async fn read_text<T: Send + 'static>(
        &self,
        method: &str,
        uri: &str,
        work: impl FnOnce(&Asked<'_>) -> T + Send + 'static,
    ) -> Result<T> {
        let cancel = Cancel::default();
        let request = self.unfinished.begin(method, uri, &cancel);
        let result = self.read_until(RequestThread::Pool, cancel, work).await;
        match request.is_some_and(|request| request.is_outdated()) {
            true => Err(Error::content_modified()),
            false => result,
        }
    }

    async fn read_until<T: Send + 'static>(
        &self,
        place: RequestThread,
        cancel: Cancel,
        work: impl FnOnce(&Asked<'_>) -> T + Send + 'static,
    ) -> Result<T> {
        let work: Work = Box::new(move |asked| Box::new(work(asked)));
        let answer = self.answer(place, cancel, work).await?;
        // The box contains the result of the closure above.
        answer.downcast::<T>().map(|answer| *answer).map_err(|_| fault())
    }

    /// Passes work to the session, and waits for its answer. It is not generic over the answer, so that it is
    /// compiled once and not for each request.
    async fn answer(&self, place: RequestThread, cancel: Cancel, work: Work) -> Result<Answer> {
        let (answer, answered) = oneshot::channel();
        let guard = CancelOnDrop(cancel.clone());
        let given_up = Arc::clone(&self.given_up);
        if place == RequestThread::OwnThread {
            traced::takes_long();
        }
        let span = Span::current();
        let (workers, abilities) = (self.workers.clone(), self.abilities.get().copied().unwrap_or_default());
        let needs_folders = place != RequestThread::Pool;
        let reader: ViewReader = Box::new(move |view| {
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
                // If the handler was dropped, no one waits for the answer.
                answer.send(result).ok();
            };
            match place {
                RequestThread::Pool | RequestThread::PoolAfterLoad => workers.answer(work),
                // If the thread cannot be started, the sender is dropped, and the request counts as cancelled.
                RequestThread::OwnThread => {
                    workers.start("nodewise-run", work).ok();
                }
            }
        });
        self.queue.send(Event::Read { needs_folders, reader });
        let result = answered.await.unwrap_or_else(|_| Err(Error::request_cancelled()));
        drop(guard);
        result
    }

    async fn content(&self, parameters: hover::ContentParams) -> Result<hover::HoverContent> {
        hover::content(&parameters)
    }

    /// `window/workDoneProgress/cancel`
    async fn stop(&self, parameters: WorkDoneProgressCancelParams) {
        self.runs.stop(&parameters.token);
    }

    async fn debug(&self, trial: debug::Trial) -> Result<Value> {
        if !self.is_debugged.load(Ordering::Relaxed) || !self.workers.has_threads() {
            return Err(Error::method_not_found());
        }
        let uri = trial.uri().to_owned();
        self.read_text(debug::METHOD, &uri, |asked| debug::debug(asked, trial)).await
    }

    /// `workspace/diagnostic`. Clients repeat this request as soon as they have an answer. So if there is no news,
    /// the server answers later, when there is some.
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
            // Always answer the first request, because the client has no results yet.
            let has_reported = self.has_reported_workspace.swap(true, Ordering::Relaxed);
            let is_first = !has_reported && parameters.previous_result_ids.is_empty();
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
