//! The logs of live runs that a client follows, while the runs continue.
//!
//! Input: events, as they come. Output: the state after any of them. Invariant: a log is kept until its run ends, and the
//! number of events is limited.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use nodewise_engine::event::Event;
use nodewise_simulation::log_moments::LogMoments;
use nodewise_simulation::state_at_event::{StateAtEvent, state_at_event};

use super::EVENTS_MAX;

/// The logs, by the clients' names for the runs.
#[derive(Debug, Default)]
pub(crate) struct GrowingLogs(Mutex<BTreeMap<String, GrowingLog>>);

#[derive(Debug, Default)]
struct GrowingLog {
    events: Vec<Event>,
    moments: LogMoments,
}

impl GrowingLogs {
    /// Adds what happened next in a run.
    pub(crate) fn extend(&self, name: &str, events: &[Event]) {
        let mut logs = self.lock();
        let log = logs.entry(name.to_owned()).or_default();
        if log.events.len() + events.len() <= EVENTS_MAX {
            log.moments.extend(events, log.events.len());
            log.events.extend_from_slice(events);
        }
    }

    /// Removes the log of a run that has ended.
    pub(crate) fn end(&self, name: &str) {
        self.lock().remove(name);
    }

    /// The state of a run after the event at a position, and the number of its events so far.
    pub(crate) fn state_at(&self, name: &str, position: usize) -> Option<(StateAtEvent, usize)> {
        let logs = self.lock();
        let log = logs.get(name)?;
        Some((state_at_event(&log.events, &log.moments, position)?, log.events.len()))
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, GrowingLog>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use nodewise_engine::event::{EventKind, ScopeId};
    use nodewise_engine::time::Millis;
    use nodewise_expr::value::Value;

    use super::*;

    fn wrote(value: f64) -> Event {
        let kind = EventKind::Wrote {
            scope: ScopeId::default(),
            visit: None,
            key: "total".into(),
            value: Value::Number(value),
        };
        Event { at: Millis::ZERO, kind }
    }

    #[test]
    fn a_state_is_known_as_soon_as_its_event_until_the_run_ends() {
        let logs = GrowingLogs::default();
        let changed = |position| {
            let (standing, events) = logs.state_at("panel-1", position)?;
            Some((standing.changes.first()?.after.clone(), events))
        };
        assert_eq!(changed(0), None);
        logs.extend("panel-1", &[wrote(1.0)]);
        assert_eq!((changed(0), changed(1)), (Some((Value::Number(1.0), 1)), None));
        logs.extend("panel-1", &[wrote(2.0), wrote(3.0)]);
        assert_eq!(changed(2), Some((Value::Number(3.0), 3)));
        assert_eq!(changed(0), Some((Value::Number(1.0), 3)));
        logs.end("panel-1");
        assert_eq!(changed(0), None);
    }
}
