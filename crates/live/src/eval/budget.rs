//! What an eval may cost.
//!
//! Input: what calls cost as they are answered. Output: whether another run may begin, and whether those under way must stop.
//! Invariant: no run begins that would exceed the limit if it cost as much as the most expensive one so far.

use std::sync::{Mutex, PoisonError};

/// How much an eval has cost, and how much it may cost.
#[derive(Debug)]
pub(super) struct Budget {
    limit_usd: f64,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    spent_usd: f64,
    dearest_usd: f64,
    under_way: usize,
}

impl Budget {
    pub(super) fn new(limit_usd: Option<f64>) -> Budget {
        Budget { limit_usd: limit_usd.unwrap_or(f64::INFINITY), state: Mutex::default() }
    }

    /// Begins a run, unless its cost could exceed the limit. It is assumed to cost as much as the most expensive run so far.
    pub(super) fn begins(&self) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        // Each run under way may still cost as much as the most expensive one, even if a part of it is paid already.
        let others = (state.under_way + 1) as f64 * state.dearest_usd;
        let may = state.spent_usd < self.limit_usd && state.spent_usd + others <= self.limit_usd;
        if may {
            state.under_way += 1;
        }
        may
    }

    /// Adds a cost, in US dollars.
    pub(super) fn pay(&self, usd: f64) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).spent_usd += usd;
    }

    /// Ends a run that cost this much in all.
    pub(super) fn ends(&self, usd: f64) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.dearest_usd = state.dearest_usd.max(usd);
        state.under_way = state.under_way.saturating_sub(1);
    }

    /// Whether the limit is reached.
    pub(super) fn is_over(&self) -> bool {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).spent_usd >= self.limit_usd
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_run_begins_that_may_exceed_the_limit() {
        let budget = Budget::new(Some(1.0));
        assert!(budget.begins());
        budget.pay(0.4);
        budget.ends(0.4);
        assert!(budget.begins(), "0.4 and 0.4 are less than 1");
        assert!(!budget.begins(), "a second one at once may exceed 1");
        budget.pay(0.4);
        budget.ends(0.4);
        assert!(!budget.begins(), "a third one may exceed 1");
        assert!(!budget.is_over());
        budget.pay(0.2);
        assert!(budget.is_over());
        assert!(Budget::new(None).begins());
    }
}
