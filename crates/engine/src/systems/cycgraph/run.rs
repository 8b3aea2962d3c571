//! The run loop of a graph (cycgraph:6.2): one task that visits node after node until the run completes, fails or waits.
//!
//! In: a program, a state, and a person's decision if the run continues after one; out: the log, and how the run
//! ended. An inner graph runs in a task of the same type. Invariant: only this task changes the state, and every
//! change of the memory is in the log.

mod account;
mod apply;
mod attempt;
mod finish;
mod resume;
mod route;

use std::collections::BTreeMap;
use std::sync::Arc;

use nodewise_expr::value::Value;
use smol_str::SmolStr;

use super::action::{NodeAction, Output};
use super::program::{GraphId, NodeId, NodeProgram, Program};
use super::report::Reporter;
use super::state::{Current, RunState, WorkflowStatus};
use super::{Cycgraph, failures};
use crate::ask::Decision;
use crate::event::{EventKind, ScopeId, VisitId};
use crate::kernel::{Flow, Task, TaskContext, TimerId, Wake};
use crate::outcome::Failure;
use crate::policies::breaker::Breaker;
use crate::time::Millis;
use attempt::{Attempt, LateFailure};

/// A run of a graph.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    state: Arc<RunState>,
    graph: GraphId,
    scope: ScopeId,
    outer: Option<Outer>,
    reporter: Reporter,
    breakers: BTreeMap<NodeId, Breaker>,
    /// When the run began, or last continued.
    began: Millis,
    deadline: Option<TimerId>,
    attempt: Option<Attempt>,
    /// The person's decision with which the run continues.
    decision: Option<Decision>,
    /// The visit that waits for a person.
    paused_by: Option<VisitId>,
    /// The error of a run from which no edge leads on.
    dead_end: Option<Failure>,
    /// The result of an attempt that was stopped because its time was over.
    stopped: Option<LateFailure>,
    /// Whether the run has ended for its caller while attempts still run whose node's time is over.
    is_detached: bool,
}

/// Where an inner graph runs.
#[derive(Debug, Clone)]
pub(crate) struct Outer {
    /// The visit of the node that it is inside of.
    pub(crate) visit: VisitId,
    /// The path of that node, with the nodes that it is inside of.
    pub(crate) path: SmolStr,
    /// How many graphs this one is inside of.
    pub(crate) depth: u32,
}

/// What the loop does next.
enum Next {
    /// It visits the next node.
    Loop,
    /// The loop ends, because the run has ended or waits.
    Stop,
}

impl Run {
    /// The run of the main graph.
    pub(crate) fn main(state: RunState) -> Run {
        Run::new(Program::MAIN, Arc::new(state), None, None)
    }

    /// The run of an inner graph. If it waited for a person, it continues with the decision.
    pub(crate) fn inner(
        graph: GraphId,
        state: Arc<RunState>,
        outer: Outer,
        decision: Option<Decision>,
    ) -> Run {
        Run::new(graph, state, Some(outer), decision)
    }

    fn new(graph: GraphId, state: Arc<RunState>, outer: Option<Outer>, decision: Option<Decision>) -> Run {
        Run {
            state,
            graph,
            scope: ScopeId(0),
            reporter: Reporter::new(outer.as_ref().map(|outer| outer.path.clone())),
            outer,
            breakers: BTreeMap::new(),
            began: Millis::ZERO,
            deadline: None,
            attempt: None,
            decision,
            paused_by: None,
            dead_end: None,
            stopped: None,
            is_detached: false,
        }
    }

    fn state(&mut self) -> &mut RunState {
        Arc::make_mut(&mut self.state)
    }

    fn depth(&self) -> u32 {
        self.outer.as_ref().map_or(0, |outer| outer.depth)
    }

