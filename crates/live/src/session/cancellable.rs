//! An observer whose run another process may cancel.
//!
//! Input: what happens in the run, the file of the request. Output: the same for the observer, and whether to stop. Invariant: the
//! request is looked for at most every 100 ms.

use std::cell::Cell;
use std::time::{Duration, Instant};

use nodewise_engine::ask::{Answer, Ask};
use nodewise_engine::event::{AskId, Event};

use crate::driver::Observer;
use crate::store::CancelRequest;

/// Wraps an observer, and also stops the run if another process asked to cancel it.
pub(super) struct Cancellable<'o> {
    observer: &'o mut dyn Observer,
    request: CancelRequest,
    /// When the request was last checked, and whether it existed.
    looked: Cell<(Instant, bool)>,
}

/// The shortest time between two checks for a request.
const LOOK: Duration = Duration::from_millis(100);

impl<'o> Cancellable<'o> {
    pub(super) fn new(observer: &'o mut dyn Observer, request: CancelRequest) -> Cancellable<'o> {
        Cancellable { observer, request, looked: Cell::new((Instant::now(), false)) }
    }

    fn is_cancelled(&self) -> bool {
        let (at, is_made) = self.looked.get();
        if is_made || at.elapsed() < LOOK {
            return is_made;
        }
        self.looked.set((Instant::now(), self.request.is_made()));
        self.looked.get().1
    }
}

impl Observer for Cancellable<'_> {
    fn happened_before(&mut self, events: &[Event]) {
        self.observer.happened_before(events);
    }

    fn happened(&mut self, events: &[Event]) {
        self.observer.happened(events);
    }

    fn repeated(&mut self, ask: AskId, what: &Ask, before: u32) {
        self.observer.repeated(ask, what, before);
    }

    fn is_stopped(&self) -> bool {
        self.observer.is_stopped() || self.is_cancelled()
    }

    fn holds(&self) -> bool {
        self.observer.holds()
    }

    fn hold(&mut self, asking: &[AskId]) -> Vec<(AskId, Answer)> {
        self.observer.hold(asking)
    }
}
