//! Moves through a run: forwards by driving it, backwards by moving the cursor.
//!
//! Input: a run, breakpoints, moves; output: stops. Invariant: a move backwards executes nothing, and no move changes the
//! log: it is the log of the same run without a debugger.

mod motion;

use std::sync::Arc;

use nodewise_engine::event::{Event, EventKind};
use nodewise_engine::outcome::Status;
use nodewise_expr::value::Value;
use nodewise_simulation::run::Run;
use nodewise_simulation::timeline::Timeline;

pub use motion::{Backward, Forward};

use crate::branches::RunBranch;
use crate::breakpoints::{Breakpoints, Hit, Trigger};
use crate::frames::{FrameKind, StackFrame, Stacks};
use crate::lanes::{Lane, Lanes, MAIN};
use crate::locations::{Locations, Subject};
use crate::stops::{Cursor, StopKind, stop_at};
use crate::variables::shown;
use motion::Goal;

/// How many steps the run is driven ahead at a time to find out what follows in a visit.
const STEPS_AHEAD: usize = 64;
/// The maximum number of places to step into that are offered for a frame.
const TARGETS_MAX: usize = 30;

/// Why the debugger stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StopReason {
    /// The debugger is at the beginning of the run.
    Entry,
    /// A step forwards or backwards ended.
    Step,
    Breakpoint,
    /// A breakpoint that was set by name.
    FunctionBreakpoint,
    /// A breakpoint on a key of the state, or on a part of one.
    DataBreakpoint,
    /// A breakpoint on something that goes wrong.
    Exception,
    /// The user paused.
    Pause,
    /// The user jumped to an event, or to another run.
    Goto,
    /// The user restarted a frame, so that its visit is shown from the beginning again.
    Restart,
    /// The run is over, and the debugger is after its last event.
    End,
    /// The run waits for the decision of a person.
    Decision,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DebugStop {
    pub reason: StopReason,
    pub lane: Lane,
    /// What happens at the stop, in one line for the user.
    pub description: String,
    /// The breakpoints that stop here. Empty if the debugger stopped for another reason.
    pub hits: Vec<Hit>,
}

/// The result of one call of [`Debugger::work`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// The move is not done. Call [`Debugger::work`] again.
    Running,
    Stopped(DebugStop),
    /// The run is over, and the debugger does not stop at its end.
    Finished,
}

/// A debugged run: its log, the cursor in the log, the breakpoints, and the branches.
pub struct Debugger {
    start: Run,
    is_only: bool,
    stops_at_end: bool,
    pub(crate) timeline: Timeline,
    pub(crate) lanes: Lanes,
    locations: Arc<Locations>,
    pub breakpoints: Breakpoints,
    pub(crate) cursor: Cursor,
    goal: Option<Goal>,
    pub(crate) branches: Vec<RunBranch>,
    pub(crate) current: usize,
}

impl Debugger {
    /// Debugs a run that has not begun. With `is_only`, the run ends after its first visit. With `stops_at_end`, the
    /// debugger also stops after the last event.
    #[must_use]
    pub fn new(start: Run, locations: Arc<Locations>, is_only: bool, stops_at_end: bool) -> Debugger {
        let timeline = begun(&start, is_only);
        let mut debugger = Debugger::of_timeline(start, timeline, locations, is_only, stops_at_end);
        // The cursor is at event 0, so drive the run until that event exists.
        while debugger.timeline.log().is_empty() && debugger.advance(1) {}
        debugger
    }

