//! Whether an answer is still wanted. In: the word of the caller; out: the same, where long reads look. Invariant: a
//! read that nobody wants any more may end anywhere; what it gives back then is for nobody.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether an answer is still wanted; clones are about the same answer.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Says that nobody wants the answer any more.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether nobody wants the answer any more.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
