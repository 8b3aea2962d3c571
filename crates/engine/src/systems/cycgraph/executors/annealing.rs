//! An agent works again and again at falling temperature, and the best answer counts (cycgraph:6.8). In: the slice; out:
//! what the best iteration wrote. Invariant: an iteration is better only if its score is strictly greater.

use nodewise_expr::javascript::number_to_text;
use nodewise_expr::jsonpath;
use nodewise_expr::value::{Map, Value};
use nodewise_model::cycgraph::{Annealing as Settings, Work};
use smol_str::SmolStr;

use super::done;
use crate::kernel::{Flow, Task, TaskContext, Wake};
use crate::outcome::Failure;
use crate::systems::cycgraph::action::{NodeAction, Output};
use crate::systems::cycgraph::agent_call::{AgentCall, AgentJob};
use crate::systems::cycgraph::gathered::{self, WorkerUsage};
use crate::systems::cycgraph::input::Input;
use crate::systems::cycgraph::judge::JudgeCall;
use crate::systems::cycgraph::schedule::temperature;
use crate::systems::cycgraph::{Cycgraph, failures, spending};

/// An attempt of an annealing node.
#[derive(Debug, Clone)]
pub(super) struct Annealing {
    input: Input,
    phase: Phase,
    iteration: u32,
    best: Option<(Box<NodeAction>, f64)>,
    worker_usage: WorkerUsage,
}

#[derive(Debug, Clone)]
enum Phase {
    Begin,
    Working(Box<AgentCall>),
    Judging(JudgeCall, Box<NodeAction>),
}

impl Annealing {
    pub(super) fn new(input: Input) -> Annealing {
        Annealing {
            input,
            phase: Phase::Begin,
            iteration: 0,
            best: None,
            worker_usage: WorkerUsage::default(),
        }
    }

    /// Runs iterations until one must wait for something, or the last one is over.
    fn iterate(&mut self, context: &mut TaskContext<'_, Cycgraph>) -> Option<Result<NodeAction, Failure>> {
        let program = context.program().clone();
        let node = self.input.node(&program);
        let settings = settings(&node.work)?;
        let is_over = f64::from(self.iteration) >= settings.max_iterations.value;
        let is_used_up = || {
            let model = self.worker_usage.model.as_deref();
            spending::is_used_up(node, &self.worker_usage.tokens, model, &self.input.state, &program.host)
        };
        if is_over || (self.iteration > 0 && is_used_up()) {
            return Some(Ok(self.result()));
        }
        let call = self.job(settings, context).and_then(|job| AgentCall::new(job, &self.input, context));
        let mut call = match call {
            Ok(call) => Box::new(call),
            Err(failure) => return Some(Err(failure)),
        };
        let end = call.begin(context);
        self.phase = Phase::Working(call);
        self.worked(end?, context)
    }

    fn job(&self, settings: &Settings, context: &TaskContext<'_, Cycgraph>) -> Result<AgentJob, Failure> {
        let node = self.input.node(context.program());
        let agent = node.agent.clone().ok_or_else(|| failures::node_config("agent", &node.id, "agent_id"))?;
        let iteration = f64::from(self.iteration);
        let range = (settings.initial_temperature.value, settings.final_temperature.value);
        let temperature = temperature(range, iteration, settings.max_iterations.value);
        let mut details = Map::new();
        details.insert("annealing_iteration", Value::Number(iteration));
        details.insert("annealing_temperature", Value::Number(temperature));
        if let Some((_, score)) = self.best.as_ref().filter(|_| self.iteration > 0) {
            let feedback = format!("Previous best score: {}. Improve quality.", number_to_text(*score));
            details.insert("feedback", Value::Text(feedback.into()));
        }
        let job = AgentJob::of_node(&self.input, node, agent);
        Ok(AgentJob { context: Some(details.into()), temperature: Some(temperature), ..job })
    }