    /// Debugs a run that is recorded, or that something else drives in real time. `start` is the same run before its
    /// first step: forks begin with a clone of it.
    #[must_use]
    pub fn of_timeline(
        start: Run,
        timeline: Timeline,
        locations: Arc<Locations>,
        is_only: bool,
        stops_at_end: bool,
    ) -> Debugger {
        let mut debugger = Debugger {
            start,
            is_only,
            stops_at_end,
            timeline,
            lanes: Lanes::default(),
            locations,
            breakpoints: Breakpoints::default(),
            cursor: Cursor::default(),
            goal: None,
            branches: Vec::new(),
            current: 0,
        };
        let label = if debugger.timeline.is_fed() { "live" } else { "as scripted" };
        let label = if debugger.timeline.outcome().is_some() { "as recorded" } else { label };
        debugger.branches.push(RunBranch::new(label));
        debugger.lanes.extend(debugger.timeline.log(), debugger.timeline.moments());
        debugger
    }

    /// The current run, with its log.
    #[must_use]
    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// Takes the lines that tools of a live run printed since the last call.
    pub fn take_printed(&mut self) -> Vec<String> {
        self.timeline.take_printed()
    }

    /// Where breakpoints can be set, and where nodes and edges are in the files.
    #[must_use]
    pub fn locations(&self) -> &Arc<Locations> {
        &self.locations
    }

    /// Where the debugger is in the log.
    #[must_use]
    pub fn cursor(&self) -> Cursor {
        self.cursor
    }

