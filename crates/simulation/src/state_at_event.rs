//! How a run stands after one of its events: the states of its graphs, and what the event changed.
//!
//! Input: a recording and the position of an event; output: states. Invariant: they are the fold of the log up to the
//! event, so that stepping forward and back gives the same.

use std::collections::BTreeSet;
use std::sync::Arc;

use nodewise_engine::event::{EventKind, ScopeId, VisitId};
use nodewise_engine::fold::States;
use nodewise_engine::time::Millis;
use nodewise_engine::usage::Usage;
use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

use crate::recording::{LogIndex, Recording, used};

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
    /// Which run of a graph.
    pub scope: ScopeId,
    /// The graph's id.
    pub graph: SmolStr,
    /// How many graphs run around it.
    pub depth: u32,
    /// Its state.
    pub state: Arc<Map>,
}

/// A key that got another value.
#[derive(Debug, Clone, PartialEq)]
pub struct StateChange {
    /// Whose state.
    pub scope: ScopeId,
    /// The key.
    pub key: SmolStr,
    /// The value before, [`Value::Undefined`] where there was none.
    pub before: Value,
    /// The value after, [`Value::Undefined`] where there is none any more.
    pub after: Value,
}

/// How a run stands after the event at a position of its log; nothing past its end.
#[must_use]
pub fn state_at_event(recording: &Recording, position: usize) -> Option<StateAtEvent> {
    let until = recording.events.get(..=position)?;
    let (last, before) = until.split_last()?;
    let (mut cast, mut states) = (LogIndex::default(), States::default());
    let mut scopes = BTreeSet::new();
    for event in before.iter().chain([last]) {
        cast.apply(event);
        match &event.kind {
            EventKind::GraphStarted { scope, .. } => {
                scopes.insert(*scope);
            }
            // The state in which the main graph ended stays of interest.
            EventKind::GraphEnded { scope, .. } if *scope != ScopeId::default() => {
                scopes.remove(scope);
            }
            _ => {}
        }
    }
    before.iter().for_each(|event| states.apply(event));
    let changes = match &last.kind {
        EventKind::Wrote { scope, key, value, .. } => {
            let before = states.of(*scope).and_then(|state| state.get(key)).cloned();
            let before = before.unwrap_or(Value::Undefined);
            vec![StateChange { scope: *scope, key: key.clone(), before, after: value.clone() }]
        }
        _ => Vec::new(),
    };
    states.apply(last);
    let graphs = scopes.into_iter().filter_map(|scope| {
        let running = cast.scope(scope)?;
        let state = Arc::clone(states.of(scope)?);
        Some(GraphState { scope, graph: running.graph.clone(), depth: running.depth, state })
    });
    let visit = visit_of(&last.kind).or_else(|| match &last.kind {
        EventKind::Answered { ask, .. } => cast.asker(*ask),
        _ => None,
    });
    Some(StateAtEvent { at: last.at, visit, graphs: graphs.collect(), changes, spent: used(until) })
}

fn visit_of(event: &EventKind) -> Option<VisitId> {
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
