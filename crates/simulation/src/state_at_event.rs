//! How a run stands after one of its events: the states of its graphs, and what the event changed.
//!
//! Input: a log with its moments, and the position of an event; output: states. Invariant: they are the fold of the log up to
//! the event, so that stepping forward and back gives the same.

use std::sync::Arc;

use nodewise_engine::event::{Event, EventKind, ScopeId, VisitId};
use nodewise_engine::time::Millis;
use nodewise_engine::usage::Usage;
use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

use crate::log_moments::LogMoments;
use crate::recording::LogIndex;

/// The state of a run after an event.
#[derive(Debug, Clone)]
pub struct StateAtEvent {
    /// The virtual time.
    pub at: Millis,
    /// The visit that the event is about.
    pub visit: Option<VisitId>,
    /// The graphs that run, the main one first.
    pub graphs: Vec<GraphState>,
    /// What the event changed.
    pub changes: Vec<StateChange>,
    /// What was used so far.
    pub spent: Usage,
}

/// The state of a graph that runs.
#[derive(Debug, Clone)]
pub struct GraphState {
    /// The run of the graph that has this state.
    pub scope: ScopeId,
    /// The graph's id.
    pub graph: SmolStr,
    /// How many graphs it is nested in.
    pub depth: u32,
    pub state: Arc<Map>,
}

/// A key that got another value.
#[derive(Debug, Clone, PartialEq)]
pub struct StateChange {
    /// The run of the graph whose state changed.
    pub scope: ScopeId,
    pub key: SmolStr,
    /// The value before, or [`Value::Undefined`] if there was none.
    pub before: Value,
    /// The value after, or [`Value::Undefined`] if it was removed.
    pub after: Value,
}

/// The state of a run after the event at a position of its log. `None` past its end.
#[must_use]
pub fn state_at_event(log: &[Event], moments: &LogMoments, position: usize) -> Option<StateAtEvent> {
    let last = log.get(position)?;
    let mut totals = moments.before(log, position);
    let changes = match &last.kind {
        EventKind::Wrote { scope, key, value, .. } => {
            let before = totals.states.of(*scope).and_then(|state| state.get(key)).cloned();
            let before = before.unwrap_or(Value::Undefined);
            vec![StateChange { scope: *scope, key: key.clone(), before, after: value.clone() }]
        }
        _ => Vec::new(),
    };
    totals.apply(last);
    let graphs = totals.states.scopes().filter_map(|scope| {
        let running = moments.who().scope(scope)?;
        let state = Arc::clone(totals.states.of(scope)?);
        Some(GraphState { scope, graph: running.graph.clone(), depth: running.depth, state })
    });
    let graphs = graphs.collect();
    let visit = visit_of(moments.who(), &last.kind);
    Some(StateAtEvent { at: last.at, visit, graphs, changes, spent: totals.spent() })
}

/// The visit that an event is about.
#[must_use]
pub fn visit_of(who: &LogIndex, event: &EventKind) -> Option<VisitId> {
    match event {
        EventKind::Answered { ask, .. } => who.asker(*ask),
        event => named_visit(event),
    }
}

fn named_visit(event: &EventKind) -> Option<VisitId> {
    match event {
        EventKind::VisitStarted { visit, .. }
        | EventKind::Retried { visit, .. }
        | EventKind::TriedAgain { visit, .. }
        | EventKind::Asked { visit, .. }
        | EventKind::Wrote { visit: Some(visit), .. }
        | EventKind::Dropped { visit, .. }
        | EventKind::EdgeJudged { visit, .. }
        | EventKind::HandedOver { visit, .. }
        | EventKind::Spent { visit, .. }
        | EventKind::VisitEnded { visit, .. }
        | EventKind::Paused { visit, .. } => Some(*visit),
        _ => None,
    }
}
