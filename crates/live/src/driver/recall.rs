//! A new run with the answers of a recorded one, for as long as it asks the same.
//!
//! Input: recorded events, where the runs part, the new run at its beginning. Output: the new run where they part, and what it asks
//! there. Invariant: no answer is taken over for a question that is not asked in the same words, or that comes after one that is
//! asked again.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use anyhow::Result;
use nodewise_engine::ask::{Answer, Ask, Decision};
use nodewise_engine::event::{AskId, EventKind, VisitId};
use nodewise_engine::kernel::Step;
use nodewise_expr::json::to_json;
use nodewise_simulation::render::json;
use nodewise_simulation::run::Run;
use nodewise_simulation::trace::Replay;
use serde_json::Value as Json;
use smol_str::SmolStr;

use super::past::{self, Recorded};

/// What a new run can take over from a recorded run.
#[derive(Debug, Clone)]
pub struct Recall {
    questions: BTreeMap<AskId, Recorded>,
    answers: BTreeMap<AskId, Answer>,
    /// The questions at which the recorded run paused, each with the decision.
    pauses: VecDeque<(Json, Decision)>,
    /// The visit from which everything is asked again.
    until: Option<VisitId>,
    /// The question from which everything is asked again.
    again_from: Option<AskId>,
}

/// How far a new run followed the recorded run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Recalled {
    /// How many answers and decisions the new run took over.
    pub answers: usize,
    /// The node of the visit at which the two runs part; `None` if the new run did not reach it.
    pub reached: Option<SmolStr>,
    /// The first question that is asked again because it differs from the recorded one.
    pub differing: Option<Differing>,
    /// Questions whose answers were taken over but have not arrived in the new run yet.
    pub pending: BTreeSet<AskId>,
}

/// A question that differs from the recorded one.
#[derive(Debug, Clone, PartialEq)]
pub struct Differing {
    /// The node that asks.
    pub node: SmolStr,
    /// The parts that differ, in words.
    pub parts: String,
}

/// The state while a new run follows a recorded one.
struct Progress {
    /// How many events of the new run were read.
    seen: usize,
    /// The number that the next question of the new run will have.
    next: u32,
    again_from: Option<AskId>,
    delivered: usize,
    is_open: bool,
    recalled: Recalled,
}

impl Recall {
    /// Reads what a run can take over from recorded events: everything before a visit, and before a question.
    ///
    /// # Errors
    /// Where one of the events cannot be read.
    pub fn read(
        seed: u64,
        events: &[Json],
        until: Option<VisitId>,
        again_from: Option<AskId>,
    ) -> Result<Recall> {
        let Replay { answers, decisions, .. } = Replay::of_events(seed, events)?;
        let word = |event: &Json, word: &str| event.get("event").and_then(Json::as_str) == Some(word);
        let pauses = events.iter().filter(|event| word(event, "paused"));
        let pauses = pauses.map(|event| event.get("question").cloned().unwrap_or_default());
        Ok(Recall {
            questions: events.iter().filter_map(past::question).collect(),
            answers,
            pauses: pauses.zip(decisions).collect(),
            until,
            again_from,
        })
    }

    /// Drives a new run to the point where it parts from the recorded run.
    #[must_use]
    pub fn follow(&self, run: &mut Run) -> Recalled {
        let mut pauses = self.pauses.clone();
        let mut progress = Progress {
            seen: 0,
            next: 0,
            again_from: self.again_from,
            delivered: 0,
            is_open: false,
            recalled: Recalled::default(),
        };
        while !self.is_over(&progress, &pauses) || run.is_asking() {
            let step = run.step();
            self.look(run, &mut progress);
            match step {
                Step::Went => {}
                Step::Asked(id, ask) => match self.answer(id, &ask, &mut progress) {
                    Some(answer) => {
                        progress.recalled.answers += 1;
                        progress.recalled.pending.insert(id);
                        run.answer(id, answer);
                    }
                    None => {
                        progress.again_from =
                            Some(progress.again_from.map_or(id, |again_from| again_from.min(id)));
                        progress.is_open = true;
                    }
                },
                Step::Paused(_) => {
                    let asked = question_of_pause(run);
                    let is_same = |(question, _): &(Json, Decision)| Some(question) == asked.as_ref();
                    match pauses.front().filter(|_| !progress.has_parted()).filter(|pause| is_same(pause)) {
                        Some((_, decision)) => {
                            run.resume(decision.clone());
                            progress.recalled.answers += 1;
                            pauses.pop_front();
                        }
                        None => break,
                    }
                }
                Step::Ended(_) | Step::Blocked => break,
            }
        }
        progress.recalled
    }

    /// Whether nothing more can be taken over.
    fn is_over(&self, progress: &Progress, pauses: &VecDeque<(Json, Decision)>) -> bool {
        let is_wanted = |id: &&AskId| self.again_from.is_none_or(|again_from| **id < again_from);
        let all = || self.answers.keys().filter(is_wanted).count();
        progress.has_parted() || pauses.is_empty() && progress.delivered >= all()
    }

    /// Reads the new events of the run.
    fn look(&self, run: &Run, progress: &mut Progress) {
        for event in run.log().get(progress.seen..).unwrap_or_default() {
            progress.seen += 1;
            match &event.kind {
                EventKind::VisitStarted { visit, node, .. } if self.until == Some(*visit) => {
                    let next = AskId(progress.next);
                    progress.again_from =
                        Some(progress.again_from.map_or(next, |again_from| again_from.min(next)));
                    progress.recalled.reached = Some(node.clone());
                }
                EventKind::Asked { ask, .. } => progress.next = ask.0.saturating_add(1),
                EventKind::Answered { ask, .. } => {
                    progress.recalled.pending.remove(ask);
                    progress.delivered += 1;
                }
                _ => {}
            }
        }
    }

    /// The recorded answer to a question. `None` if the question differs, or comes after one that is asked again.
    fn answer(&self, id: AskId, ask: &Ask, progress: &mut Progress) -> Option<Answer> {
        if progress.again_from.is_some_and(|again_from| id >= again_from) {
            return None;
        }
        let recorded = self.questions.get(&id)?;
        let question = json::question(&ask.what);
        if recorded.is_to(ask) && recorded.question == question {
            return self.answers.get(&id).cloned();
        }
        let parts = match recorded.is_to(ask) {
            true => past::differing(&recorded.question, &question),
            false => format!("who is asked: it was a {} for `{}`", recorded.kind, recorded.node),
        };
        progress.recalled.differing = Some(Differing { node: ask.node.clone(), parts });
        None
    }
}

/// The question at which the run paused last.
fn question_of_pause(run: &Run) -> Option<Json> {
    run.log().iter().rev().find_map(|event| match &event.kind {
        EventKind::Paused { question, .. } => Some(to_json(question)),
        _ => None,
    })
}

impl Progress {
    fn has_parted(&self) -> bool {
        self.recalled.reached.is_some() || self.is_open
    }
}