    /// The data from which stack frames are computed.
    #[must_use]
    pub fn stacks(&self) -> Stacks<'_> {
        Stacks { timeline: &self.timeline, lanes: &self.lanes, locations: &self.locations }
    }

    /// The lane of the current event.
    #[must_use]
    pub fn lane(&self) -> Lane {
        self.stacks().lane(self.cursor.position)
    }

    /// The frames of a lane, the innermost first.
    #[must_use]
    pub fn frames(&self, lane: Lane) -> Vec<StackFrame> {
        self.stacks().frames(self.cursor.position, self.cursor.part, lane)
    }

    /// Whether the current run or a kept branch is driven in real time.
    #[must_use]
    pub fn has_live_run(&self) -> bool {
        let kept = self.branches.iter().filter_map(|branch| branch.kept.as_ref());
        self.timeline.is_fed() || kept.into_iter().any(|(timeline, ..)| timeline.is_fed())
    }

    /// Whether a move forwards is under way. [`Debugger::work`] continues it.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.goal.is_some()
    }

    /// Whether the position is after the last event of a run that is over.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        self.timeline.outcome().is_some() && self.cursor.position >= self.timeline.log().len()
    }

    /// A clone of the run before its first step.
    pub(crate) fn fresh(&self) -> Run {
        self.start.clone()
    }

    pub(crate) fn timeline_of(&self, run: &Run) -> Timeline {
        begun(run, self.is_only)
    }

    pub(crate) fn advance(&mut self, steps: usize) -> bool {
        let goes = self.timeline.advance(steps);
        self.lanes.extend(self.timeline.log(), self.timeline.moments());
        goes
    }

    pub(crate) fn is_over(&self) -> bool {
        self.timeline.outcome().is_some()
    }

    /// The number of positions for which it is certain whether the debugger stops there. While the run continues, the
    /// last event does not count: another write of the same visit may follow it.
    fn known(&self) -> usize {
        let length = self.timeline.log().len();
        match () {
            () if self.is_over() => length + 1,
            // Nothing follows the last event until the run is let go.
            () if self.timeline.is_held() => length,
            () => length.saturating_sub(1),
        }
    }

    pub(crate) fn stop_kind(&self, position: usize) -> Option<StopKind> {
        stop_at(self.timeline.log(), position, self.is_over())
    }

    /// Begins a move forwards. [`Debugger::work`] carries it out.
    pub fn go(&mut self, motion: Forward) {
        self.goal = Some(Goal::new(self, motion));
    }

    /// Begins a move forwards that can also stop at event 0, which [`Debugger::go`] skips.
    pub fn go_from_beginning(&mut self, motion: Forward) {
        let mut goal = Goal::new(self, motion);
        goal.looked = 0;
        self.goal = Some(goal);
    }

    /// Continues the move: drives the run for at most `steps` steps, then looks for the goal and for breakpoints in the log.
    pub fn work(&mut self, steps: usize) -> Progress {
        let Some(mut goal) = self.goal.take() else {
            return Progress::Stopped(self.stopped(StopReason::Pause, Vec::new()));
        };
        if let Some(part) = goal.next_part.take() {
            self.cursor.part = part;
            return Progress::Stopped(self.stopped(StopReason::Step, Vec::new()));
        }
        if self.known() <= goal.looked {
            self.advance(steps);
        }
        self.breakpoints.scan(&self.timeline);
        let known = self.known();
        let own = (goal.looked..known).find(|position| goal.is_reached(self, *position));
        let hit = self.breakpoints.next(goal.looked).filter(|hit| *hit < known && goal.heeds_breakpoints());
        let end = self.timeline.log().len();
        match (own, hit) {
            // A breakpoint at the goal itself counts as a hit.
            (own, Some(hit)) if own.is_none_or(|own| hit <= own) => Progress::Stopped(self.arrive(hit, true)),
            (Some(own), _) if own == end && self.is_over() && !self.stops_at_end => self.finish(),
            (Some(own), _) => Progress::Stopped(self.arrive(own, false)),
            (None, _) if self.is_over() => self.finish(),
            (None, _) => {
                goal.looked = goal.looked.max(known);
                self.goal = Some(goal);
                Progress::Running
            }
        }
    }

    fn finish(&mut self) -> Progress {
        self.cursor = Cursor { position: self.timeline.log().len(), part: 0 };
        Progress::Finished
    }

    /// Stops where the run is now. `None` if no move is under way.
    pub fn pause(&mut self) -> Option<DebugStop> {
        self.goal.take()?;
        self.timeline.hold();
        let position = self.known().min(self.timeline.log().len()).saturating_sub(1);
        self.cursor = Cursor { position: position.max(self.cursor.position), part: 0 };
        Some(self.stopped(StopReason::Pause, Vec::new()))
    }

    /// Moves the cursor backwards. Nothing is executed.
    pub fn back(&mut self, motion: Backward) -> DebugStop {
        self.goal = None;
        if let (Backward::Step | Backward::Into, part @ 1..) = (motion, self.cursor.part) {
            self.cursor.part = if motion == Backward::Into { part - 1 } else { 0 };
            return self.stopped(StopReason::Step, Vec::new());
        }
        self.breakpoints.scan(&self.timeline);
        let from = self.cursor.position;
        let own = motion::previous(self, motion);
        let hit = match motion {
            Backward::Event | Backward::Into => None,
            Backward::Step | Backward::Continue => self.breakpoints.previous(from),
        };
        match (own, hit) {
            (own, Some(hit)) if own.is_none_or(|own| hit >= own) => self.arrive(hit, true),
            (Some(own), _) => self.arrive(own, false),
            (None, _) => {
                self.cursor = Cursor::default();
                self.stopped(StopReason::Entry, Vec::new())
            }
        }
    }

    /// Moves the cursor to a position, at most to the end of the log.
    pub fn jump(&mut self, position: usize, reason: StopReason) -> DebugStop {
        self.goal = None;
        self.cursor = Cursor { position: position.min(self.timeline.log().len()), part: 0 };
        self.stopped(reason, Vec::new())
    }

    /// Moves to the beginning of the visit of a frame. `None` if the frame is not a visit of a node.
    pub fn restart(&mut self, frame: &StackFrame) -> Option<DebugStop> {
        let visit = frame.visit.filter(|_| frame.kind == FrameKind::Node)?;
        let begin = self.timeline.moments().visit(visit)?.begin;
        Some(self.jump(begin, StopReason::Restart))
    }

    /// The visits of a node in the log, the newest first: the position where each begins, and a label. Empty if the
    /// subject is not a node.
    #[must_use]
    pub fn visits_of(&self, subject: &Subject) -> Vec<(usize, String)> {
        let Subject::Node { graph, node } = subject else { return Vec::new() };
        let moments = self.timeline.moments();
        let is_own = |visit: &nodewise_simulation::recording::Visit| {
            visit.node == *node && moments.who().scope(visit.scope).is_some_and(|run| run.graph == *graph)
        };
        let mut found = Vec::new();
        for (number, span) in (0_u32..).zip(moments.visits()) {
            let visit = nodewise_engine::event::VisitId(number);
            if moments.who().visit(visit).is_some_and(is_own) {
                let at = self.timeline.log().get(span.begin).map(|event| event.at).unwrap_or_default();
                let time = nodewise_simulation::words::time(at);
                found.push((span.begin, format!("visit {}, {time}", found.len() + 1)));
            }
        }
        found.reverse();
        found
    }

    /// What follows in the visit of a frame: its questions, edges, and the graphs that it runs. Each has its position
    /// and a label.
    pub fn step_targets(&mut self, frame: &StackFrame) -> Vec<(usize, String)> {
        let Some(visit) = frame.visit else { return Vec::new() };
        let is_over = |debugger: &Debugger| {
            let span = debugger.timeline.moments().visit(visit);
            span.is_none_or(|span| {
                span.end.is_some_and(|end| end + STEPS_AHEAD < debugger.timeline.log().len())
            })
        };
        // To drive a simulation ahead does not change it. A live run is not driven ahead, because it would ask models
        // and tools.
        for _ in 0..STEPS_AHEAD {
            if self.timeline.is_fed() || is_over(self) || !self.advance(STEPS_AHEAD) {
                break;
            }
        }
        let stacks = self.stacks();
        let mut targets: Vec<(usize, String)> = Vec::new();
        for position in self.cursor.position + 1..self.timeline.log().len() {
            let subject = stacks.subject(position);
            let called_by = || self.timeline.moments().scope(subject.scope).and_then(|span| span.by);
            let is_own = match self.stop_kind(position) {
                Some(StopKind::Question | StopKind::Edge) => subject.visit == Some(visit),
                Some(StopKind::Graph) => called_by() == Some(visit),
                _ => false,
            };
            if is_own
                && let Some(first) = stacks.frames(position, 0, stacks.lane(position)).into_iter().next()
            {
                targets.push((position, first.name));
            }
            if targets.len() == TARGETS_MAX {
                break;
            }
        }
        targets
    }

    fn arrive(&mut self, position: usize, is_hit: bool) -> DebugStop {
        self.cursor = Cursor { position, part: 0 };
        let hits = if is_hit { self.breakpoints.at(position) } else { Vec::new() };
        let trigger = hits
            .first()
            .and_then(|hit| self.breakpoints.get(hit.id))
            .map(|one| (&one.spec.trigger, &one.list));
        let reason = match trigger {
            Some((Trigger::Exception { .. }, _)) => StopReason::Exception,
            Some((Trigger::Data { .. }, _)) => StopReason::DataBreakpoint,
            Some((Trigger::At(_), list)) if list == "functions" => StopReason::FunctionBreakpoint,
            Some(_) => StopReason::Breakpoint,
            None => self.rest_reason(position),
        };
        self.stopped(reason, hits)
    }

    fn rest_reason(&self, position: usize) -> StopReason {
        match (self.stop_kind(position), self.timeline.outcome()) {
            _ if position == 0 => StopReason::Entry,
            (Some(StopKind::RunEnd), Some(outcome)) if outcome.status == Status::Waiting => {
                StopReason::Decision
            }
            (Some(StopKind::RunEnd), _) => StopReason::End,
            _ => StopReason::Step,
        }
    }

    fn stopped(&self, reason: StopReason, hits: Vec<Hit>) -> DebugStop {
        let position = self.cursor.position;
        let lane = if self.timeline.log().get(position).is_some() { self.lane() } else { MAIN };
        let what = self.what(position);
        let what = match self.written(position, &hits) {
            Some(change) => format!("{what}, {change}"),
            None => what,
        };
        let description = match (&reason, hits.first()) {
            (StopReason::Exception, _) => what,
            (_, Some(hit)) => format!("{what}: breakpoint, hit {}", hit.count),
            (StopReason::Entry, _) => format!("{what}: the beginning"),
            (StopReason::Restart, _) => format!("{what}: from its beginning"),
            _ => what,
        };
        DebugStop { reason, lane, description, hits }
    }

    /// The value before and after a write, as text. `None` if no breakpoint on the state stops there.
    fn written(&self, position: usize, hits: &[Hit]) -> Option<String> {
        let path = hits.iter().find_map(|hit| match &self.breakpoints.get(hit.id)?.spec.trigger {
            Trigger::Data { path, .. } => Some(path),
            _ => None,
        })?;
        let changes = self.timeline.state_at(position)?.changes;
        let change = changes.into_iter().find(|change| change.key == path.key)?;
        let part = |value: &Value| shown(path.part(value).unwrap_or(&Value::Undefined));
        let change = format!("{} → {}", part(&change.before), part(&change.after));
        Some(if path.members.is_empty() { change } else { format!("`{}`: {change}", path.shown()) })
    }

    /// Describes an event in a few words. After the last event, describes how the run ended.
    #[must_use]
    pub fn what(&self, position: usize) -> String {
        let Some(event) = self.timeline.log().get(position) else {
            let outcome = self.timeline.outcome();
            let not_begun = || "the run has not begun".to_owned();
            return outcome.map_or_else(not_begun, nodewise_simulation::render::in_words);
        };
        let frames = self.stacks().frames(position, self.cursor.part, self.stacks().lane(position));
        let name =
            |kind: FrameKind| frames.iter().find(|frame| frame.kind == kind).map(|frame| frame.name.as_str());
        let node = name(FrameKind::Node).or(name(FrameKind::Graph)).unwrap_or_default();
        let first = frames.first().map(|frame| frame.name.as_str()).unwrap_or_default();
        of_event(event, node, first)
    }
}