    /// Scores the agent's result.
    fn worked(
        &mut self,
        result: Result<NodeAction, Failure>,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Option<Result<NodeAction, Failure>> {
        let action = match result {
            Ok(action) => Box::new(action),
            Err(failure) => return Some(Err(failure)),
        };
        let program = context.program().clone();
        let node = self.input.node(&program);
        let settings = settings(&node.work)?;
        let evaluator =
            settings.evaluator.as_ref().map(|evaluator| &evaluator.name).filter(|id| !id.is_empty());
        if let Some(evaluator) = evaluator {
            let subject = gathered::updates(&action).into();
            match JudgeCall::begin(evaluator, &subject, None, &self.input, context) {
                Ok(call) => self.phase = Phase::Judging(call, action),
                Err(failure) => return Some(Err(failure)),
            }
            return None;
        }
        match score(&settings.score_path.value, &action) {
            Ok(score) => self.scored(action, score, 0.0, context),
            Err(message) => Some(Err(failures::not_simulated(&node.id, &message))),
        }
    }

    /// Records an iteration, and begins the next one unless it was the last.
    fn scored(
        &mut self,
        action: Box<NodeAction>,
        score: f64,
        judge_tokens: f64,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Option<Result<NodeAction, Failure>> {
        let program = context.program().clone();
        let settings = settings(&self.input.node(&program).work)?;
        self.worker_usage.add(&action);
        // A judge's tokens count in the total only: it is not known how many were read and written.
        self.worker_usage.tokens.total += judge_tokens;
        let best = self.best.as_ref().map_or(-1.0, |(_, best)| *best);
        if score > best {
            self.best = Some((action, score));
            if self.iteration > 0 && score - best < settings.least_improvement.value {
                return Some(Ok(self.result()));
            }
        }
        if best.max(score) >= settings.threshold.value {
            return Some(Ok(self.result()));
        }
        self.iteration += 1;
        self.phase = Phase::Begin;
        None
    }

    fn result(&mut self) -> NodeAction {
        let best = self.best.take().map_or_else(|| NodeAction::update(Map::new()), |(best, _)| *best);
        NodeAction { usage: Some(self.worker_usage.tokens), ..best }
    }

    fn goes_on(
        &mut self,
        wake: Wake<Output>,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Option<Result<NodeAction, Failure>> {
        let end = match &mut self.phase {
            Phase::Begin => None,
            Phase::Working(call) => {
                let result = call.wake(wake, context)?;
                self.worked(result, context)
            }
            Phase::Judging(call, _) => {
                let judgement = match call.wake(&wake, context)? {
                    Ok(judgement) => judgement,
                    Err(failure) => return Some(Err(failure)),
                };
                match std::mem::replace(&mut self.phase, Phase::Begin) {
                    Phase::Judging(_, action) => {
                        self.scored(action, judgement.score, judgement.tokens, context)
                    }
                    _ => None,
                }
            }
        };
        match (end, &self.phase) {
            (None, Phase::Begin) => self.iterate(context),
            (end, _) => end,
        }
    }
}

fn settings(work: &Work) -> Option<&Settings> {
    match work {
        Work::Agent(agent) => agent.annealing.as_deref(),
        _ => None,
    }
}

/// The score at a path in what an iteration wrote. The error says what nodewise cannot simulate.
fn score(path: &SmolStr, action: &NodeAction) -> Result<f64, String> {
    let mut payload = Map::new();
    payload.insert("updates", gathered::updates(action).into());
    jsonpath::score(&jsonpath::parse(path).path, &payload.into()).map_err(|error| error.message)
}

impl Task<Cycgraph> for Annealing {
    fn step(&mut self, wake: Wake<Output>, context: &mut TaskContext<'_, Cycgraph>) -> Flow<Output> {
        self.goes_on(wake, context).map_or(Flow::Wait, done)
    }

    fn copied(&self) -> Box<dyn Task<Cycgraph>> {
        Box::new(self.clone())
    }

    fn cut_off(&self, _: &mut TaskContext<'_, Cycgraph>) -> Option<Output> {
        match &self.phase {
            Phase::Working(call) => Some(Output::Stopped(Box::new(call.stopped()))),
            _ => None,
        }
    }
}
