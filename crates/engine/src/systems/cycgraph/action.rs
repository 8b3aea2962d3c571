//! What a visit of a node yields to the run loop. In: the executors' results; out: plain data. Invariant: an action is
//! complete in itself: the loop needs nothing else of the executor to continue.

use std::sync::Arc;

use nodewise_expr::value::Map;
use smol_str::SmolStr;

use super::pending::{Compensation, PendingApproval};
use super::state::{ResumePoint, RunState, WorkflowStatus};
use crate::outcome::Failure;
use crate::time::Millis;
use crate::usage::Usage;

/// What tasks of a run yield to those that began them.
#[derive(Debug, Clone)]
pub enum Output {
    /// What an attempt of a node, or one agent of it, did.
    Acted(Result<Box<NodeAction>, Failure>),
    /// An attempt of a node failed with the error of a node of another graph, at this attempt of that node.
    Threw(Failure, u32),
    /// An attempt of a node, or one agent of it, was stopped because its time was up.
    Stopped(Box<Stopped>),
    /// What a judge says.
    Judged(Result<Judgement, Failure>),
    /// How a graph that a node calls ended, or that it waits; with the error that it throws.
    Ran(Arc<RunState>, Option<Failure>),
}

/// What an attempt comes to that is stopped because its time is up.
#[derive(Debug, Clone)]
pub struct Stopped {
    /// The error that it ends with.
    pub failure: Failure,
    /// What it had used, and the model whose price counts, where that is known.
    pub used: Option<(Tokens, SmolStr)>,
}

/// What a visit yields.
#[derive(Debug, Clone)]
pub struct NodeAction {
    /// What it does to the state.
    pub effect: Effect,
    /// The keys that it taints, each with where the value came from.
    pub taint: Map,
    /// What it used; `None` where nothing is reported.
    pub usage: Option<Tokens>,
    /// The model whose price counts.
    pub model: Option<SmolStr>,
    /// What undoes the work of a graph that the node called.
    pub compensations: Vec<Compensation>,
}

/// What an action does to the state.
#[derive(Debug, Clone)]
pub enum Effect {
    /// It writes.
    Update(Arc<Map>),
    /// It writes what workers have gathered.
    Merge(Arc<Map>),
    /// It says which node comes next.
    Handoff(Box<Handoff>),
    /// It ends the run.
    Status(WorkflowStatus),
    /// It waits for a person.
    Pause(Box<Pause>),
}

/// Which node comes next, without an edge.
#[derive(Debug, Clone)]
pub struct Handoff {
    /// The node.
    pub target: SmolStr,
    pub reasoning: SmolStr,
    /// What is written before the end.
    pub updates: Map,
    /// How often agents of swarms have handed over with this.
    pub swarm_handovers: Option<u64>,
}

/// A wait for a person.
#[derive(Debug, Clone)]
pub struct Pause {
    /// What is asked.
    pub pending: PendingApproval,
    /// How long the answer may take; `None` for a day.
    pub timeout: Option<Millis>,
    /// What the node continues with when the person has answered.
    pub checkpoint: Option<ResumePoint>,
}

/// Tokens, and money where the node knows the sum itself.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Tokens {
    /// Tokens that models read.
    pub input: f64,
    /// Tokens that models wrote.
    pub output: f64,
    /// Tokens in all, as budgets count them.
    pub total: f64,
    /// The cost, where it is not to be worked out from the price of the model.
    pub cost_usd: Option<f64>,
}

/// What a judge says.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// The score, from 0 to 1.
    pub score: f64,
    pub reasoning: SmolStr,
    /// The tokens that it used.
    pub tokens: f64,
}

impl NodeAction {
    /// An action that writes.
    #[must_use]
    pub fn update(updates: Map) -> NodeAction {
        NodeAction::of(Effect::Update(Arc::new(updates)))
    }

    /// An action that writes what workers have gathered.
    #[must_use]
    pub fn merge(updates: Map) -> NodeAction {
        NodeAction::of(Effect::Merge(Arc::new(updates)))
    }

    /// An action with this effect and nothing else.
    #[must_use]
    pub fn of(effect: Effect) -> NodeAction {
        NodeAction { effect, taint: Map::new(), usage: None, model: None, compensations: Vec::new() }
    }

    /// What it writes.
    #[must_use]
    pub fn updates(&self) -> Option<&Map> {
        match &self.effect {
            Effect::Update(updates) | Effect::Merge(updates) => Some(updates),
            Effect::Handoff(handoff) => Some(&handoff.updates),
            Effect::Pause(_) | Effect::Status(_) => None,
        }
    }
}

impl Effect {
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Effect::Update(_) => "update_memory",
            Effect::Merge(_) => "merge_parallel_results",
            Effect::Handoff(_) => "handoff",
            Effect::Status(_) => "set_status",
            Effect::Pause(_) => "request_human_input",
        }
    }
}

impl Tokens {
    /// Adds what another call used.
    pub fn add(&mut self, other: &Tokens) {
        self.input += other.input;
        self.output += other.output;
        self.total += other.total;
        if let Some(cost) = other.cost_usd {
            self.cost_usd = Some(self.cost_usd.unwrap_or_default() + cost);
        }
    }
}

impl From<Usage> for Tokens {
    fn from(usage: Usage) -> Tokens {
        // A script may state money itself; without it the price of the model decides.
        let cost_usd = Some(usage.cost_usd).filter(|cost| *cost > 0.0);
        Tokens { input: usage.input_tokens, output: usage.output_tokens, total: usage.tokens(), cost_usd }
    }
}
