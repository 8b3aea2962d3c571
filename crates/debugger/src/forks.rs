//! Other answers, and the runs that they lead to.
//!
//! Input: a position of a question or an answer, and another answer; output: a run whose log is the same up to the answer.
//! Invariant: the run that it branches off is kept, and no answer before the position is asked for again.

use nodewise_engine::ask::Question;
use nodewise_engine::event::{AskId, Event, EventKind};
use nodewise_engine::outcome::Status;
use nodewise_simulation::render::json;
use nodewise_simulation::timeline::Timeline;
use nodewise_simulation::trace::{self, Replay};

use crate::answer_notation::{written, written_decision};
use crate::branches::RunBranch;
use crate::debugger::{DebugStop, Debugger, Forward, StopReason};
use crate::lanes::Lanes;
use crate::stops::Cursor;

/// How many steps the run is driven between two looks for an answer in its log.
const STEPS_BETWEEN_LOOKS: usize = 64;

/// The result of [`Debugger::answer`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OtherAnswer {
    /// The answer began a fork, which is the current run now.
    Forked(DebugStop),
    /// A live run got the answer, and does not ask the model or the tool.
    GivenToLiveRun,
}

/// The result of [`Debugger::prepare_answer`].
#[derive(Debug, Clone)]
pub enum PreparedAnswer {
    /// A fork that has not begun.
    Fork(PreparedFork),
    /// A live run got the answer, and does not ask the model or the tool.
    GivenToLiveRun,
}

/// Why another answer is not possible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ForkError {
    /// The event at the cursor neither asks nor answers anything.
    NoQuestion,
    /// The answer does not fit the question.
    BadAnswer(String),
}

/// A run that another answer leads to, before it begins.
#[derive(Debug, Clone)]
pub struct PreparedFork {
    /// The recorded answers and decisions up to the other answer, which is the last of them.
    replay: Replay,
    /// The position from which on the log of the fork differs.
    other: usize,
    /// The position where the debugger stops first.
    at: usize,
    label: String,
}

impl PreparedFork {
    /// Describes the fork in one line: the question and the other answer.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The position where the debugger stops first.
    #[must_use]
    pub fn position(&self) -> usize {
        self.at
    }

    /// The recorded answers and decisions that lead to the fork, with the other answer as the last.
    #[must_use]
    pub fn replay(&self) -> &Replay {
        &self.replay
    }
}

impl Debugger {
    /// Gives another answer to the current question, or another decision to the current pause. It begins a fork,
    /// which becomes the current run. A live run that is held before the question gets the answer itself.
    ///
    /// # Errors
    /// If nothing is asked at the position, or the answer cannot be read.
    pub fn answer(&mut self, text: &str) -> Result<OtherAnswer, ForkError> {
        Ok(match self.prepare_answer(text)? {
            PreparedAnswer::Fork(fork) => OtherAnswer::Forked(self.begin_fork(fork)),
            PreparedAnswer::GivenToLiveRun => OtherAnswer::GivenToLiveRun,
        })
    }

    /// Like [`Debugger::answer`], but the fork does not begin.
    ///
    /// # Errors
    /// If nothing is asked at the position, or the answer cannot be read.
    pub fn prepare_answer(&mut self, text: &str) -> Result<PreparedAnswer, ForkError> {
        let at = self.cursor().position;
        if let Some(given) = self.answer_live(at, text) {
            return given.map(|()| PreparedAnswer::GivenToLiveRun);
        }
        let Some(answered) = self.answered_at(at) else {
            return self.answer_open(at, text).map(PreparedAnswer::Fork);
        };
        let log = self.timeline.log();
        let (before, event) = match (log.get(..answered), log.get(answered)) {
            (Some(before), Some(event)) => (before, event),
            _ => return Err(ForkError::NoQuestion),
        };
        let other = match &event.kind {
            EventKind::Answered { ask, answer, .. } => {
                let recorded = json::answer(answer);
                written(question_of(before, *ask), recorded.get("reply"), text)
            }
            _ => written_decision(text),
        };
        let replay = Replay::of(self.timeline.facts().seed, before)
            .otherwise(before, event, &other)
            .map_err(|fault| ForkError::BadAnswer(fault.message))?;
        let short = nodewise_simulation::words::time(event.at);
        let label = format!("{} at {short}: {}", self.what(answered), first_line(text));
        // Show the answer first, also if the user gave it while the debugger was at the question.
        Ok(PreparedAnswer::Fork(PreparedFork { replay, other: answered, at: answered, label }))
    }

    /// Answers what is still open in a run that stopped: a question without an answer, or the decision that the run
    /// waits for.
    fn answer_open(&mut self, at: usize, text: &str) -> Result<PreparedFork, ForkError> {
        let log = self.timeline.log();
        let waits = self.timeline.outcome().is_some_and(|outcome| outcome.status == Status::Waiting);
        let mut replay = Replay::of(self.timeline.facts().seed, log);
        let unreadable = || ForkError::BadAnswer("the answer does not have the format of a trace".to_owned());
        match log.get(at).map(|event| &event.kind) {
            Some(EventKind::Asked { ask, what, .. }) if self.is_over() => {
                let written = written(Some(&what.what), None, text);
                let answer = trace::answer_at_once(written).ok_or_else(unreadable)?;
                replay.answers.insert(*ask, answer);
            }
            Some(EventKind::Paused { .. }) | None if waits => {
                replay.decisions.push(trace::decision(&written_decision(text)).ok_or_else(unreadable)?);
            }
            _ => return Err(ForkError::NoQuestion),
        }
        let label = format!("{}: {}", self.what(at), first_line(text));
        let end = log.len();
        Ok(PreparedFork { replay, other: end, at: at.min(end.saturating_sub(1)), label })
    }

