//! When a run steps, when it is given an answer, and when it waits: one rule for every loop between a run and the world.
//!
//! Input: a run, the time, whether an answer has arrived. Output: what comes next. Invariant: what is due up to the moment of an
//! answer happens before it, and an answer has a moment of its own, so that answers, decisions and their times give the same log
//! again.

use std::sync::Arc;

use nodewise_engine::ask::{Answer, Ask, Decision};
use nodewise_engine::event::AskId;
use nodewise_engine::kernel::Step;
use nodewise_engine::outcome::{Failure, Outcome, Status};
use nodewise_engine::time::Millis;
use nodewise_simulation::run::Run;
use nodewise_simulation::trace::{as_recorded, decision_as_recorded};

/// What a loop has to do next with a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunTurn {
    /// Let the run take a step.
    Step,
    /// Give the run the answer that arrived first, at this moment.
    Deliver(Millis),
    /// Wait until this moment, if there is one, or until an answer arrives.
    Wait(Option<Millis>),
}

/// A question, and when the run asked it.
pub type AskedAt = (AskId, Arc<Ask>, Millis);

/// The result of a step.
#[derive(Debug)]
pub enum Stepped {
    /// The run continues.
    Went,
    /// The run asked these questions together.
    Asked(Vec<AskedAt>),
    /// It waits until a person decides.
    Paused(Outcome),
    /// The run has ended.
    Ended(Outcome),
}

impl RunTurn {
    /// What to do next at this time. `has_arrived` says whether an answer is ready.
    pub fn of(run: &mut Run, now: Millis, has_arrived: bool) -> RunTurn {
        let moment = if has_arrived { now.max(run.now() + Millis(1)) } else { now };
        match run.due() {
            Some(due) if due <= moment => RunTurn::Step,
            _ if has_arrived => RunTurn::Deliver(moment),
            due => RunTurn::Wait(due),
        }
    }
}

/// Takes one step. Questions that the run asks together are returned together.
pub fn step(run: &mut Run) -> Stepped {
    match run.step() {
        Step::Went | Step::Blocked => Stepped::Went,
        Step::Paused(outcome) => Stepped::Paused(outcome),
        Step::Ended(outcome) => Stepped::Ended(outcome),
        Step::Asked(id, ask) => {
            let mut asks = vec![(id, ask, run.now())];
            while run.is_asking() {
                if let Step::Asked(id, ask) = run.step() {
                    asks.push((id, ask, run.now()));
                }
            }
            Stepped::Asked(asks)
        }
    }
}

/// Gives a run an answer at a moment. The time that the answer took is measured from `asked_at`.
pub fn deliver(run: &mut Run, id: AskId, answer: Answer, asked_at: Millis, moment: Millis) {
    run.answer(id, as_recorded(Answer { after: moment - asked_at, ..answer }));
}

/// Continues a paused run with a decision. The decision took the time from the pause until `now`.
pub fn go_on(run: &mut Run, decision: Decision, now: Millis) {
    let after = now - run.now();
    run.resume(decision_as_recorded(Decision { after, ..decision }));
}

/// The outcome of a run that neither ends nor waits for anything.
#[must_use]
pub fn stalled() -> Outcome {
    let failure = Failure::lasting("Stalled", "the run neither ends nor waits for anything");
    Outcome::failed(Status::Hung, failure)
}
