//! Where moves end.

use nodewise_engine::event::{AskId, EventKind, ScopeId, VisitId};

use super::Debugger;
use crate::lanes::{Lane, MAIN};
use crate::stops::StopKind;

/// A move forwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forward {
    /// To the next breakpoint, or the end.
    Continue,
    /// To the next node, edge or pause in the lane that is not in a nested graph, or to the end of the run.
    Next,
    /// To the next stop of any kind, and into the parts of a condition.
    Into,
    /// To the answer of the current question, or to the end of the current visit or graph.
    Out,
    /// To the next event, also if it is of a kind that the debugger does not stop at.
    Event,
    /// To the event at a position. Breakpoints before it stop.
    To(usize),
    /// To the event at a position. Breakpoints before it do not stop.
    Past(usize),
}

/// A move backwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backward {
    /// To the previous node, edge or pause in the lane that is not in a nested graph.
    Step,
    /// To the previous stop of any kind. In the parts of a condition, to the previous part.
    Into,
    /// To the previous breakpoint, or to the beginning of the run.
    Continue,
    /// To the previous event of any kind.
    Event,
}

/// A move forwards that is under way.
#[derive(Debug, Clone)]
pub(super) struct Goal {
    motion: Forward,
    lane: Lane,
    depth: u32,
    out: Out,
    /// The first position in the log that was not checked yet.
    pub(super) looked: usize,
    /// The part of the current condition to step into before the run continues, from 1.
    pub(super) next_part: Option<usize>,
}

/// What a step out waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Out {
    Answer(AskId),
    Visit(VisitId),
    Graph(ScopeId),
    Run,
}

impl Goal {
    /// Whether a breakpoint before the goal stops the move.
    pub(super) fn heeds_breakpoints(&self) -> bool {
        !matches!(self.motion, Forward::Past(_))
    }

    pub(super) fn new(debugger: &Debugger, motion: Forward) -> Goal {
        let position = debugger.cursor.position;
        let stacks = debugger.stacks();
        let parts = || stacks.parts(position).len();
        let part = debugger.cursor.part;
        let into_part = motion == Forward::Into && part < parts();
        Goal {
            motion,
            lane: stacks.lane(position),
            depth: stacks.depth(position),
            out: out_of(debugger),
            looked: position + 1,
            next_part: into_part.then_some(part + 1),
        }
    }

    pub(super) fn is_reached(&self, debugger: &Debugger, position: usize) -> bool {
        let log = debugger.timeline.log();
        let Some(kind) = debugger.stop_kind(position) else {
            let is_wanted = match self.motion {
                Forward::Event => true,
                Forward::To(wanted) | Forward::Past(wanted) => position >= wanted,
                _ => false,
            };
            return is_wanted && position < log.len();
        };
        if kind == StopKind::RunEnd {
            return true;
        }
        match self.motion {
            Forward::To(wanted) | Forward::Past(wanted) => position >= wanted,
            Forward::Continue => false,
            Forward::Into | Forward::Event => true,
            Forward::Next => is_step(debugger, position, kind, self.lane, self.depth),
            Forward::Out => match (&log.get(position).map(|event| &event.kind), self.out) {
                (Some(EventKind::Answered { ask, .. }), Out::Answer(wanted)) => *ask == wanted,
                (Some(EventKind::VisitEnded { visit, .. }), Out::Visit(wanted)) => *visit == wanted,
                (Some(EventKind::GraphEnded { scope, .. }), Out::Graph(wanted)) => *scope == wanted,
                _ => false,
            },
        }
    }
}

/// What a step out leaves: the question, else the visit, else the graph, else the run.
fn out_of(debugger: &Debugger) -> Out {
    let position = debugger.cursor.position;
    let subject = debugger.stacks().subject(position);
    let moments = debugger.timeline.moments();
    if let Some(EventKind::Asked { ask, .. }) = debugger.timeline.log().get(position).map(|event| &event.kind)
    {
        return Out::Answer(*ask);
    }
    let is_open =
        |visit: &VisitId| moments.visit(*visit).is_some_and(|span| span.end.is_none_or(|end| end > position));
    match subject.visit.filter(is_open) {
        Some(visit) => Out::Visit(visit),
        None if subject.scope == ScopeId::default() => Out::Run,
        None => Out::Graph(subject.scope),
    }
}

/// Whether a step that began in a lane, at a depth of nested graphs, ends at a position. If nothing is under way in
/// that lane any more, stops in other lanes count too.
fn is_step(debugger: &Debugger, position: usize, kind: StopKind, lane: Lane, depth: u32) -> bool {
    let stacks = debugger.stacks();
    let own = stacks.lane(position);
    let is_of_lane = || own == lane || (lane != MAIN && !is_live(debugger, lane, position));
    kind == StopKind::RunEnd || kind.is_step() && stacks.depth(position) <= depth && is_of_lane()
}

fn is_live(debugger: &Debugger, lane: Lane, position: usize) -> bool {
    let open = debugger.timeline.moments().open_visits(debugger.timeline.log(), position);
    open.into_iter().any(|visit| debugger.lanes.of(visit) == lane)
}

/// Where a move backwards ends if no breakpoint stops it before. `None` if that is the beginning of the run.
pub(super) fn previous(debugger: &Debugger, motion: Backward) -> Option<usize> {
    let from = debugger.cursor.position;
    let stacks = debugger.stacks();
    match motion {
        Backward::Continue => None,
        Backward::Event => from.checked_sub(1),
        Backward::Into => (0..from).rev().find(|position| debugger.stop_kind(*position).is_some()),
        Backward::Step => {
            let (lane, depth) = (stacks.lane(from), stacks.depth(from));
            (0..from).rev().find(|position| {
                debugger
                    .stop_kind(*position)
                    .is_some_and(|kind| is_step(debugger, *position, kind, lane, depth))
            })
        }
    }
}
