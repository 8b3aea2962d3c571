//! The result of a visit of a node, for the run loop. In: the executors' results; out: plain data. Invariant: an
//! action is complete in itself: the loop needs nothing else from the executor to continue.

use std::sync::Arc;

use nodewise_expr::value::Map;
use smol_str::SmolStr;

use super::pending::{Compensation, PendingApproval};
use super::state::{ResumePoint, RunState, WorkflowStatus};
use crate::outcome::Failure;
use crate::time::Millis;
use crate::usage::Usage;

/// The results that tasks of a run yield to the tasks that began them.
#[derive(Debug, Clone)]
pub enum Output {
    /// The action of an attempt, or of one agent of it.
    Acted(Result<Box<NodeAction>, Failure>),
    /// An attempt failed because a node of an inner graph failed; the number is the attempt of that inner node.
    Threw(Failure, u32),
    /// An attempt, or one agent of it, was stopped because its time was over.
    Stopped(Box<Stopped>),
    /// The result of a judge.
    Judged(Result<Judgement, Failure>),
    /// An inner graph ended or waits: its state, and the error that it throws, if any.
    Ran(Arc<RunState>, Option<Failure>),
}

/// The result of an attempt that is stopped because its time is over.
#[derive(Debug, Clone)]
pub struct Stopped {
    /// The error that it ends with.
    pub failure: Failure,
    /// What it had used so far, and the model whose price applies; `None` if that is not known.
    pub used: Option<(Tokens, SmolStr)>,
}

/// The result of a visit.
#[derive(Debug, Clone)]
pub struct NodeAction {
    /// How it changes the state.
    pub effect: Effect,
    /// The keys that it taints, each with the source of the value.
    pub taint: Map,
    /// The tokens that it used; `None` if nothing is reported.
    pub usage: Option<Tokens>,
    /// The model whose price applies.
    pub model: Option<SmolStr>,
    /// The actions that undo the work of an inner graph.
    pub compensations: Vec<Compensation>,
}

/// How an action changes the state.
#[derive(Debug, Clone)]
pub enum Effect {
    /// It writes these keys.
    Update(Arc<Map>),
    /// It writes the results of workers under these keys.
    Merge(Arc<Map>),
    /// It names the node that comes next.
    Handoff(Box<Handoff>),
    /// It ends the run with this status.
    Status(WorkflowStatus),
    /// It waits for a person.
    Pause(Box<Pause>),
}

/// Which node comes next, without an edge.
#[derive(Debug, Clone)]
pub struct Handoff {
    /// The node that comes next.
    pub target: SmolStr,
    pub reasoning: SmolStr,
    /// Keys that are written before the run continues there.
    pub updates: Map,
    /// The new count of hand-overs by agents of swarms.
    pub swarm_handovers: Option<u64>,
}

/// A wait for a person.
#[derive(Debug, Clone)]
pub struct Pause {
    /// What the person is asked.
    pub pending: PendingApproval,
    /// How long the answer may take; `None` means a day.
    pub timeout: Option<Millis>,
    /// What the node continues with after the person has answered.
    pub checkpoint: Option<ResumePoint>,
}

/// Tokens; and money, if the node knows the sum itself.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Tokens {
    /// Tokens that models read.
    pub input: f64,
    /// Tokens that models wrote.
    pub output: f64,
    /// All tokens, as budgets count them.
    pub total: f64,
    /// The cost in US dollars; `None` if the price of the model decides.
    pub cost_usd: Option<f64>,
}

/// The result of a judge.
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

    /// An action that writes the results of workers.
    #[must_use]
    pub fn merge(updates: Map) -> NodeAction {
        NodeAction::of(Effect::Merge(Arc::new(updates)))
    }

    /// An action with this effect and nothing else.
    #[must_use]
    pub fn of(effect: Effect) -> NodeAction {
        NodeAction { effect, taint: Map::new(), usage: None, model: None, compensations: Vec::new() }
    }

    /// The keys that it writes, if it writes.
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
    /// Adds the usage of another call.
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
        // A script may state money itself; otherwise the price of the model decides.
        let cost_usd = Some(usage.cost_usd).filter(|cost| *cost > 0.0);
        Tokens { input: usage.input_tokens, output: usage.output_tokens, total: usage.tokens(), cost_usd }
    }
}
