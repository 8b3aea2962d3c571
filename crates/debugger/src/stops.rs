//! The events that the debugger stops at.
//!
//! Input: a log and a position; output: what kind of stop it is. Invariant: the answer for a position is the same as
//! soon as one more event is known, or the run is over.

use nodewise_engine::event::{Event, EventKind};

/// Where the debugger is in a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Cursor {
    /// The position of the current event, which is the last that has happened. After the end of the run, the length
    /// of the log.
    pub position: usize,
    /// The part of the edge's condition that the debugger is in, from 1, or 0 for the event as a whole.
    pub part: usize,
}

/// The kinds of events that the debugger stops at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopKind {
    /// A graph begins.
    Graph,
    /// A visit of a node begins.
    Node,
    /// A model, a tool or a person is asked.
    Question,
    Answer,
    /// The last of several writes of a visit.
    Writes,
    /// An edge was followed or not, or a node chose the next one.
    Edge,
    /// A visit failed and is tried again.
    Retry,
    /// A visit ended.
    VisitEnd,
    /// A write was refused.
    DroppedWrite,
    /// The run waits for a person.
    Pause,
    /// A person decided.
    Resume,
    /// A graph ended.
    GraphEnd,
    /// The run was ended from outside.
    Cancelled,
    /// The run is over: the position after the last event.
    RunEnd,
}

impl StopKind {
    /// Whether the move `next` stops there: at nodes, edges, pauses, decisions and the end.
    #[must_use]
    pub fn is_step(self) -> bool {
        matches!(
            self,
            StopKind::Node | StopKind::Edge | StopKind::Pause | StopKind::Resume | StopKind::RunEnd
        )
    }
}

/// The kind of stop at a position. `None` if the debugger does not stop there. `is_over` says that the log is
/// complete: then the position after the last event is a stop too.
#[must_use]
pub fn stop_at(log: &[Event], position: usize, is_over: bool) -> Option<StopKind> {
    let Some(event) = log.get(position) else {
        return (is_over && position == log.len()).then_some(StopKind::RunEnd);
    };
    Some(match &event.kind {
        EventKind::GraphStarted { .. } => StopKind::Graph,
        EventKind::VisitStarted { .. } => StopKind::Node,
        EventKind::Asked { .. } => StopKind::Question,
        EventKind::Answered { .. } => StopKind::Answer,
        EventKind::Wrote { scope, visit, .. } => {
            // Writes of a visit in a row are one stop, at the last of them.
            let continues = log.get(position + 1).is_some_and(|next| match &next.kind {
                EventKind::Wrote { scope: other, visit: by, .. } => (other, by) == (scope, visit),
                _ => false,
            });
            return (!continues).then_some(StopKind::Writes);
        }
        EventKind::EdgeJudged { .. } | EventKind::HandedOver { .. } => StopKind::Edge,
        EventKind::Retried { .. } | EventKind::TriedAgain { .. } => StopKind::Retry,
        EventKind::VisitEnded { .. } => StopKind::VisitEnd,
        EventKind::Dropped { .. } => StopKind::DroppedWrite,
        EventKind::Paused { .. } => StopKind::Pause,
        EventKind::Resumed { .. } => StopKind::Resume,
        EventKind::GraphEnded { .. } => StopKind::GraphEnd,
        EventKind::Cancelled => StopKind::Cancelled,
        EventKind::Skipped { .. }
        | EventKind::Spent { .. }
        | EventKind::CheckpointSaved { .. }
        | EventKind::Native { .. } => return None,
    })
}
