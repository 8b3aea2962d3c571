//! The session's queue of events, and who handles them.
//!
//! Input: events from any thread. Output: a session that handled them in order. Invariant: edits that wait together are
//! checked together. A panic in one event does not end the session. A thread that has the lock handles all events that
//! wait, so a request can be answered without the session's thread.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, TrySendError, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tracing::{Span, debug_span};

use crate::disk::Disk;
use crate::editor::{Editor, Level};
use crate::publish::{Publisher, Sent};
use crate::view::View;
use crate::workers::Workers;

use super::{Event, Session};

/// The sending side of the queue.
#[derive(Debug, Clone)]
pub(crate) struct Queue {
    events: Sender<Queued>,
    /// Wakes the session's thread. One signal is enough for all events that wait.
    signal: SyncSender<()>,
    load: Arc<Load>,
}

/// The receiving side of the queue.
#[derive(Debug)]
pub(crate) struct Arrivals {
    events: Receiver<Queued>,
    signals: Receiver<()>,
    load: Arc<Load>,
}

/// An event with its span, which ends when the event has been handled.
pub(crate) type Queued = (Span, Event);

/// Whether the session may be busy for long.
#[derive(Debug, Default)]
struct Load {
    /// The number of events that wait or are handled, without those that take less than a millisecond.
    slow_events: AtomicUsize,
    /// Whether an open document is so large that an edit takes milliseconds.
    has_large: AtomicBool,
}

impl Queue {
    /// A queue: its sending side, and its receiving side.
    pub(crate) fn new() -> (Queue, Arrivals) {
        let ((sender, events), (signal, signals)) = (channel(), sync_channel(1));
        let load = Arc::new(Load::default());
        (Queue { events: sender, signal, load: Arc::clone(&load) }, Arrivals { events, signals, load })
    }

    /// A session that handles the events.
    pub(crate) fn session(
        &self,
        arrivals: Arrivals,
        editor: Arc<dyn Editor>,
        workers: Workers,
        disk: Disk,
    ) -> SessionWorker {
        let publisher = Arc::new(Publisher::new(workers.has_threads()));
        let session = Session::new(Arc::clone(&editor), Arc::clone(&publisher), self.clone(), workers, disk);
        let Arrivals { events, signals, load } = arrivals;
        let handler = Handler { session, events, editor, load: Arc::clone(&load) };
        let shared = SharedSession { handler: Arc::new(Mutex::new(handler)), load };
        SessionWorker { shared, signals, publisher }
    }

    /// Appends an event. If the session has ended, the event is dropped.
    pub(crate) fn send(&self, event: Event) {
        if is_slow(&event) {
            self.load.slow_events.fetch_add(1, Ordering::SeqCst);
        }
        self.events.send((Span::current(), event)).ok();
        if let Err(TrySendError::Disconnected(())) = self.signal.try_send(()) {
            tracing::debug!("an event after the end of the session");
        }
    }
}

/// Whether an event may take more than a millisecond in a project of any size.
fn is_slow(event: &Event) -> bool {
    !matches!(event, Event::Edit { .. } | Event::Read { .. })
}

/// A session, its events, and what sends its diagnostics.
pub(crate) struct SessionWorker {
    shared: SharedSession,
    signals: Receiver<()>,
    publisher: Arc<Publisher>,
}

/// A session that several threads use.
#[derive(Clone)]
pub(crate) struct SharedSession {
    handler: Arc<Mutex<Handler>>,
    load: Arc<Load>,
}

/// A session, and its events.
struct Handler {
    session: Session,
    events: Receiver<Queued>,
    editor: Arc<dyn Editor>,
    load: Arc<Load>,
}

impl SessionWorker {
    /// The session, for threads that read it at once.
    pub(crate) fn shared(&self) -> SharedSession {
        self.shared.clone()
    }

    /// Handles events as they arrive, and sends diagnostics, on separate threads.
    pub(crate) fn start(self) -> std::io::Result<()> {
        let (sending, shown) = (Arc::clone(&self.publisher), Arc::clone(&self.shared.lock().editor));
        thread("nodewise-publish", move || sending.run(&*shown))?;
        thread("nodewise-session", move || {
            while self.signals.recv().is_ok() {
                self.shared.lock().handle_waiting();
            }
        })
    }

    /// Handles the events that wait. Returns whether there was one.
    pub(crate) fn handle_waiting(&mut self) -> bool {
        self.shared.lock().handle_waiting()
    }

    /// Sends the diagnostics that are not sent yet.
    pub(crate) fn publish_waiting(&self, sent: &mut Sent) {
        let editor = Arc::clone(&self.shared.lock().editor);
        self.publisher.run_waiting(&*editor, sent);
    }
}

impl SharedSession {
    /// The view after all events that arrived so far, handled on this thread. `None` if that could take more than a few
    /// milliseconds.
    pub(crate) fn view_now(&self) -> Option<Arc<View>> {
        let is_slow =
            || self.load.slow_events.load(Ordering::SeqCst) > 0 || self.load.has_large.load(Ordering::SeqCst);
        if is_slow() {
            return None;
        }
        let mut handler = self.lock();
        handler.handle_waiting();
        Some(Arc::clone(&handler.session.current))
    }

    fn lock(&self) -> MutexGuard<'_, Handler> {
        self.handler.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for SharedSession {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("SharedSession").field("load", &self.load).finish_non_exhaustive()
    }
}

impl Handler {
    /// Handles the events that wait. Returns whether there was one.
    fn handle_waiting(&mut self) -> bool {
        let (mut slow, mut is_any) = (0, false);
        while let Ok((span, event)) = self.events.try_recv() {
            is_any = true;
            slow += usize::from(is_slow(&event));
            guarded(&*self.editor, || span.in_scope(|| self.session.handle(event)));
        }
        if is_any {
            // Once for all events, so that edits that wait together are checked together.
            guarded(&*self.editor, || debug_span!("settle").in_scope(|| self.session.settle()));
            self.load.has_large.store(self.session.has_large_document(), Ordering::SeqCst);
            self.load.slow_events.fetch_sub(slow, Ordering::SeqCst);
        }
        is_any
    }
}

/// Does some work. If it panics, writes that to the log.
fn guarded(editor: &dyn Editor, work: impl FnOnce()) {
    if catch_unwind(AssertUnwindSafe(work)).is_err() {
        editor.log(Level::Error, "a bug in nodewise: an event was lost; please report it".to_owned());
    }
}

fn thread(name: &str, work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    std::thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}
