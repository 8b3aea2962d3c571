//! The states of a log at every so many events, and the positions of what happened in it.
//!
//! Input: a log, in parts from its beginning; output: the state after any event, spans of visits, questions and graphs.
//! Invariant: a state is the same as the fold of the log from its beginning.

use std::collections::BTreeSet;
use std::ops::Range;

use nodewise_engine::event::{AskId, Event, EventKind, ScopeId, VisitId};
use nodewise_engine::fold::States;
use nodewise_engine::usage::Usage;
use nodewise_expr::value::Value;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::recording::{LogIndex, is_seen, set};

/// The states are saved at this distance, so at most this many events are read again to get a state.
const EVENTS_BETWEEN: usize = 1024;

/// An index of a log: the states at regular distances, and the positions of visits, questions, graphs and writes.
#[derive(Debug, Clone, Default)]
pub struct LogMoments {
    /// The totals before each event whose position is a multiple of `EVENTS_BETWEEN`.
    saved: Vec<LogTotals>,
    tip: LogTotals,
    read: usize,
    who: LogIndex,
    visits: Vec<VisitSpan>,
    asks: Vec<AskSpan>,
    scopes: Vec<ScopeSpan>,
    writes: FxHashMap<(ScopeId, SmolStr), Vec<u32>>,
    seen: Vec<u32>,
}

/// An event of a log that is read again.
#[derive(Clone, Copy)]
pub struct LogStep<'l> {
    pub position: usize,
    pub event: &'l Event,
    /// For a write, the value that it replaced, or [`Value::Undefined`] if there was none.
    pub replaced: &'l Value,
    /// The states after it.
    pub states: &'l States,
}

/// What results from all events of a log so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct LogTotals {
    pub(crate) states: States,
    pub(crate) open: BTreeSet<VisitId>,
    answers: Usage,
    costs: f64,
}

/// The positions of a visit in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VisitSpan {
    pub begin: usize,
    /// Where it ends; `None` if it has not ended.
    pub end: Option<usize>,
    /// The run of a graph that it belongs to.
    pub scope: ScopeId,
}

/// The positions of a question and its answer in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskSpan {
    /// The visit that asks.
    pub visit: VisitId,
    pub asked: usize,
    /// Where it is answered; `None` if it is not.
    pub answered: Option<usize>,
}

/// The positions of a run of a graph in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScopeSpan {
    /// Where it begins for the first time.
    pub begin: usize,
    /// Where it last ended; `None` while it runs.
    pub end: Option<usize>,
    /// The visit that called it; `None` for the main graph.
    pub by: Option<VisitId>,
}

impl LogTotals {
    /// Applies one event.
    pub(crate) fn apply(&mut self, event: &Event) {
        match &event.kind {
            EventKind::Answered { answer, .. } => self.answers += answer.usage,
            EventKind::Spent { usage, .. } => self.costs += usage.cost_usd,
            EventKind::VisitStarted { visit, .. } => drop(self.open.insert(*visit)),
            EventKind::VisitEnded { visit, .. } => drop(self.open.remove(visit)),
            // The last state of the main graph is kept, because it is shown after the end.
            EventKind::GraphEnded { scope, .. } if *scope != ScopeId::default() => self.states.forget(*scope),
            _ => self.states.apply(event),
        }
    }

    /// What was used.
    pub(crate) fn spent(&self) -> Usage {
        Usage { cost_usd: self.costs.max(self.answers.cost_usd), ..self.answers }
    }
}

impl LogMoments {
    /// Reads a whole log.
    #[must_use]
    pub fn of(log: &[Event]) -> LogMoments {
        let mut moments = LogMoments::default();
        moments.extend(log, 0);
        moments
    }

    /// How many events were read.
    #[must_use]
    pub fn read(&self) -> usize {
        self.read
    }

    /// Reads the events that follow; the first one is at the position `from`.
    pub fn extend(&mut self, events: &[Event], from: usize) {
        debug_assert_eq!(from, self.read);
        for event in events {
            if self.read.is_multiple_of(EVENTS_BETWEEN) {
                self.saved.push(self.tip.clone());
            }
            self.tip.apply(event);
            self.who.apply(event);
            self.note(event, self.read);
            self.read += 1;
        }
    }

