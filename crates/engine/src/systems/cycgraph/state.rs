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

/// How many visits are remembered.
const MOST_VISITED: usize = 1000;
/// How many hand-overs are remembered.
const MOST_HANDOVERS: usize = 100;
/// How many refused writes are remembered.
const MOST_DROPS: usize = 50;
/// The shares of the budget at which a run reports that they are spent.
pub(crate) const THRESHOLDS: [f64; 4] = [0.5, 0.75, 0.9, 1.0];

/// The state of a run of a graph.
#[derive(Debug, Clone)]
pub struct RunState {
    pub workflow_id: SmolStr,
    pub run_id: SmolStr,
    /// What the run is to achieve.
    pub goal: SmolStr,
    /// What it must keep to.
    pub constraints: Arc<[SmolStr]>,
    /// Where the run stands.
    pub status: WorkflowStatus,
    /// The node that runs, or comes next.
    pub current: Option<Current>,
    /// How many visits there were.
    pub iterations: u64,
    /// The visits from which the run fails.
    pub max_iterations: f64,
    /// How long the run may take, in milliseconds.
    pub max_execution_time_ms: f64,
    /// What nodes share, by key.
    pub memory: Arc<Map>,
    /// The nodes in the order of their visits: the last ones.
    pub visited: VecDeque<SmolStr>,
    /// What supervisors and swarms have decided: the last ones.
    pub handovers: VecDeque<Handover>,
    /// The tainted keys, each with where its value came from.
    pub taint: Arc<Map>,
    /// How often agents of swarms have handed over.
    pub swarm_handovers: u64,
    /// The graphs that led to this one, outermost first.
    pub stack: Arc<[SmolStr]>,
    /// What nodes continue with when the person they wait for has answered, by node.
    pub checkpoints: BTreeMap<SmolStr, ResumePoint>,
    /// What a person is asked, while the run waits for it.
    pub waiting: Option<Waiting>,
    /// The nodes that a person has approved for the security policy.
    pub approved: BTreeSet<SmolStr>,
    /// What undoes the work so far.
    pub compensations: Vec<Compensation>,
    /// Writes that were refused: the last ones.
    pub refused: VecDeque<Refused>,
    /// Tokens and money so far. Tokens that models read and wrote are kept apart.
    pub spent: Usage,
    /// Tokens so far, as budgets count them.
    pub tokens: f64,
    /// The most tokens.
    pub max_token_budget: Option<f64>,
    /// The most money, in US dollars.
    pub budget_usd: Option<f64>,
    /// How many of the cost thresholds have been reached.
    pub thresholds_reached: usize,
    /// The text of the last error.
    pub last_error: Option<SmolStr>,
    /// When it began.
    pub started_at: Option<Millis>,
    /// The attempt of the node whose failure ended the run.
    pub failed_attempt: Option<u32>,
}

/// Where a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkflowStatus {
    /// It has not begun.
    Pending,
    /// It runs.
    Running,
    /// It waits for a person.
    Waiting,
    /// It did what it had to do.
    Completed,
    /// Something went wrong.
    Failed,
    /// It was ended.
    Cancelled,
    /// It took too long.
    Timeout,
}

/// The node that runs, or comes next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Current {
    pub name: SmolStr,
    /// The node, if there is one of this name.
    pub node: Option<NodeId>,
}

/// What a supervisor or a swarm has decided.
#[derive(Debug, Clone, PartialEq)]
pub struct Handover {
    /// Who decided.
    pub by: SmolStr,
    /// Where the run went.
    pub to: SmolStr,
    pub reasoning: SmolStr,
    /// After how many visits.
    pub iteration: u64,
}

/// What a node continues with when the person it waits for has answered.
#[derive(Debug, Clone)]
pub enum ResumePoint {
    /// The state of the graph inside it.
    Graph(Arc<RunState>),
    /// The task of the remote agent.
    Task(SmolStr),
}

/// What a person is asked.
#[derive(Debug, Clone)]
pub struct Waiting {
    pub since: Millis,
    pub until: Millis,
    /// What is asked.
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

    /// Changes the status, unless the run is over; a run that is over can only be over in another way.
    pub(crate) fn turn(&mut self, status: WorkflowStatus) -> bool {
        let is_allowed = !self.status.is_final() || status.is_final();
        if is_allowed {
            self.status = status;
        }
        is_allowed
    }

    /// Fails, for a reason.
    pub(crate) fn fail(&mut self, error: impl Into<SmolStr>) {
        if self.turn(WorkflowStatus::Failed) {
            self.last_error = Some(error.into());
        }
    }

    /// Goes to a node.
    pub(crate) fn go(&mut self, current: Current) {
        push_capped(&mut self.visited, current.name.clone(), MOST_VISITED);
        self.current = Some(current);
    }

    /// Remembers a hand-over.
    pub(crate) fn note_handover(&mut self, handover: Handover) {
        push_capped(&mut self.handovers, handover, MOST_HANDOVERS);
    }

    /// What is left of the run's tokens; `None` without a limit.
    #[must_use]
    pub fn tokens_left(&self) -> Option<f64> {
        self.max_token_budget.filter(|budget| *budget != 0.0).map(|budget| budget - self.tokens)
    }

    /// What is left of the run's money; `None` without a limit.
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
