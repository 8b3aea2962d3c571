//! The time of a run, which follows the clock.
//!
//! Input: the clock; output: the time of the run. Invariant: it stands while the run is held.

use std::time::Instant;

use nodewise_engine::time::Millis;

/// The time of a run, which advances with the clock from a moment on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    began: Instant,
    at: Millis,
}

impl Clock {
    pub(super) fn from(at: Millis) -> Clock {
        Clock { began: Instant::now(), at }
    }

    /// Excludes the time since a moment, in which the run was held.
    pub(super) fn leave_out(&mut self, since: Instant) {
        self.began += since.elapsed();
    }

    pub(super) fn now(&self) -> Millis {
        self.at + Millis(u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX))
    }
}
