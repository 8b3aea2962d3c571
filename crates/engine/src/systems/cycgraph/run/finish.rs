//! How a run ends, or begins to wait (cycgraph:6.2, end; cycgraph:6.12). In: the state, and the error that was
//! thrown; out: the outcome. Invariant: every end is reported exactly once.

use std::sync::Arc;

use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

use super::Run;
use crate::event::EventKind;
use crate::kernel::{Flow, TaskContext};
use crate::outcome::{Failure, Outcome, Status};
use crate::systems::cycgraph::Cycgraph;
use crate::systems::cycgraph::action::Output;
use crate::systems::cycgraph::failures::{NOT_THROWN, PLAIN};
use crate::systems::cycgraph::state::WorkflowStatus;

impl Run {
    /// Ends a stretch of the run by its status, and with the thrown error if there is one.
    pub(super) fn finish(
        &mut self,
        thrown: Option<Failure>,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Flow<Output> {
        let thrown = thrown.or_else(|| self.dead_end.take());
        match self.state.status {
            WorkflowStatus::Completed => {
                self.reporter.emit(context, "workflow:complete", || Value::Undefined)
            }
            WorkflowStatus::Waiting => self.reporter.emit(context, "workflow:waiting", || Value::Undefined),
            WorkflowStatus::Failed => {
                let error = self.state.last_error.clone().unwrap_or_default();
                self.reporter.emit(context, "workflow:failed", || Value::Text(error));
            }
            WorkflowStatus::Cancelled => {
                self.persisted(context);
                self.reporter.emit(context, "workflow:cancelled", || Value::Undefined);
            }
            WorkflowStatus::Timeout => self.reporter.emit(context, "workflow:timeout", || Value::Undefined),
            WorkflowStatus::Pending | WorkflowStatus::Running => {}
        }
        self.come_to_rest(thrown, context)
    }

    /// Ends the run before any visit, because the graph or the host does not allow it.
    pub(super) fn preflight_failed(
        &mut self,
        problem: SmolStr,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Flow<Output> {
        self.fail(problem.clone(), context);
        self.come_to_rest(Some(Failure::new(PLAIN, problem)), context)
    }

    /// Ends the run because its time is over: between two nodes, or before the run continued.
    pub(super) fn timed_out(&mut self, context: &mut TaskContext<'_, Cycgraph>) -> Flow<Output> {
        self.reporter.change(context, "_timeout", || Value::Undefined);
        self.state().turn(WorkflowStatus::Timeout);
        self.persisted(context);
        let failure = self.workflow_timeout(context);
        self.finish(Some(failure), context)
    }

    /// Ends the run because someone outside cancelled it.
    pub(super) fn cancelled(&mut self, context: &mut TaskContext<'_, Cycgraph>) -> Flow<Output> {
        self.stop_attempt(context);
        self.reporter.change(context, "_cancel", || Value::Undefined);
        self.state().turn(WorkflowStatus::Cancelled);
        self.persisted(context);
        self.come_to_rest(None, context)
    }

    /// Ends the run with an error. If the host wants that, undoes the work so far.
    pub(super) fn threw(
        &mut self,
        failure: Failure,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Flow<Output> {
        let undoes = self.outer.is_none() && context.program().host.auto_rollback;
        if undoes && !self.state.compensations.is_empty() {
            self.roll_back(context);
        } else {
            self.fail(failure.message.clone(), context);
            self.reporter.emit(context, "workflow:failed", || Value::Text(failure.message.clone()));
        }
        self.come_to_rest(Some(failure), context)
    }

    fn roll_back(&mut self, context: &mut TaskContext<'_, Cycgraph>) {
        while let Some(compensation) = self.state().compensations.pop() {
            self.reporter.change(context, "_pop_compensation", || Value::Text(compensation.of.clone()));
            if let Some(updates) = undoing(&compensation.action) {
                self.write(None, updates, context);
            }
        }
        self.reporter.change(context, "_cancel", || Value::Undefined);
        self.state().turn(WorkflowStatus::Cancelled);
        self.persisted(context);
        self.reporter.emit(context, "workflow:rollback", || Value::Undefined);
    }

    fn come_to_rest(
        &mut self,
        thrown: Option<Failure>,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Flow<Output> {
        if let Some(timer) = self.deadline.take() {
            context.cancel_timer(timer);
        }
        self.report_stopped(context);
        let outcome = self.outcome(thrown.clone());
        let is_waiting = outcome.status == Status::Waiting;
        if !is_waiting {
            context.emit(EventKind::GraphEnded { scope: self.scope, outcome: Arc::new(outcome.clone()) });
        }
        match (&self.outer, is_waiting) {
            (Some(_), _) if self.attempt.is_some() => {
                self.is_detached = true;
                Flow::Detach(Output::Ran(self.state.clone(), thrown))
            }
            (Some(_), _) => Flow::Done(Output::Ran(self.state.clone(), thrown)),
            (None, true) => Flow::Pause(outcome),
            (None, false) => Flow::End(outcome),
        }
    }

    fn outcome(&self, thrown: Option<Failure>) -> Outcome {
        let status = match self.state.status {
            WorkflowStatus::Completed => Status::Completed,
            WorkflowStatus::Waiting => Status::Waiting,
            WorkflowStatus::Cancelled => Status::Cancelled,
            WorkflowStatus::Timeout => Status::TimedOut,
            WorkflowStatus::Failed | WorkflowStatus::Pending | WorkflowStatus::Running => Status::Failed,
        };
        let last_failure = || {
            let error = self.state.last_error.clone().filter(|_| status == Status::Failed)?;
            Some(Failure::lasting(NOT_THROWN, error))
        };
        Outcome { status, failure: thrown.or_else(last_failure), output: self.state.to_value() }
    }
}

/// What an undoing action writes. The release only accepts complete actions.
fn undoing(action: &Value) -> Option<&Map> {
    let part = |value: &'_ Value, key: &str| match value {
        Value::Map(map) => map.get(key).cloned(),
        _ => None,
    };
    let text = |key: &str| match part(action, key) {
        Some(Value::Text(text)) => Some(text),
        _ => None,
    };
    let metadata = part(action, "metadata")?;
    let has_metadata =
        matches!(part(&metadata, "node_id"), Some(Value::Text(_))) && part(&metadata, "timestamp").is_some();
    let kind = text("type")?;
    let is_complete =
        text("id").is_some_and(|id| is_uuid(&id)) && text("idempotency_key").is_some() && has_metadata;
    if !is_complete || !matches!(kind.as_str(), "update_memory" | "merge_parallel_results") {
        return None;
    }
    match action {
        Value::Map(action) => match action.get("payload")? {
            Value::Map(payload) => match payload.get("updates")? {
                Value::Map(updates) => Some(updates),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

fn is_uuid(text: &str) -> bool {
    let groups: Vec<&str> = text.split('-').collect();
    let lengths: Vec<usize> = groups.iter().map(|group| group.len()).collect();
    lengths == [8, 4, 4, 4, 12] && groups.concat().bytes().all(|byte| byte.is_ascii_hexdigit())
}
