//! The session's queue of events, and the thread that handles them.
//!
//! Input: events from any thread. Output: a session that handled them in order. Invariant: edits that wait together are
//! checked together. A panic in one event does not end the session.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use tracing::{Span, debug_span};

use crate::disk::Disk;
use crate::editor::{Editor, Level};
use crate::publish::{Publisher, Sent};
use crate::workers::Workers;

use super::{Event, Session};

/// The sending side of the queue.
#[derive(Debug, Clone)]
pub(crate) struct Queue {
    events: Sender<Queued>,
}

/// An event with its span, which ends when the event has been handled.
pub(crate) type Queued = (Span, Event);

impl Queue {
    /// A queue: its sending side, and its receiver.
    pub(crate) fn new() -> (Queue, Receiver<Queued>) {
        let (sender, events) = channel();
        (Queue { events: sender }, events)
    }

    /// A session that handles the events.
    pub(crate) fn session(
        &self,
        events: Receiver<Queued>,
        editor: Arc<dyn Editor>,
        workers: Workers,
        disk: Disk,
    ) -> SessionWorker {
        let publisher = Arc::new(Publisher::new(workers.has_threads()));
        let session = Session::new(Arc::clone(&editor), Arc::clone(&publisher), self.clone(), workers, disk);
        SessionWorker { session, events, editor, publisher }
    }

    /// Appends an event. If the session has ended, the event is dropped.
    pub(crate) fn send(&self, event: Event) {
        self.events.send((Span::current(), event)).ok();
    }
}

/// A session, its events, and what sends its diagnostics.
pub(crate) struct SessionWorker {
    session: Session,
    events: Receiver<Queued>,
    editor: Arc<dyn Editor>,
    publisher: Arc<Publisher>,
}

impl SessionWorker {
    /// Handles events as they arrive, and sends diagnostics, on separate threads.
    pub(crate) fn start(mut self) -> std::io::Result<()> {
        let (sending, shown) = (Arc::clone(&self.publisher), Arc::clone(&self.editor));
        thread("nodewise-publish", move || sending.run(&*shown))?;
        thread("nodewise-session", move || {
            while let Ok(first) = self.events.recv() {
                self.handle(first);
            }
        })
    }

    /// Handles the events that wait. Returns whether there was one.
    pub(crate) fn handle_waiting(&mut self) -> bool {
        let first = self.events.try_recv();
        first.is_ok_and(|first| {
            self.handle(first);
            true
        })
    }

    /// Sends the diagnostics that are not sent yet.
    pub(crate) fn publish_waiting(&self, sent: &mut Sent) {
        self.publisher.run_waiting(&*self.editor, sent);
    }

    /// Handles an event, and those that wait behind it.
    fn handle(&mut self, first: Queued) {
        let mut next = Some(first);
        let session = &mut self.session;
        while let Some((span, event)) = next {
            guarded(&*self.editor, || span.in_scope(|| session.handle(event)));
            next = self.events.try_recv().ok();
        }
        guarded(&*self.editor, || debug_span!("settle").in_scope(|| session.settle()));
    }
}

/// Writes a panic to the log.
fn guarded(editor: &dyn Editor, work: impl FnOnce()) {
    if catch_unwind(AssertUnwindSafe(work)).is_err() {
        editor.log(Level::Error, "a bug in nodewise: an event was lost; please report it".to_owned());
    }
}

fn thread(name: &str, work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    std::thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}
