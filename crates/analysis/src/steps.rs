//! The time of a rule or a search, counted in steps. Input: steps that are taken. Output: whether any are left. Invariant: the same question and the
//! same files take the same steps.

use std::cell::Cell;

/// A limit for the number of steps of a search.
#[derive(Debug)]
pub(crate) struct StepBudget {
    left: Cell<u32>,
}

impl StepBudget {
    pub(crate) fn new(count: u32) -> StepBudget {
        StepBudget { left: Cell::new(count) }
    }

    /// Uses up one step. Returns `false` if none is left.
    pub(crate) fn take(&self) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left > 0
    }

    /// Whether all steps are used up.
    pub(crate) fn is_out(&self) -> bool {
        self.left.get() == 0
    }
}
