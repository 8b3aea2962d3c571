//! When a failed call of a model is repeated. In: why a call failed; out: how long to wait before the next one, or that it is for
//! the node to decide. Invariant: a wait that the provider names is never cut short.

use std::time::Duration;

use nodewise_engine::event::AskId;
use nodewise_project::config::live::{Live, RETRIES};
use nodewise_simulation::system::RunnableSystem;

use super::call_failure::{CallFailure, Sort};
use crate::store::hash;
use crate::systems;

/// When failed calls of models are repeated.
#[derive(Debug, Clone, Copy)]
pub(super) struct RetryPolicy {
    most: u32,
    /// Whether calls are also repeated if the provider does not say how long to wait.
    backs_off: bool,
}

/// The retries of one answer so far.
#[derive(Debug)]
pub(super) struct Retries {
    policy: RetryPolicy,
    id: AskId,
    made: u32,
    waited: Duration,
}

/// The first wait, which doubles each time, and the longest wait. The providers' client libraries use the same.
const FIRST_WAIT: Duration = Duration::from_millis(500);
const LONGEST_WAIT: Duration = Duration::from_secs(8);
/// The longest time that one answer may wait in all.
const LONGEST_TOTAL: Duration = Duration::from_secs(60);

impl RetryPolicy {
    pub(super) fn new(live: &Live, system: RunnableSystem) -> RetryPolicy {
        // If the engine repeats calls itself, retries here would multiply them: three calls of the engine with three of ours
        // each.
        let backs_off = !systems::of(system).repeats_model_calls();
        RetryPolicy { most: live.retries.unwrap_or(RETRIES), backs_off }
    }
}

impl Retries {
    pub(super) fn new(policy: RetryPolicy, id: AskId) -> Retries {
        Retries { policy, id, made: 0, waited: Duration::ZERO }
    }

    /// How long to wait before the call is repeated; `None` if it is not repeated.
    pub(super) fn wait_after(&mut self, call_failure: &CallFailure) -> Option<Duration> {
        if call_failure.is_lasting || self.made >= self.policy.most {
            return None;
        }
        let own = || (self.policy.backs_off && may_pass_soon(call_failure.sort)).then(|| self.back_off());
        let wait = call_failure.wait.or_else(own).filter(|wait| self.waited + *wait <= LONGEST_TOTAL)?;
        self.made += 1;
        self.waited += wait;
        Some(wait)
    }

    /// The next wait. It is shortened by up to a quarter, differently for each question, so that calls that failed together are
    /// not repeated together.
    fn back_off(&self) -> Duration {
        let wait = FIRST_WAIT.saturating_mul(2_u32.saturating_pow(self.made)).min(LONGEST_WAIT);
        let part = hash(&[&self.id.0.to_le_bytes(), &self.made.to_le_bytes()]) % 256;
        wait - wait.mul_f64(part as f64 / 1024.0)
    }
}

/// Whether the providers' client libraries repeat such a failure. A timeout is not repeated, because it would take as long again.
fn may_pass_soon(sort: Sort) -> bool {
    matches!(sort, Sort::Connection | Sort::Status(408 | 409 | 425 | 429 | 500..))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The waits after one failure again and again, in milliseconds.
    #[track_caller]
    fn check_waits(most: u32, backs_off: bool, call_failure: &CallFailure, expected: &[u128]) {
        let mut retries = Retries::new(RetryPolicy { most, backs_off }, AskId(7));
        let waits: Vec<u128> =
            std::iter::from_fn(|| retries.wait_after(call_failure)).map(|wait| wait.as_millis()).collect();
        assert_eq!(waits, expected, "{call_failure:?}");
    }

    fn after(seconds: u64) -> CallFailure {
        CallFailure {
            wait: Some(Duration::from_secs(seconds)),
            ..CallFailure::passing(Sort::Status(429), "answered 429")
        }
    }

    #[test]
    fn waits_double() {
        let down = CallFailure::passing(Sort::Connection, "cannot be reached");
        check_waits(2, true, &down, &[418, 850]);
        check_waits(7, true, &down, &[418, 850, 1753, 3046, 7093, 7093, 6523]);
        check_waits(0, true, &down, &[]);
        check_waits(2, false, &down, &[]);
    }

    #[test]
    fn what_a_provider_says_counts() {
        check_waits(2, true, &after(20), &[20_000, 20_000]);
        check_waits(2, false, &after(20), &[20_000, 20_000]);
        check_waits(2, true, &after(40), &[40_000]);
        check_waits(2, true, &after(61), &[]);
        check_waits(0, true, &after(1), &[]);
    }

    #[test]
    fn what_does_not_pass_is_not_repeated() {
        check_waits(2, true, &CallFailure { is_lasting: true, ..after(1) }, &[]);
        check_waits(2, true, &CallFailure::passing(Sort::Timeout, "took too long"), &[]);
        check_waits(2, true, &CallFailure::malformed("sent no JSON"), &[]);
    }
}
