//! A circuit breaker: after failures in a row it is open and lets nothing through, after a while it lets one attempt
//! probe, and after enough successes it is closed again. Invariant: it changes only when it gets a result, or is asked
//! while open.

use crate::time::Millis;

/// When a breaker opens and closes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thresholds {
    /// Failures in a row that open it.
    pub failures: f64,
    /// Successes in a row that close it again.
    pub successes: f64,
    /// How long it stays open.
    pub cool_down: Millis,
}

/// A circuit breaker.
#[derive(Debug, Clone, Default)]
pub struct Breaker {
    position: Position,
    failures: f64,
    successes: f64,
    last_failure: Millis,
}

/// The state of a breaker.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Position {
    /// Everything goes through.
    #[default]
    Closed,
    /// Nothing goes through until the cool-down is over.
    Open,
    /// Attempts go through to test whether they succeed.
    HalfOpen,
}

impl Breaker {
    /// Whether an attempt may be made now.
    pub fn lets_through(&mut self, thresholds: &Thresholds, now: Millis) -> bool {
        if self.position == Position::Open {
            if now - self.last_failure < thresholds.cool_down {
                return false;
            }
            self.position = Position::HalfOpen;
            self.successes = 0.0;
        }
        true
    }

    /// Records how an attempt ended.
    pub fn note(&mut self, is_success: bool, thresholds: &Thresholds, now: Millis) {
        if is_success {
            self.successes += 1.0;
            self.failures = 0.0;
            if self.position == Position::HalfOpen && self.successes >= thresholds.successes {
                self.position = Position::Closed;
            }
            return;
        }
        self.failures += 1.0;
        self.successes = 0.0;
        self.last_failure = now;
        self.position = match self.position {
            Position::Closed if self.failures < thresholds.failures => Position::Closed,
            _ => Position::Open,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const THRESHOLDS: Thresholds = Thresholds { failures: 2.0, successes: 2.0, cool_down: Millis(10) };

    fn noted(results: &[bool]) -> Breaker {
        let mut breaker = Breaker::default();
        for is_success in results {
            breaker.note(*is_success, &THRESHOLDS, Millis(100));
        }
        breaker
    }

    #[test]
    fn failures_in_a_row_open_it_for_a_while() {
        assert!(noted(&[false, true, false]).lets_through(&THRESHOLDS, Millis(100)));
        assert!(!noted(&[false, false]).lets_through(&THRESHOLDS, Millis(109)));
        assert!(noted(&[false, false]).lets_through(&THRESHOLDS, Millis(110)));
    }

    #[test]
    fn a_probe_closes_it_or_opens_it_again() {
        let mut breaker = noted(&[false, false]);
        assert!(breaker.lets_through(&THRESHOLDS, Millis(110)));
        breaker.note(true, &THRESHOLDS, Millis(111));
        breaker.note(false, &THRESHOLDS, Millis(112));
        assert!(!breaker.lets_through(&THRESHOLDS, Millis(113)));
        assert!(breaker.lets_through(&THRESHOLDS, Millis(122)));
        breaker.note(true, &THRESHOLDS, Millis(123));
        breaker.note(true, &THRESHOLDS, Millis(124));
        breaker.note(false, &THRESHOLDS, Millis(125));
        assert!(breaker.lets_through(&THRESHOLDS, Millis(126)));
    }
}
