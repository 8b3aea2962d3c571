//! The state of a run of a graph (cycgraph:6.1), and how actions change it.
//!
//! In: what nodes yield and what the run loop decides; out: the next state, and as values what conditions and reports
//! see. Invariant: memory is written key by key, and keys that begin with `_` never get into it from a node.

mod fields;
mod memory;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

use super::pending::{Compensation, PendingApproval};
use super::program::NodeId;
use super::start::Start;
use crate::time::Millis;
use crate::usage::Usage;
pub use memory::Refused;

/// How many visits the state remembers.
const MOST_VISITED: usize = 1000;
/// How many hand-overs the state remembers.
const MOST_HANDOVERS: usize = 100;
/// How many refused writes the state remembers.
const MOST_DROPS: usize = 50;
/// The shares of the cost budget that are reported when they are reached.
pub(crate) const THRESHOLDS: [f64; 4] = [0.5, 0.75, 0.9, 1.0];

/// The state of a run of a graph.
#[derive(Debug, Clone)]
pub struct RunState {
    pub workflow_id: SmolStr,
    pub run_id: SmolStr,
    /// The goal of the run.
    pub goal: SmolStr,
    /// The constraints of the run.
    pub constraints: Arc<[SmolStr]>,
    pub status: WorkflowStatus,
    /// The node that is visited now, or next.
    pub current: Option<Current>,
    /// How many visits there were.
    pub iterations: u64,
    /// The number of visits at which the run fails.
    pub max_iterations: f64,
    /// How long the run may take, in milliseconds.
    pub max_execution_time_ms: f64,
    /// The values that nodes share, by key.
    pub memory: Arc<Map>,
    /// The most recent visits, in order.
    pub visited: VecDeque<SmolStr>,
    /// The most recent choices of supervisors and swarms.
    pub handovers: VecDeque<Handover>,
    /// The tainted keys, each with the source of its value.
    pub taint: Arc<Map>,
    /// How often agents of swarms have handed over.
    pub swarm_handovers: u64,
    /// The ids of the graphs that this one is inside of, outermost first.
    pub stack: Arc<[SmolStr]>,
    /// What nodes continue with after the person they wait for has answered, by node.
    pub checkpoints: BTreeMap<SmolStr, ResumePoint>,
    /// What a person is asked, while the run waits.
    pub waiting: Option<Waiting>,
    /// The nodes for which a person gave the approval that the security policy wants.
    pub approved: BTreeSet<SmolStr>,
    /// The actions that undo the work so far.
    pub compensations: Vec<Compensation>,
    /// The most recent refused writes.
    pub refused: VecDeque<Refused>,
    /// Tokens and money so far. Tokens that models read and tokens that they wrote are counted apart.
    pub spent: Usage,
    /// Tokens so far, as budgets count them.
    pub tokens: f64,
    /// The most tokens that the run may use.
    pub max_token_budget: Option<f64>,
    /// The most money that the run may use, in US dollars.
    pub budget_usd: Option<f64>,
    /// How many of the cost thresholds were reached.
    pub thresholds_reached: usize,
    /// The text of the last error.
    pub last_error: Option<SmolStr>,
    /// When the run began.
    pub started_at: Option<Millis>,
    /// The attempt of the node whose failure ended the run.
    pub failed_attempt: Option<u32>,
}

/// The progress of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkflowStatus {
    /// It has not begun.
    Pending,
    /// It runs.
    Running,
    /// It waits for a person.
    Waiting,
    /// It reached its end.
    Completed,
    /// Something went wrong.
    Failed,
    Cancelled,
    /// It took too long.
    Timeout,
}

/// The node that is visited now, or next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Current {
    pub name: SmolStr,
    /// The node; `None` if there is none with this name.
    pub node: Option<NodeId>,
}

/// A choice of a supervisor or a swarm.
#[derive(Debug, Clone, PartialEq)]
pub struct Handover {
    /// The node that chose.
    pub by: SmolStr,
    /// The node that was chosen.
    pub to: SmolStr,
    pub reasoning: SmolStr,
    /// How many visits there were before.
    pub iteration: u64,
}

