//! The session's thread, and its queue of events.
//!
//! Input: events from any thread. Output: a session that handled them in order. Invariant: edits that wait together are
//! checked together. A panic in one event does not end the session.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use tracing::{Span, debug_span};

use crate::editor::{Editor, Level};
use crate::publish::Publisher;

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

    /// Starts a session on a separate thread.
    pub(crate) fn start(&self, events: Receiver<Queued>, editor: Arc<dyn Editor>) -> std::io::Result<()> {
        let publisher = Arc::new(Publisher::default());
        let (sending, shown) = (Arc::clone(&publisher), Arc::clone(&editor));
        thread("nodewise-publish", move || sending.run(&*shown))?;
        let session = Session::new(Arc::clone(&editor), publisher, self.clone());
        thread("nodewise-session", move || run(session, &events, &*editor))
    }

    /// Appends an event. If the session has ended, the event is dropped.
    pub(crate) fn send(&self, event: Event) {
        self.events.send((Span::current(), event)).ok();
    }
}

fn run(mut session: Session, events: &Receiver<Queued>, editor: &dyn Editor) {
    while let Ok(first) = events.recv() {
        let mut next = Some(first);
        while let Some((span, event)) = next {
            guarded(editor, || span.in_scope(|| session.handle(event)));
            next = events.try_recv().ok();
        }
        guarded(editor, || debug_span!("settle").in_scope(|| session.settle()));
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