    fn note(&mut self, event: &Event, position: usize) {
        match &event.kind {
            EventKind::GraphStarted { scope, by, .. } => match self.scopes.get_mut(scope.0 as usize) {
                Some(known) => known.end = None,
                None => {
                    let span = ScopeSpan { begin: position, end: None, by: *by };
                    set(&mut self.scopes, scope.0, span, span);
                }
            },
            EventKind::GraphEnded { scope, .. } => {
                if let Some(span) = self.scopes.get_mut(scope.0 as usize) {
                    span.end = Some(position);
                }
            }
            EventKind::VisitStarted { visit, scope, .. } => {
                let span = VisitSpan { begin: position, end: None, scope: *scope };
                set(&mut self.visits, visit.0, span, span);
            }
            EventKind::VisitEnded { visit, .. } => {
                if let Some(span) = self.visits.get_mut(visit.0 as usize) {
                    span.end = Some(position);
                }
            }
            EventKind::Asked { ask, visit, .. } => {
                let span = AskSpan { visit: *visit, asked: position, answered: None };
                set(&mut self.asks, ask.0, span, span);
            }
            EventKind::Answered { ask, .. } => {
                if let Some(span) = self.asks.get_mut(ask.0 as usize) {
                    span.answered = Some(position);
                }
            }
            EventKind::Wrote { scope, key, .. } => {
                self.writes.entry((*scope, key.clone())).or_default().push(short(position));
            }
            kind if is_seen(kind) => self.seen.push(short(position)),
            _ => {}
        }
    }

    /// The totals before the event at a position.
    pub(crate) fn before(&self, log: &[Event], position: usize) -> LogTotals {
        let position = position.min(self.read);
        if position == self.read {
            return self.tip.clone();
        }
        let saved = position / EVENTS_BETWEEN;
        let mut totals = self.saved.get(saved).cloned().unwrap_or_default();
        let events = log.get(saved * EVENTS_BETWEEN..position).unwrap_or_default();
        events.iter().for_each(|event| totals.apply(event));
        totals
    }

    /// The states after the event at a position.
    #[must_use]
    pub fn states_after(&self, log: &[Event], position: usize) -> States {
        self.before(log, position + 1).states
    }

    /// The visits that are under way after the event at a position, in order.
    #[must_use]
    pub fn open_visits(&self, log: &[Event], position: usize) -> Vec<VisitId> {
        self.before(log, position + 1).open.into_iter().collect()
    }

    /// Reads a part of the log again, and calls `visit` with each event and the states after it.
    pub fn walk(&self, log: &[Event], part: Range<usize>, visit: &mut dyn FnMut(LogStep<'_>)) {
        let mut totals = self.before(log, part.start);
        let events = log.get(part.clone()).unwrap_or_default();
        for (position, event) in part.zip(events) {
            let replaced = match &event.kind {
                EventKind::Wrote { scope, key, .. } => {
                    totals.states.of(*scope).and_then(|state| state.get(key))
                }
                _ => None,
            };
            let replaced = replaced.cloned().unwrap_or(Value::Undefined);
            totals.apply(event);
            visit(LogStep { position, event, replaced: &replaced, states: &totals.states });
        }
    }

    /// The graphs and visits in what was read. Failures are known up to the last event.
    #[must_use]
    pub fn who(&self) -> &LogIndex {
        &self.who
    }

    /// The visits, in order.
    #[must_use]
    pub fn visits(&self) -> &[VisitSpan] {
        &self.visits
    }

    /// The questions, in order.
    #[must_use]
    pub fn asks(&self) -> &[AskSpan] {
        &self.asks
    }

    /// The positions of a visit.
    #[must_use]
    pub fn visit(&self, visit: VisitId) -> Option<&VisitSpan> {
        self.visits.get(visit.0 as usize)
    }

    /// The positions of a question.
    #[must_use]
    pub fn ask(&self, ask: AskId) -> Option<&AskSpan> {
        self.asks.get(ask.0 as usize)
    }

    /// The positions of a run of a graph.
    #[must_use]
    pub fn scope(&self, scope: ScopeId) -> Option<&ScopeSpan> {
        self.scopes.get(scope.0 as usize)
    }

    /// The class of a visit's failure, if the visit ended at or before a position.
    #[must_use]
    pub fn error_at(&self, visit: VisitId, position: usize) -> Option<&SmolStr> {
        self.visit(visit)?.end.filter(|end| *end <= position)?;
        self.who.visit(visit)?.error.as_ref()
    }

    /// What conditions see after the event at a position, if the system itself reports that.
    #[must_use]
    pub fn seen_at<'l>(&self, log: &'l [Event], position: usize) -> Option<&'l Value> {
        let count = self.seen.partition_point(|at| *at as usize <= position);
        let at = *self.seen.get(count.checked_sub(1)?)?;
        match &log.get(at as usize)?.kind {
            EventKind::Native { detail, .. } => Some(detail),
            _ => None,
        }
    }

    /// The last event up to a position that wrote a key.
    #[must_use]
    pub fn writer(&self, scope: ScopeId, key: &SmolStr, position: usize) -> Option<usize> {
        let writes = self.writes.get(&(scope, key.clone()))?;
        let count = writes.partition_point(|at| *at as usize <= position);
        writes.get(count.checked_sub(1)?).map(|at| *at as usize)
    }
}

/// A position in 32 bits. Logs are limited to far fewer events.
fn short(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}