/// What a node continues with after the person it waits for has answered.
#[derive(Debug, Clone)]
pub enum ResumePoint {
    /// The state of its inner graph.
    Graph(Arc<RunState>),
    /// The task of its remote agent.
    Task(SmolStr),
}

/// What a person is asked, and until when.
#[derive(Debug, Clone)]
pub struct Waiting {
    pub since: Millis,
    pub until: Millis,
    /// The question to the person.
    pub pending: PendingApproval,
}

impl WorkflowStatus {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            WorkflowStatus::Pending => "pending",
            WorkflowStatus::Running => "running",
            WorkflowStatus::Waiting => "waiting",
            WorkflowStatus::Completed => "completed",
            WorkflowStatus::Failed => "failed",
            WorkflowStatus::Cancelled => "cancelled",
            WorkflowStatus::Timeout => "timeout",
        }
    }

    fn is_final(self) -> bool {
        matches!(
            self,
            WorkflowStatus::Completed
                | WorkflowStatus::Failed
                | WorkflowStatus::Cancelled
                | WorkflowStatus::Timeout
        )
    }
}

impl RunState {
    /// The state that a run begins with.
    #[must_use]
    pub fn new(start: &Start) -> RunState {
        RunState {
            workflow_id: start.workflow_id.clone(),
            run_id: start.run_id.clone(),
            goal: start.goal.clone(),
            constraints: start.constraints.iter().cloned().collect(),
            status: WorkflowStatus::Pending,
            current: None,
            iterations: 0,
            max_iterations: start.max_iterations,
            max_execution_time_ms: start.max_execution_time_ms,
            memory: Arc::new(start.memory.clone()),
            visited: VecDeque::new(),
            handovers: VecDeque::new(),
            taint: Arc::default(),
            swarm_handovers: 0,
            stack: Arc::default(),
            checkpoints: BTreeMap::new(),
            waiting: None,
            approved: BTreeSet::new(),
            compensations: Vec::new(),
            refused: VecDeque::new(),
            spent: Usage::default(),
            tokens: 0.0,
            max_token_budget: start.max_token_budget,
            budget_usd: start.budget_usd,
            thresholds_reached: 0,
            last_error: None,
            started_at: None,
            failed_attempt: None,
        }
    }

    /// Changes the status. A run that is over cannot run again; its status only changes to another kind of end.
    pub(crate) fn turn(&mut self, status: WorkflowStatus) -> bool {
        let is_allowed = !self.status.is_final() || status.is_final();
        if is_allowed {
            self.status = status;
        }
        is_allowed
    }

    /// Fails the run with this error.
    pub(crate) fn fail(&mut self, error: impl Into<SmolStr>) {
        if self.turn(WorkflowStatus::Failed) {
            self.last_error = Some(error.into());
        }
    }

    /// Makes this the next node.
    pub(crate) fn go(&mut self, current: Current) {
        push_capped(&mut self.visited, current.name.clone(), MOST_VISITED);
        self.current = Some(current);
    }

    /// Remembers a hand-over.
    pub(crate) fn note_handover(&mut self, handover: Handover) {
        push_capped(&mut self.handovers, handover, MOST_HANDOVERS);
    }

    /// The tokens that the run may still use; `None` without a limit.
    #[must_use]
    pub fn tokens_left(&self) -> Option<f64> {
        self.max_token_budget.filter(|budget| *budget != 0.0).map(|budget| budget - self.tokens)
    }

    /// The money that the run may still use; `None` without a limit.
    #[must_use]
    pub fn money_left(&self) -> Option<f64> {
        self.budget_usd.filter(|budget| *budget > 0.0).map(|budget| (budget - self.spent.cost_usd).max(0.0))
    }

    /// The whole state as a value.
    #[must_use]
    pub fn to_value(&self) -> Value {
        fields::all(self)
    }

    /// A field of the state, as conditions see it.
    #[must_use]
    pub fn field(&self, name: &str) -> Value {
        fields::field(self, name)
    }
}

fn push_capped<T>(list: &mut VecDeque<T>, item: T, most: usize) {
    list.push_back(item);
    if list.len() > most {
        list.pop_front();
    }
}
