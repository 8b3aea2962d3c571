//! In what a condition would be evaluated that stands behind a node: the state after the node's last visit in a run.
//!
//! Input: a run and a node; output: circumstances for the evaluation. Invariant: they are those in which the engine decided
//! the node's own edges.

use nodewise_engine::event::EventKind;
use nodewise_expr::language::Circumstances;
use nodewise_expr::value::Map;

use crate::explain::circumstances;
use crate::log_moments::LogMoments;
use crate::recording::Recording;
use crate::state_at_event::state_at_event;
use crate::system::ConditionContext;

/// The circumstances after the last visit of a node. `None` if the run did not visit it.
#[must_use]
pub fn circumstances_after(recording: &Recording, moments: &LogMoments, node: &str) -> Option<Circumstances> {
    let log = &recording.events;
    let (visit, scope, _) = recording.visits().filter(|(_, _, visited)| *visited == node).last()?;
    let is_end =
        |kind: &EventKind| matches!(kind, EventKind::VisitEnded { visit: ended, .. } if *ended == visit);
    let position = log.iter().rposition(|event| is_end(&event.kind)).unwrap_or(log.len().checked_sub(1)?);
    let after = state_at_event(log, moments, position)?;
    let graph = after.graphs.iter().find(|graph| graph.scope == scope);
    let empty = Map::new();
    let moment = ConditionContext {
        now: recording.now(after.at),
        state: graph.map_or(&empty, |graph| graph.state.as_ref()),
        beside: &recording.beside,
        native: moments.seen_at(log, position),
        error: moments.error_at(visit, position),
    };
    let chart = graph.and_then(|graph| recording.charts.graph(&graph.graph));
    Some(circumstances(recording.system, &moment, chart.is_some_and(|chart| chart.strict_taint)))
}