fn of_event(event: &Event, node: &str, first: &str) -> String {
    match &event.kind {
        EventKind::VisitStarted { .. } => node.to_owned(),
        EventKind::Asked { .. }
        | EventKind::Answered { .. }
        | EventKind::EdgeJudged { .. }
        | EventKind::HandedOver { .. } => {
            format!("{node}: {first}")
        }
        EventKind::Wrote { key, .. } => format!("{node}: wrote `{key}`"),
        EventKind::Dropped { key, .. } => format!("{node}: the write of `{key}` was refused"),
        EventKind::Retried { failure, .. } => format!("{node}: tried again after {failure}"),
        EventKind::TriedAgain { attempt, .. } => format!("{node}: attempt {attempt}"),
        EventKind::VisitEnded { result: Ok(_), .. } => format!("{node}: ended"),
        EventKind::VisitEnded { result: Err(failure), .. } => format!("{node}: failed with {failure}"),
        EventKind::GraphStarted { .. } => format!("{node} begins"),
        EventKind::GraphEnded { outcome, .. } => {
            format!("{node} ended: {}", nodewise_simulation::render::in_words(outcome))
        }
        EventKind::Paused { .. } => format!("{node}: waits for a person"),
        EventKind::Resumed { decision } => format!("a person decided: {}", decision.word),
        EventKind::Cancelled => "the run was cancelled".to_owned(),
        EventKind::Skipped { node, .. } => format!("{node} is skipped"),
        EventKind::Spent { .. } => format!("{node}: cost"),
        EventKind::CheckpointSaved { checkpoint, .. } => format!("checkpoint {checkpoint} saved"),
        EventKind::Native { name, .. } => format!("{node}: {name}"),
    }
}

fn begun(run: &Run, is_only: bool) -> Timeline {
    if is_only { Timeline::of_first_visit(run.clone()) } else { Timeline::new(run.clone()) }
}