    /// Begins a fork, drives it past the other answer, and makes it the current run. The run before it is kept as a branch.
    pub fn begin_fork(&mut self, fork: PreparedFork) -> DebugStop {
        let PreparedFork { replay, other, at, label } = fork;
        let mut run = self.fresh();
        run.recall(replay);
        let mut timeline = self.timeline_of(&run);
        while timeline.log().len() <= other + 1 && timeline.advance(1) {}
        self.keep(timeline, label);
        self.breakpoints.cut(other);
        self.jump(at, StopReason::Goto)
    }

    /// Gives the answer to a live run that is held before the question. `None` if the run is not live, or not held there.
    fn answer_live(&mut self, at: usize, text: &str) -> Option<Result<(), ForkError>> {
        let EventKind::Asked { ask, what, .. } = &self.timeline.log().get(at)?.kind else { return None };
        let is_open = self.timeline.moments().ask(*ask)?.answered.is_none();
        if !self.timeline.is_held() || !is_open {
            return None;
        }
        let ask = *ask;
        let Some(answer) = trace::answer_at_once(written(Some(&what.what), None, text)) else {
            let message = "the answer does not have the format of a trace".to_owned();
            return Some(Err(ForkError::BadAnswer(message)));
        };
        let is_given = self.timeline.answer(ask, answer);
        Some(if is_given { Ok(()) } else { Err(ForkError::NoQuestion) })
    }

    /// Gives a live run the decision that it waits for, and continues it. `None` if the run is not live, or does not wait.
    pub fn decide(&mut self, word: &str) -> Option<Result<(), String>> {
        if self.timeline.outcome()?.status != Status::Waiting {
            return None;
        }
        let decided = self.timeline.decide(word)?;
        if decided.is_ok() {
            let last = self.timeline.log().len().saturating_sub(1);
            self.cursor = Cursor { position: self.cursor.position.min(last), part: 0 };
            self.go(Forward::Continue);
        }
        Some(decided)
    }

    /// The position of the answer to what is asked at a position. A simulation is driven until the answer is in the
    /// log. `None` if nothing is asked there, or if there is no answer.
    fn answered_at(&mut self, position: usize) -> Option<usize> {
        let asked = self.timeline.log().get(position)?.kind.clone();
        if matches!(asked, EventKind::Answered { .. } | EventKind::Resumed { .. }) {
            return Some(position);
        }
        if !matches!(asked, EventKind::Asked { .. } | EventKind::Paused { .. }) {
            return None;
        }
        let is_answer = |event: &Event| match (&asked, &event.kind) {
            (EventKind::Asked { ask, .. }, EventKind::Answered { ask: answered, .. }) => ask == answered,
            (EventKind::Paused { .. }, EventKind::Resumed { .. }) => true,
            _ => false,
        };
        let mut looked = position + 1;
        loop {
            let log = self.timeline.log();
            if let Some(found) = log.get(looked..)?.iter().position(is_answer) {
                return Some(looked + found);
            }
            looked = log.len();
            if self.is_over() || self.timeline.is_fed() {
                return None;
            }
            self.advance(STEPS_BETWEEN_LOOKS);
        }
    }

    /// Makes a run the current one, and keeps the one before as a branch.
    fn keep(&mut self, timeline: Timeline, label: String) {
        let mut lanes = Lanes::default();
        lanes.extend(timeline.log(), timeline.moments());
        let cursor = self.cursor();
        let old = (
            std::mem::replace(&mut self.timeline, timeline),
            std::mem::replace(&mut self.lanes, lanes),
            cursor,
        );
        if let Some(branch) = self.branches.get_mut(self.current) {
            branch.kept = Some(old);
        }
        self.branches.push(RunBranch::new(label));
        self.current = self.branches.len() - 1;
    }

    /// The labels of the branches in the order in which they began. `true` marks the current one.
    pub fn branches(&self) -> impl Iterator<Item = (&str, bool)> {
        let current = self.current;
        self.branches
            .iter()
            .enumerate()
            .map(move |(number, branch)| (branch.label.as_str(), number == current))
    }

    /// Makes another branch the current one. Branches are counted from 0. `None` if there is no branch with this number.
    pub fn switch(&mut self, number: usize) -> Option<DebugStop> {
        if number == self.current {
            return Some(self.jump(self.cursor().position, StopReason::Goto));
        }
        let (timeline, lanes, cursor) = self.branches.get_mut(number)?.kept.take()?;
        let own = self.cursor();
        let old =
            (std::mem::replace(&mut self.timeline, timeline), std::mem::replace(&mut self.lanes, lanes), own);
        if let Some(branch) = self.branches.get_mut(self.current) {
            branch.kept = Some(old);
        }
        self.current = number;
        self.breakpoints.cut(0);
        Some(self.jump(cursor.position, StopReason::Goto))
    }
}

/// The question with this id.
fn question_of(log: &[Event], wanted: AskId) -> Option<&Question> {
    log.iter().rev().find_map(|event| match &event.kind {
        EventKind::Asked { ask, what, .. } if *ask == wanted => Some(&what.what),
        _ => None,
    })
}

fn first_line(text: &str) -> String {
    let line: String = text.lines().next().unwrap_or_default().chars().take(40).collect();
    line
}
