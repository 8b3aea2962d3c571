//! The candidates of a generation are scored, some at once: by an agent, or by the host's own function. In: candidates;
//! out: each with its score, in order. Invariant: the first failure is the failure of all.

use nodewise_expr::value::Value;
use smol_str::SmolStr;

use super::Produced;
use crate::ask::{Question, Reply};
use crate::event::AskId;
use crate::kernel::{Context, TaskId, Wake};
use crate::outcome::Failure;
use crate::systems::cycgraph::Cycgraph;
use crate::systems::cycgraph::action::{Judgement, Output};
use crate::systems::cycgraph::input::Input;
use crate::systems::cycgraph::judge::{Judge, host_judgement};

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
        Scoring { evaluator, criteria, places: places.max(1), next: 0, running: Vec::new(), candidates }
    }

    /// Has as many scored at once as there are places.
    pub(super) fn fill(&mut self, input: &Input, context: &mut Context<'_, Cycgraph>) {
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

    /// Goes on when something happened; wakes that are not its own are ignored.
    pub(super) fn wake(
        &mut self,
        wake: Wake<Output>,
        input: &Input,
        context: &mut Context<'_, Cycgraph>,
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
            _ => return Ok(()),
        };
        let Some(place) = self.running.iter().position(|(running, _)| *running == who) else { return Ok(()) };
        let (_, candidate) = self.running.remove(place);
        let judgement = result?;
        if let Some((_, slot)) = self.candidates.get_mut(candidate) {
            *slot = Some(judgement);
        }
        self.fill(input, context);
        Ok(())
    }

    /// The candidates with their scores, once all have one.
    pub(super) fn take_scored(&mut self) -> Option<Vec<(Produced, Judgement)>> {
        if !self.running.is_empty() {
            return None;
        }
        let candidates = std::mem::take(&mut self.candidates).into_iter();
        Some(candidates.filter_map(|(candidate, judgement)| Some((candidate, judgement?))).collect())
    }
}
