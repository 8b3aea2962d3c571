//! A run again from its log: the recorded answers first, then those of another provider.
//!
//! Resume, step back and fork are all this: a run is started again with the answers of a prefix of a log, and continues from
//! there. Invariant: with the whole log of a run and its seed, the new run's log is the same.

use std::collections::{BTreeMap, VecDeque};

use nodewise_expr::value::Value;

use crate::ask::{Answer, Ask, Decision};
use crate::event::{AskId, Event, EventKind};
use crate::provider::Provider;
use crate::time::Millis;

/// A provider that gives recorded answers, and asks another provider for the rest.
pub struct Recorded<P> {
    answers: BTreeMap<AskId, Answer>,
    decisions: VecDeque<Decision>,
    /// Answers what was not recorded.
    pub otherwise: P,
}

impl<P: Provider> Recorded<P> {
    /// The recorded answers of a log, or of the first part of one.
    pub fn new(log: &[Event], otherwise: P) -> Recorded<P> {
        let mut asked: BTreeMap<AskId, Millis> = BTreeMap::new();
        let mut answers = BTreeMap::new();
        let mut decisions = VecDeque::new();
        for event in log {
            match &event.kind {
                EventKind::Asked { ask, .. } => {
                    asked.insert(*ask, event.at);
                }
                EventKind::Answered { ask, answer } => {
                    let after = event.at - asked.get(ask).copied().unwrap_or(event.at);
                    answers.insert(*ask, Answer { after, ..Answer::clone(answer) });
                }
                EventKind::Resumed { decision } => decisions.push_back(Decision::clone(decision)),
                _ => {}
            }
        }
        Recorded { answers, decisions, otherwise }
    }

    /// Recorded answers that do not come from a log, each with the time that it took.
    pub fn of(
        answers: BTreeMap<AskId, Answer>,
        decisions: impl IntoIterator<Item = Decision>,
        otherwise: P,
    ) -> Recorded<P> {
        Recorded { answers, decisions: decisions.into_iter().collect(), otherwise }
    }
}

impl<P: Provider> Provider for Recorded<P> {
    fn answer(&mut self, id: AskId, ask: &Ask) -> Answer {
        match self.answers.remove(&id) {
            Some(answer) => {
                self.otherwise.pass_over(id, ask);
                answer
            }
            None => self.otherwise.answer(id, ask),
        }
    }

    fn decide(&mut self, question: &Value) -> Option<Decision> {
        match self.decisions.pop_front() {
            Some(decision) => {
                self.otherwise.pass_over_decision(question);
                Some(decision)
            }
            None => self.otherwise.decide(question),
        }
    }
}
