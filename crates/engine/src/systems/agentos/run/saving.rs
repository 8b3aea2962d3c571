//! Saving checkpoints.
//!
//! Input: a branch at which one is saved; output: an entry of the log. Invariant: what is saved counts the checkpoints
//! before it; graphs inside others count theirs and keep them to themselves.

use std::sync::Arc;

use nodewise_expr::value::Value;

use super::super::AgentOs;
use super::super::checkpoint::Checkpoint;
use super::Run;
use crate::event::EventKind;
use crate::kernel::Context;

impl Run {
    /// Saves a checkpoint at the node of a branch; `pending` are the edges that lead on.
    pub(super) fn save(&mut self, at: usize, pending: Vec<Value>, context: &mut Context<'_, AgentOs>) {
        self.store(at, pending, context);
        self.tell_saved(at, context);
    }

    /// Saves, and tells nobody yet.
    pub(super) fn store(&mut self, at: usize, pending: Vec<Value>, context: &mut Context<'_, AgentOs>) {
        let graph = self.graph(context.program());
        let Some(branch) = self.branches.get_mut(at) else { return };
        let saved = branch.state.saved;
        branch.state.saved = saved.saturating_add(1);
        if self.depth > 0 {
            return;
        }
        self.numbered = self.numbered.saturating_add(1);
        branch.checkpoint = self.numbered;
        let named =
            |ids: &[super::super::program::Id]| ids.iter().map(|id| graph.name(*id).clone()).collect();
        let checkpoint = Checkpoint {
            number: self.numbered,
            run: self.opening.run.clone(),
            graph: graph.id.clone(),
            node: graph.node(branch.node).name.clone(),
            at: self.opening.clock + context.now(),
            input: branch.state.input.clone(),
            scratch: branch.state.scratch.clone(),
            artifacts: branch.state.artifacts.clone(),
            saved,
            results: Arc::new(self.results.iter().cloned().collect()),
            visited: named(self.schedule.completed()),
            skipped: named(self.schedule.skipped()),
            pending,
        };
        context.emit(EventKind::CheckpointSaved {
            checkpoint: self.numbered,
            node: checkpoint.node.clone(),
            content: checkpoint.content(),
        });
    }

    /// Tells the runtime's stream of the checkpoint that a branch saved last.
    pub(super) fn tell_saved(&mut self, at: usize, context: &mut Context<'_, AgentOs>) {
        let graph = self.graph(context.program());
        let Some(branch) = self.branches.get(at) else { return };
        let members = [
            ("checkpointId", Value::Number(f64::from(branch.checkpoint))),
            ("nodeId", Value::Text(graph.node(branch.node).name.clone())),
        ];
        self.tell_of(at, "checkpoint_saved", members, context);
    }
}
