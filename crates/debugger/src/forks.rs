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

/// So many steps are done before the log is looked at.
const STEPS_BETWEEN_LOOKS: usize = 64;

/// What another answer led to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OtherAnswer {
    /// A fork, which is current now.
    Forked(DebugStop),
    /// A live run is given it instead of asking the world.
    GivenToLiveRun,
}

/// What another answer would lead to.
#[derive(Debug, Clone)]
pub enum PreparedAnswer {
    /// A fork, which has not begun.
    Fork(PreparedFork),
    /// A live run was given it instead of asking the world.
    GivenToLiveRun,
}

/// Why there is no other answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ForkError {
    /// Nothing is asked there.
    NoQuestion,
    /// The answer does not fit the question.
    BadAnswer(String),
}

/// A run that another answer leads to, before it begins.
#[derive(Debug, Clone)]
pub struct PreparedFork {
    /// The answers and decisions up to where it goes another way.
    replay: Replay,
    /// The position from which on it goes another way.
    other: usize,
    /// The position that is shown first.
    at: usize,
    label: String,
}

impl PreparedFork {
    /// What it is, in words.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The position that is shown first.
    #[must_use]
    pub fn position(&self) -> usize {
        self.at
    }

    /// The answers and decisions that lead there.
    #[must_use]
    pub fn replay(&self) -> &Replay {
        &self.replay
    }
}

impl Debugger {
    /// Gives another answer to the current question, or decision to the current pause: a fork, which becomes current. A live
    /// run that is held before the question is given the answer itself.
    ///
    /// # Errors
    /// If nothing is asked at the position, or the answer cannot be read.
    pub fn answer(&mut self, text: &str) -> Result<OtherAnswer, ForkError> {
        Ok(match self.prepare_answer(text)? {
            PreparedAnswer::Fork(fork) => OtherAnswer::Forked(self.begin_fork(fork)),
            PreparedAnswer::GivenToLiveRun => OtherAnswer::GivenToLiveRun,
        })
    }

    /// The same, but the fork does not begin.
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
        // The other answer is what the user wants to see, also if it was given at the question.
        Ok(PreparedAnswer::Fork(PreparedFork { replay, other: answered, at: answered, label }))
    }

    /// Answers what nobody has answered in a run that came to rest: a question, or the decision that it waits for.
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

    /// Makes a fork the current run.
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

    /// Gives the answer to a live run that is held before the question; nothing if there is none.
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

    /// Decides what a live run waits for, which then continues; nothing if the run is not live, or does not wait.
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

    /// The position of the answer to what is asked at a position; a run that has not come there is driven to it.
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

    /// Makes a run the current one, and keeps the one that was.
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

    /// The branches, in the order in which they began, each with whether it is the current one.
    pub fn branches(&self) -> impl Iterator<Item = (&str, bool)> {
        let current = self.current;
        self.branches
            .iter()
            .enumerate()
            .map(move |(number, branch)| (branch.label.as_str(), number == current))
    }

    /// Continues with another branch; `None` if there is none of that number, from 0.
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

/// The question of a number.
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
