//! Saving checkpoints.
//!
//! Input: the branch at which a checkpoint is saved; output: an entry of the log. Invariant: a checkpoint counts
//! those before it; graphs inside others count their own and do not log them.

use std::sync::Arc;

use nodewise_expr::value::{Map, Value};

use super::super::AgentOs;
use super::super::checkpoint::Checkpoint;
use super::super::node::Id;
use super::super::program::Graph;
use super::super::turns;
use super::branch::Next;
use super::{Run, Turn};
use crate::event::EventKind;
use crate::kernel::TaskContext;

/// The names that checkpoints contain. Each checkpoint has those of the one before, and shares them.
#[derive(Debug, Clone, Default)]
pub(super) struct Noted {
    visited: Arc<Map>,
    passed: Arc<Map>,
    /// How many completed and how many skipped names are in it.
    completed: usize,
    skipped: usize,
}

impl Run {
    /// Saves a checkpoint at the node of a branch, which then continues. `pending` are the edges that lead on.
    pub(super) fn save(
        &mut self,
        at: usize,
        pending: Vec<Value>,
        next: Next,
        context: &mut TaskContext<'_, AgentOs>,
    ) -> Turn {
        self.prepare(at, pending, context);
        self.take_turns(at, turns::STORED, next, context)
    }

    /// Saves a checkpoint at once.
    pub(super) fn save_now(&mut self, at: usize, context: &mut TaskContext<'_, AgentOs>) {
        self.prepare(at, Vec::new(), context);
        self.owe(turns::STORED + turns::SAVED_INSIDE);
        self.saved(at, context);
    }

    fn prepare(&mut self, at: usize, pending: Vec<Value>, context: &mut TaskContext<'_, AgentOs>) {
        let graph = self.graph(context.program());
        let Some(branch) = self.branches.get_mut(at) else { return };
        let saved = branch.state.saved;
        branch.state.saved = saved.saturating_add(1);
        if self.depth > 0 {
            return;
        }
        note(&mut self.noted.visited, self.schedule.completed(), &mut self.noted.completed, graph);
        note(&mut self.noted.passed, self.schedule.skipped(), &mut self.noted.skipped, graph);
        branch.saving = Some(Box::new(Checkpoint {
            number: 0,
            run: self.opening.run.clone(),
            graph: graph.id.clone(),
            node: graph.node(branch.node).name.clone(),
            at: self.opening.clock + context.now(),
            input: branch.state.input.clone(),
            scratch: branch.state.scratch.clone(),
            artifacts: branch.state.artifacts.clone(),
            saved,
            results: Arc::default(),
            copied: self.results.len(),
            visited: self.noted.visited.clone(),
            skipped: self.noted.passed.clone(),
            pending,
        }));
    }

    /// Continues when the store has the checkpoint of a branch. The checkpoint also has the results that arrived meanwhile.
    pub(super) fn saved(&mut self, at: usize, context: &mut TaskContext<'_, AgentOs>) {
        let saving = self.branches.get_mut(at).and_then(|branch| branch.saving.take());
        let Some(mut checkpoint) = saving else {
            // A graph inside another one does not log its checkpoints, but takes the same number of turns.
            return self.emit_of_branch(at, "checkpoint_saved", [], context);
        };
        self.numbered = self.numbered.saturating_add(1);
        checkpoint.number = self.numbered;
        checkpoint.results = self.results.clone();
        context.emit(EventKind::CheckpointSaved {
            checkpoint: self.numbered,
            node: checkpoint.node.clone(),
            content: checkpoint.content(),
        });
        let members = [
            ("checkpointId", Value::Number(f64::from(checkpoint.number))),
            ("nodeId", Value::Text(checkpoint.node)),
        ];
        self.emit_of_branch(at, "checkpoint_saved", members, context);
    }
}

/// Adds the names that are new since the last time.
fn note(names: &mut Arc<Map>, all: &[Id], noted: &mut usize, graph: &Graph) {
    for id in all.get(*noted..).unwrap_or_default() {
        let place = Value::Number(names.len() as f64);
        let names = Arc::make_mut(names);
        // A node that runs again, as in documented loops, keeps its first position.
        if names.get(graph.name(*id)).is_none() {
            names.insert(graph.name(*id).clone(), place);
        }
    }
    *noted = all.len();
}
