//! Whether an answer is still wanted. In: the word of the caller; out: the same, where long reads look. Invariant: a
//! read that nobody wants any more may end anywhere; what it gives back then is for nobody.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that says whether an answer is still wanted. Clones share the flag.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Tells all holders of a clone that the answer is no longer wanted.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the answer is no longer wanted.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
