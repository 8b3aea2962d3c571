//! Where in the text each event of a run happens: the node that is visited, the edge that is evaluated.
//!
//! Input: a recording; output: a place for each event, as far as it has one. Invariant: there are as many as events.

use nodewise_engine::event::{Event, EventKind};
use nodewise_model::Origin;

use crate::chart::{Chart, Charts, SourceLocation};
use crate::recording::{LogIndex, Recording};

/// The places of the events of a run, in the order of its log.
#[must_use]
pub fn source_map(recording: &Recording) -> Vec<Option<Origin>> {
    let mut cast = LogIndex::default();
    let place = |event| {
        cast.apply(event);
        Some(place_of(event, &cast, &recording.charts)?.origin)
    };
    recording.events.iter().map(place).collect()
}

/// The place of an event; the index has read the log up to it, or beyond.
#[must_use]
pub fn place_in(recording: &Recording, index: &LogIndex, event: &Event) -> Option<Origin> {
    Some(place_of(event, index, &recording.charts)?.origin)
}

/// Where an event happens; the index has read the log up to it.
pub(crate) fn place_of<'c>(event: &Event, cast: &LogIndex, charts: &'c Charts) -> Option<&'c SourceLocation> {
    let of_visit = |visit| cast.node(charts, visit)?.place.as_ref();
    let of_node = |chart: Option<&'c Chart>, node: &str| chart?.node(node)?.place.as_ref();
    match &event.kind {
        EventKind::VisitStarted { visit, .. }
        | EventKind::Retried { visit, .. }
        | EventKind::TriedAgain { visit, .. }
        | EventKind::Asked { visit, .. }
        | EventKind::Wrote { visit: Some(visit), .. }
        | EventKind::GraphStarted { by: Some(visit), .. }
        | EventKind::Dropped { visit, .. }
        | EventKind::HandedOver { visit, .. }
        | EventKind::Spent { visit, .. }
        | EventKind::VisitEnded { visit, .. }
        | EventKind::Paused { visit, .. } => of_visit(*visit),
        EventKind::Answered { ask, .. } => of_visit(cast.asker(*ask)?),
        EventKind::EdgeJudged { visit, edge, target, .. } => {
            let from = &cast.visit(*visit)?.node;
            let edge = cast.chart(charts, *visit)?.edge(from, *edge, target);
            edge.and_then(|edge| edge.place.as_ref()).or_else(|| of_visit(*visit))
        }
        EventKind::Skipped { scope, node } => {
            of_node(cast.scope(*scope).and_then(|running| charts.graph(&running.graph)), node)
        }
        EventKind::CheckpointSaved { node, .. } => charts.node_called(node)?.place.as_ref(),
        EventKind::GraphStarted { by: None, .. }
        | EventKind::Wrote { visit: None, .. }
        | EventKind::Resumed { .. }
        | EventKind::Cancelled
        | EventKind::Native { .. }
        | EventKind::GraphEnded { .. } => None,
    }
}
