//! The time of a rule, counted in steps. Input: steps that are taken. Output: whether any are left. Invariant: the same rule and the
//! same files take the same steps.

use std::cell::Cell;

/// The steps that are left to a rule.
#[derive(Debug)]
pub(super) struct StepBudget {
    left: Cell<u32>,
}

impl StepBudget {
    pub(super) fn new(count: u32) -> StepBudget {
        StepBudget { left: Cell::new(count) }
    }

    /// Takes a step; `false` when none is left.
    pub(super) fn take(&self) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left > 0
    }

    /// Whether all were taken.
    pub(super) fn is_out(&self) -> bool {
        self.left.get() == 0
    }
}
