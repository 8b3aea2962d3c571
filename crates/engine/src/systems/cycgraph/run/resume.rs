//! A run continues with a person's decision (cycgraph:6.15). In: the decision; out: the state that the next stretch of the
//! run begins with. Invariant: a decision after the deadline changes nothing.

use nodewise_expr::value::{Map, Value};
use nodewise_model::cycgraph::{HUMAN_DECISION, HUMAN_RESPONSE};
use smol_str::SmolStr;

use super::Run;
use crate::ask::Decision;
use crate::kernel::{Flow, TaskContext};
use crate::systems::cycgraph::action::Output;
use crate::systems::cycgraph::pending::{PendingApproval, PendingKind};
use crate::systems::cycgraph::program::NodeId;
use crate::systems::cycgraph::state::{Current, WorkflowStatus};
use crate::systems::cycgraph::{Cycgraph, failures};

/// The word of a decision that rejects.
const REJECTED: &str = "rejected";

/// An entry of the event log that is written later, when the run continues.
pub(super) enum Deferred {
    /// A person's decision about a node.
    Action(SmolStr),
    /// A change that the engine makes to the state.
    Change(&'static str, Value),
}

impl Run {
    /// Continues with a decision.
    pub(super) fn resume(
        &mut self,
        decision: &Decision,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Flow<Output> {
        // Breakers only live until the next pause, so failures before the pause are forgotten.
        self.breakers.clear();
        let deferred = match self.has_expired(context) {
            true => Vec::new(),
            false => self.take(decision, context),
        };
        self.leg(deferred, context)
    }

    /// Whether the person took longer than allowed.
    pub(super) fn has_expired(&self, context: &TaskContext<'_, Cycgraph>) -> bool {
        let waiting = self.state.waiting.as_ref().filter(|_| self.state.status == WorkflowStatus::Waiting);
        waiting.is_some_and(|waiting| context.now() >= waiting.until)
    }

    /// Makes a decision part of the state; returns the log entries that it causes.
    fn take(&mut self, decision: &Decision, context: &mut TaskContext<'_, Cycgraph>) -> Vec<Deferred> {
        let pending = self.state.waiting.as_ref().map(|waiting| waiting.pending.clone());
        let mut updates = Map::new();
        updates.insert(HUMAN_RESPONSE, decision.data.clone().unwrap_or(Value::Undefined));
        updates.insert(HUMAN_DECISION, Value::Text(decision.word.clone()));
        for (key, value) in decision.updates.iter() {
            updates.insert(key.clone(), value.clone());
        }
        self.write(None, &updates, context);
        let state = self.state();
        if state.turn(WorkflowStatus::Running) {
            state.waiting = None;
        }
        let mut deferred = Vec::new();
        if let Some(pending) = pending {
            // The pause of a graph inside a node does not say which node it is.
            let node = match pending.kind {
                PendingKind::Subgraph => SmolStr::new_static("unknown"),
                _ => pending.node.clone(),
            };
            deferred.push(Deferred::Action(node));
            deferred.extend(self.follow(&pending, decision, context));
        }
        deferred
    }

    fn follow(
        &mut self,
        pending: &PendingApproval,
        decision: &Decision,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Option<Deferred> {
        let rejection = match &pending.kind {
            PendingKind::Subgraph | PendingKind::Remote(..) => return None,
            PendingKind::Approval(rejection) => rejection.clone(),
            PendingKind::Policy => None,
        };
        let program = context.program().clone();
        let graph = program.graph(self.graph);
        if decision.word == REJECTED {
            let target = rejection.and_then(|name| graph.named(&name).map(|node| (name, node)));
            return Some(match target {
                Some((name, node)) => self.go_to(Current { name, node: Some(node) }),
                None => self.turn_to(WorkflowStatus::Cancelled, "_cancel"),
            });
        }
        if pending.kind == PendingKind::Policy {
            self.state().approved.insert(pending.node.clone());
            return None;
        }
        let node = graph.named(&pending.node)?;
        Some(self.approved(node, context))
    }

    /// Continues at the node where an approval leads.
    fn approved(&mut self, node: NodeId, context: &mut TaskContext<'_, Cycgraph>) -> Deferred {
        let program = context.program().clone();
        let node = self.node(node, &program);
        if node.is_end {
            return self.turn_to(WorkflowStatus::Completed, "_complete");
        }
        if let Some(target) = self.next(self.paused_by, node, context) {
            return self.go_to(target);
        }
        if self.completes_implicitly(context) {
            return self.turn_to(WorkflowStatus::Completed, "_complete");
        }
        let error = failures::approved_without_edge(&node.id);
        self.state().fail(error.clone());
        Deferred::Change("_fail", Value::Text(error))
    }

    fn go_to(&mut self, target: Current) -> Deferred {
        let name = target.name.clone();
        self.state().go(target);
        Deferred::Change("_advance", Value::Text(name))
    }

    fn turn_to(&mut self, status: WorkflowStatus, change: &'static str) -> Deferred {
        self.state().turn(status);
        Deferred::Change(change, Value::Undefined)
    }

    /// Writes the log entries that were deferred.
    pub(super) fn replay(&self, deferred: Vec<Deferred>, context: &mut TaskContext<'_, Cycgraph>) {
        for entry in deferred {
            match entry {
                Deferred::Action(node) => self.reporter.entry(context, "action_dispatched", Some(&node)),
                Deferred::Change(name, detail) => self.reporter.change(context, name, || detail),
            }
        }
    }
}
