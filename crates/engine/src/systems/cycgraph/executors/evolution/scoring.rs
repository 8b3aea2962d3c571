//! The candidates of a generation are scored, some at once: by an agent, or by the host's own function. In: candidates;
//! out: each with its score, in order. Invariant: the first failure is the failure of all, once those who are at work have
//! done what takes no time: the release lets them continue.

use nodewise_expr::value::Value;
use smol_str::SmolStr;

use super::Produced;
use crate::ask::{Question, Reply};
use crate::event::AskId;
use crate::kernel::{TaskContext, TaskId, TimerId, Wake};
use crate::outcome::Failure;
use crate::systems::cycgraph::Cycgraph;
use crate::systems::cycgraph::action::{Judgement, Output};
use crate::systems::cycgraph::input::Input;
use crate::systems::cycgraph::judge::{Judge, host_judgement};
use crate::time::Millis;

/// Rounds of a moment in which a judge that takes no time begins, asks and is done.
const IDLE_ROUNDS: u32 = 3;

/// Candidates that are being scored.
#[derive(Debug, Clone)]
pub(super) struct Scoring {
    /// The agent that scores; the host does where there is none.
    evaluator: Option<SmolStr>,
    criteria: Option<SmolStr>,
    places: usize,
    next: usize,
    running: Vec<(Running, usize)>,
    candidates: Vec<(Produced, Option<Judgement>)>,
    /// The first failure, and when it is reported.
    failed: Option<(Failure, TimerId)>,
    /// How often nobody was done since the failure.
    idle_rounds: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Running {
    Judge(TaskId),
    Host(AskId),
}

impl Scoring {
    /// Candidates of which none is being scored yet.
    pub(super) fn new(
        produced: Vec<Produced>,
        evaluator: Option<SmolStr>,
        criteria: Option<SmolStr>,
        places: usize,
    ) -> Scoring {
        let candidates = produced.into_iter().map(|candidate| (candidate, None)).collect();
        Scoring {
            evaluator,
            criteria,
            places: places.max(1),
            next: 0,
            running: Vec::new(),
            candidates,
            failed: None,
            idle_rounds: 0,
        }
    }

    /// Has as many scored at once as there are places.
    pub(super) fn fill(&mut self, input: &Input, context: &mut TaskContext<'_, Cycgraph>) {
        while self.running.len() < self.places && self.next < self.candidates.len() {
            let place = self.next;
            self.next += 1;
            let Some((candidate, _)) = self.candidates.get(place) else { break };
            let subject = Value::from(candidate.output.clone());
            let running = match &self.evaluator {
                Some(agent) => {
                    let judge = Judge {
                        agent: agent.clone(),
                        subject,
                        criteria: self.criteria.clone(),
                        input: input.clone(),
                        call: None,
                    };
                    Running::Judge(context.begin(Box::new(judge)))
                }
                None => {
                    let ask = input.ask(context.program(), Question::Fitness(subject));
                    Running::Host(context.ask(input.visit, ask))
                }
            };
            self.running.push((running, place));
        }
    }

    /// Continues when something happened; wakes that are not its own are ignored.
    pub(super) fn wake(
        &mut self,
        wake: Wake<Output>,
        input: &Input,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Result<(), Failure> {
        let (who, result) = match wake {
            Wake::Child(task, Output::Judged(result)) => (Running::Judge(task), result),
            Wake::Answer(ask, answer) => {
                let judged = answer.result.map(|reply| match reply {
                    Reply::Value(value) => host_judgement(&value),
                    _ => host_judgement(&Value::Undefined),
                });
                (Running::Host(ask), judged)
            }
            Wake::Timer(timer) => {
                let Some((failure, _)) = self.failed.take_if(|(_, own)| *own == timer) else { return Ok(()) };
                if self.idle_rounds >= IDLE_ROUNDS || self.running.is_empty() {
                    return Err(failure);
                }
                self.idle_rounds += 1;
                self.failed = Some((failure, context.set_timer(Millis::ZERO)));
                return Ok(());
            }
            _ => return Ok(()),
        };
        let Some(place) = self.running.iter().position(|(running, _)| *running == who) else { return Ok(()) };
        let (_, candidate) = self.running.remove(place);
        match result {
            Ok(judgement) => {
                if let Some((_, slot)) = self.candidates.get_mut(candidate) {
                    *slot = Some(judgement);
                }
                self.idle_rounds = 0;
                self.fill(input, context);
            }
            // Its place stays empty.
            Err(failure) => {
                self.places -= 1;
                if self.failed.is_none() {
                    self.idle_rounds = 0;
                    self.failed = Some((failure, context.set_timer(Millis::ZERO)));
                }
            }
        }
        Ok(())
    }

    /// The candidates with their scores, once all have one.
    pub(super) fn take_scored(&mut self) -> Option<Vec<(Produced, Judgement)>> {
        if !self.running.is_empty() || self.failed.is_some() {
            return None;
        }
        let candidates = std::mem::take(&mut self.candidates).into_iter();
        Some(candidates.filter_map(|(candidate, judgement)| Some((candidate, judgement?))).collect())
    }
}
