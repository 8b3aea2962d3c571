//! A run that failed or was stopped, continued from its last good point.
//!
//! Input: a stored run that has ended, limits that shall count from now on. Output: how many of its events still count. Invariant:
//! the run asks something behind that point, so it does not end in the same way again without another answer.

use anyhow::Result;
use nodewise_engine::kernel::Step;
use nodewise_model::scenario::RunLimits;
use nodewise_simulation::run::Run;
use serde_json::Value as Json;

use crate::driver::Past;
use crate::restore::RestoredRun;
use crate::store::Stored;

/// How many failed answers are tried, beginning with the last one.
const TRIES: usize = 100;

/// How many events still count when a run that has ended is continued. `None` if the run would only end in the same way again.
///
/// # Errors
/// Where this version cannot read the run.
pub fn good_point(stored: &Stored, limits: &RunLimits) -> Result<Option<usize>> {
    let events = stored.events();
    let mut restored = RestoredRun::of(stored)?;
    restored.scenario.limits.replace_by(limits);
    let is_failure = |event: &&Json| event.get("event").and_then(Json::as_str) == Some("answered");
    let failed = events.iter().enumerate().rev();
    let failed = failed.filter(|(_, event)| is_failure(event) && event.pointer("/answer/failure").is_some());
    let candidates = std::iter::once(events.len()).chain(failed.map(|(position, _)| position));
    for keep in candidates.take(TRIES) {
        let kept = events.get(..keep).unwrap_or_default();
        let past = Past::read(stored.new.seed, kept)?.accepting(true);
        // Later events followed from the failure and may not happen again, so this point cannot be used.
        let Ok(run) = past.end(restored.run()?) else { continue };
        if asks_on(run) {
            return Ok(Some(keep));
        }
    }
    Ok(None)
}

/// Whether a run asks something, or waits, before it ends.
fn asks_on(mut run: Run) -> bool {
    loop {
        match run.step() {
            Step::Went => {}
            Step::Asked(..) | Step::Paused(_) | Step::Blocked => return true,
            Step::Ended(_) => return false,
        }
    }
}
