//! Makes an action part of the state (cycgraph:6.2, steps 6 to 11). In: a visit's action; out: the next state, and
//! how the loop continues. Invariant: what a node may not do leaves the state unchanged.

use std::sync::Arc;

use nodewise_expr::value::{Map, Value};
use smol_str::{SmolStr, format_smolstr};

use super::{Next, Run, failures};
use crate::event::{EventKind, VisitId};
use crate::kernel::TaskContext;
use crate::outcome::Failure;
use crate::systems::cycgraph::Cycgraph;
use crate::systems::cycgraph::action::{Effect, Handoff, NodeAction, Pause};
use crate::systems::cycgraph::pending::Compensation;
use crate::systems::cycgraph::program::{NodeId, NodeProgram};
use crate::systems::cycgraph::state::{Current, Handover, Waiting, WorkflowStatus};
use crate::time::Millis;

/// How long a person may take if nothing says how long.
const DEFAULT_WAIT: Millis = Millis(86_400_000);

impl Run {
    /// Makes an action part of the state, counts it, and finds the next node. `is_gate` means that the security
    /// policy pauses the run, not the node.
    pub(super) fn act(
        &mut self,
        visit: VisitId,
        id: NodeId,
        mut action: NodeAction,
        is_gate: bool,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Result<Next, Failure> {
        let program = context.program().clone();
        let node = self.node(id, &program);
        if !is_gate && !is_granted(&action, node) {
            return Err(failures::permission_denied(&node.id));
        }
        self.keep_compensations(node, &mut action, context);
        let result = self.reduce(visit, node, &action, context);
        self.reporter.entry(context, "action_dispatched", Some(&node.id));
        self.account(visit, node, &action, context)?;
        self.reporter.emit_of_inner(context, "node:complete", &node.id);
        context.emit(EventKind::VisitEnded { visit, result: Ok(result) });
        self.reporter.emit(context, "action:applied", || action.effect.word().into());
        self.persisted(context);
        self.reporter.change(context, "_increment_iteration", || Value::Undefined);
        self.state().iterations += 1;
        if self.state.iterations as f64 >= self.state.max_iterations {
            let error = format_smolstr!("Max iterations reached: {}", self.state.iterations);
            self.fail(error, context);
            return Ok(Next::Stop);
        }
        if node.is_end && self.state.status == WorkflowStatus::Running {
            self.complete(context);
            return Ok(Next::Stop);
        }
        if matches!(action.effect, Effect::Update(_) | Effect::Merge(_)) {
            return self.leave(visit, node, context);
        }
        self.persisted(context);
        Ok(Next::Loop)
    }

    pub(super) fn complete(&mut self, context: &mut TaskContext<'_, Cycgraph>) {
        self.reporter.change(context, "_complete", || Value::Undefined);
        self.state().turn(WorkflowStatus::Completed);
        self.persisted(context);
    }

    /// Keeps the actions that undo the work of a node: those that the host adds, and those that an inner graph returns.
    fn keep_compensations(
        &mut self,
        node: &NodeProgram,
        action: &mut NodeAction,
        context: &mut TaskContext<'_, Cycgraph>,
    ) {
        let attached = match self.outer {
            None => context.program().host.compensations.get(&node.id).filter(|_| node.compensated).cloned(),
            Some(_) => None,
        };
        let own = attached.map(|undo| Compensation { of: node.id.clone(), action: undo });
        for compensation in own.into_iter().chain(std::mem::take(&mut action.compensations)) {
            self.reporter.change(context, "_push_compensation", || Value::Text(compensation.of.clone()));
            self.state().compensations.push(compensation);
        }
    }

    /// Applies the effect of an action to the state; returns the result of the visit.
    fn reduce(
        &mut self,
        visit: VisitId,
        node: &NodeProgram,
        action: &NodeAction,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Value {
        match &action.effect {
            Effect::Update(updates) | Effect::Merge(updates) => {
                self.write(Some(visit), updates, context);
                self.state().note_taint(&action.taint);
                if !self.state.checkpoints.is_empty() {
                    self.state().checkpoints.remove(&node.id);
                }
                Value::Map(updates.clone())
            }
            Effect::Handoff(handoff) => {
                self.hand_over(visit, node, handoff, context);
                self.state().note_taint(&action.taint);
                Value::Map(Arc::new(handoff.updates.clone()))
            }
            Effect::Status(status) => {
                self.state().turn(*status);
                Value::Null
            }
            Effect::Pause(pause) => {
                self.pause(visit, node, pause, context);
                Value::Null
            }
        }
    }

    fn hand_over(
        &mut self,
        visit: VisitId,
        node: &NodeProgram,
        handoff: &Handoff,
        context: &mut TaskContext<'_, Cycgraph>,
    ) {
        context.emit(EventKind::HandedOver {
            visit,
            target: handoff.target.clone(),
            reason: handoff.reasoning.clone(),
        });
        let target = context.program().graph(self.graph).named(&handoff.target);
        let iteration = self.state.iterations;
        let state = self.state();
        state.go(Current { name: handoff.target.clone(), node: target });
        state.note_handover(Handover {
            by: node.id.clone(),
            to: handoff.target.clone(),
            reasoning: handoff.reasoning.clone(),
            iteration,
        });
        state.swarm_handovers = handoff.swarm_handovers.unwrap_or(state.swarm_handovers);
        self.write(Some(visit), &handoff.updates, context);
    }

    fn pause(
        &mut self,
        visit: VisitId,
        node: &NodeProgram,
        pause: &Pause,
        context: &mut TaskContext<'_, Cycgraph>,
    ) {
        let now = context.now();
        self.paused_by = Some(visit);
        let state = self.state();
        if let Some(checkpoint) = &pause.checkpoint {
            state.checkpoints.insert(node.id.clone(), checkpoint.clone());
        }
        if state.turn(WorkflowStatus::Waiting) {
            let until = now + pause.timeout.filter(|timeout| timeout.0 > 0).unwrap_or(DEFAULT_WAIT);
            state.waiting = Some(Waiting { since: now, until, pending: pause.pending.clone() });
        }
        context.emit(EventKind::Paused { visit, question: pause.pending.to_value() });
    }

    /// Writes to the memory, and logs what was written and what was refused.
    pub(super) fn write(
        &mut self,
        visit: Option<VisitId>,
        updates: &Map,
        context: &mut TaskContext<'_, Cycgraph>,
    ) {
        if updates.is_empty() {
            return;
        }
        let scope = self.scope;
        self.state().write(updates, |key: &SmolStr, written| match (written, visit) {
            (Ok(value), visit) => {
                context.emit(EventKind::Wrote { scope, visit, key: key.clone(), value: value.clone() });
            }
            (Err(reason), Some(visit)) => {
                let reason = SmolStr::new_static(reason);
                context.emit(EventKind::Dropped { visit, key: key.clone(), reason });
            }
            (Err(_), None) => {}
        });
    }
}

/// Whether a node's grants allow the effect of its action.
fn is_granted(action: &NodeAction, node: &NodeProgram) -> bool {
    let grant = &node.grant;
    match &action.effect {
        Effect::Update(updates) | Effect::Merge(updates) => updates.iter().all(|(key, _)| grant.allows(key)),
        Effect::Status(_) => grant.status,
        Effect::Handoff(_) | Effect::Pause(_) => grant.control_flow,
    }
}