    fn node<'p>(&self, node: NodeId, program: &'p Program) -> &'p NodeProgram {
        program.graph(self.graph).node(node)
    }

    fn persisted(&self, context: &mut TaskContext<'_, Cycgraph>) {
        self.reporter.emit(context, "state:persisted", || Value::Undefined);
    }

    /// Begins the run, or continues with a decision.
    fn begin(&mut self, context: &mut TaskContext<'_, Cycgraph>) -> Flow<Output> {
        self.scope = context.new_scope(self.depth());
        context.emit(EventKind::GraphStarted {
            scope: self.scope,
            graph: context.program().graph(self.graph).id.clone(),
            by: self.outer.as_ref().map(|outer| outer.visit),
            state: Value::Map(self.state.memory.clone()),
        });
        match self.decision.take() {
            Some(decision) => self.resume(&decision, context),
            None => self.leg(Vec::new(), context),
        }
    }

    /// Runs until the next pause or the end. `deferred` are log entries that were made before, and are written first.
    fn leg(
        &mut self,
        deferred: Vec<resume::Deferred>,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Flow<Output> {
        let program = context.program().clone();
        self.began = context.now();
        if let Some(problem) = program.preflight(self.graph) {
            return self.preflight_failed(problem, context);
        }
        self.reporter.emit(context, "workflow:start", || Value::Undefined);
        let is_resumed = !self.state.visited.is_empty() && self.state.current.is_some();
        if is_resumed {
            if self.has_expired(context) {
                // An error about time counts it from when the run started to wait.
                self.began = self.state.waiting.as_ref().map_or(self.began, |waiting| waiting.since);
                return self.timed_out(context);
            }
            self.state().turn(WorkflowStatus::Running);
        } else {
            let graph = program.graph(self.graph);
            let current = Current { node: graph.named(&graph.start), name: graph.start.clone() };
            let now = context.now();
            let state = self.state();
            if state.turn(WorkflowStatus::Running) {
                state.go(current);
                state.started_at = Some(now);
            }
        }
        self.reporter.change(context, "_init", || Value::Bool(is_resumed));
        self.replay(deferred, context);
        self.persisted(context);
        self.reporter.entry(context, "workflow_started", None);
        self.set_deadline(context);
        self.go_on(context)
    }

    fn set_deadline(&mut self, context: &mut TaskContext<'_, Cycgraph>) {
        if let Some(timer) = self.deadline.take() {
            context.cancel_timer(timer);
        }
        let most = self.state.max_execution_time_ms;
        if most > 0.0 {
            self.deadline = Some(context.set_timer(Millis::from_f64(most)));
        }
    }

    /// Visits node after node, until something must be waited for.
    fn go_on(&mut self, context: &mut TaskContext<'_, Cycgraph>) -> Flow<Output> {
        let program = context.program().clone();
        loop {
            let Some(current) =
                self.state.current.clone().filter(|_| self.state.status == WorkflowStatus::Running)
            else {
                return self.finish(None, context);
            };
            if (context.now() - self.began).0 as f64 > self.state.max_execution_time_ms {
                return self.timed_out(context);
            }
            let Some(node) = current.node else {
                let error = smol_str::format_smolstr!("Node not found: {}", current.name);
                self.fail(error, context);
                return self.finish(None, context);
            };
            match self.enter(node, &program, context) {
                Ok(None) => return Flow::Wait,
                Ok(Some((visit, gate))) => match self.act(visit, node, gate, true, context) {
                    Ok(Next::Loop) => {}
                    Ok(Next::Stop) => return self.finish(None, context),
                    Err(failure) => return self.threw(failure, context),
                },
                Err(failure) => return self.threw(failure, context),
            }
        }
    }

    /// Continues after the action of a node.
    fn acted(
        &mut self,
        visit: VisitId,
        node: NodeId,
        action: NodeAction,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Flow<Output> {
        match self.act(visit, node, action, false, context) {
            Ok(Next::Loop) => self.go_on(context),
            Ok(Next::Stop) => self.finish(None, context),
            Err(failure) => self.visit_threw(visit, failure, context),
        }
    }

    /// Ends a visit, and the run with it, because of an error.
    fn visit_threw(
        &mut self,
        visit: VisitId,
        failure: Failure,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Flow<Output> {
        context.emit(EventKind::VisitEnded { visit, result: Err(failure.clone()) });
        self.threw(failure, context)
    }

    fn fail(&mut self, error: SmolStr, context: &mut TaskContext<'_, Cycgraph>) {
        self.reporter.change(context, "_fail", || Value::Text(error.clone()));
        self.state().fail(error);
        self.persisted(context);
    }

    fn workflow_timeout(&self, context: &TaskContext<'_, Cycgraph>) -> Failure {
        let elapsed = context.now() - self.began;
        failures::workflow_timeout(&self.state.workflow_id, &self.state.run_id, elapsed.0)
    }
}

impl Task<Cycgraph> for Run {
    fn step(&mut self, wake: Wake<Output>, context: &mut TaskContext<'_, Cycgraph>) -> Flow<Output> {
        match wake {
            Wake::Start => self.begin(context),
            Wake::Child(task, Output::Acted(result)) => self.attempt_ended(task, result, None, context),
            Wake::Child(task, Output::Threw(failure, attempt)) => {
                self.attempt_ended(task, Err(failure), Some(attempt), context)
            }
            Wake::Timer(timer) => self.timer_due(timer, context),
            Wake::Resumed(decision) => self.resume(&decision, context),
            Wake::Cancelled => self.cancelled(context),
            Wake::Child(..) | Wake::Answer(..) | Wake::GivenUp => Flow::Wait,
        }
    }

    fn copied(&self) -> Box<dyn Task<Cycgraph>> {
        Box::new(self.clone())
    }
}
