//! Scores the candidates of a generation, several at once: by an agent, or by the host's own function. In:
//! candidates; out: each with its score, in order. Invariant: the first failure is the failure of all. It is reported
//! after judges that are at work have done what takes no time, because the release lets them continue.

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

/// How many rounds a judge needs that takes no time: to begin, to ask and to finish.
const IDLE_ROUNDS: u32 = 3;

/// Candidates that are being scored.
#[derive(Debug, Clone)]
pub(super) struct Scoring {
    /// The agent that scores; `None` if the host's function does.
    evaluator: Option<SmolStr>,
    criteria: Option<SmolStr>,
    places: usize,
    next: usize,
    running: Vec<(Running, usize)>,
    candidates: Vec<(Produced, Option<Judgement>)>,
    /// The first failure, and the timer for when it is reported.
    failed: Option<(Failure, TimerId)>,
    /// How many rounds since the failure passed without a finished judge.
    idle_rounds: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Running {
    Judge(TaskId),
    Host(AskId),
}

impl Scoring {
    /// Scoring that has not begun.
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

    /// Begins as many judges as may work at once.
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

    /// Continues after a wake. Wakes that belong to others are ignored.
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
            // No other candidate takes its place.
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

    /// All candidates with their scores; `None` while some have none.
    pub(super) fn take_scored(&mut self) -> Option<Vec<(Produced, Judgement)>> {
        if !self.running.is_empty() || self.failed.is_some() {
            return None;
        }
        let candidates = std::mem::take(&mut self.candidates).into_iter();
        Some(candidates.filter_map(|(candidate, judgement)| Some((candidate, judgement?))).collect())
    }
}
