//! The end of a batch: its branches' events are emitted, and their scratches merged.
//!
//! Input: the branches of a batch; output: the state that the run continues with. Invariant: in the release the artifacts
//! of a batch are dropped; as documented they are kept.

use std::sync::Arc;

use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

use super::super::native;
use super::super::program::Program;
use super::super::reading::Reading;
use super::super::state::{self, State};
use super::super::turns;
use super::super::{AgentOs, Output, Yield};
use super::branch::Stage;
use super::{Run, Turn};
use crate::event::EventKind;
use crate::kernel::{Flow, TaskContext};

impl Run {
    /// A branch is over. When all are, the run continues or ends.
    pub(super) fn branch_ended(&mut self, context: &mut TaskContext<'_, AgentOs>) -> Turn {
        self.running = self.running.saturating_sub(1);
        if self.is_detached {
            return self.last_ended();
        }
        if self.running > 0 {
            return Turn::Waits;
        }
        let is_batch = self.branches.first().is_some_and(|branch| branch.buffer.is_some());
        if is_batch {
            self.owe(turns::BRANCHES);
        }
        for at in 0..self.branches.len() {
            let Some(branch) = self.branches.get_mut(at) else { break };
            let event_turns = branch.emitted.saturating_mul(turns::EVENT);
            for (name, detail) in branch.buffer.take().unwrap_or_default() {
                native::emit(name, detail, context);
            }
            let is_completed = branch.stage == Stage::Completed;
            self.owe(event_turns);
            if !is_completed {
                return Turn::Over(self.end_early(at, is_batch, context));
            }
        }
        match is_batch {
            true => self.merge(context),
            false => {
                if let Some(branch) = self.branches.pop() {
                    self.state = branch.state;
                }
            }
        }
        self.branches.clear();
        self.advance(context)
    }

    /// A branch is over after the run ended for its caller. The last such branch ends the task, without a result.
    fn last_ended(&self) -> Turn {
        match (self.running, &self.ended) {
            (0, None) => Turn::Over(Flow::Done(Output(Yield::Graph(Ok(Arc::default()))))),
            _ => Turn::Waits,
        }
    }

    fn merge(&mut self, context: &mut TaskContext<'_, AgentOs>) {
        let program = context.program().clone();
        let branches = std::mem::take(&mut self.branches);
        let mut merged = self.state.clone();
        for branch in &branches {
            self.merge_scratch(&program, &mut merged.scratch, &branch.state.scratch);
            if program.reading == Reading::Documented {
                let written = branch.written.iter().filter_map(|key| key.strip_prefix("artifacts."));
                for key in written {
                    let value = branch.state.artifacts.get(key).cloned().unwrap_or(Value::Undefined);
                    Arc::make_mut(&mut merged.artifacts).insert(key, value);
                }
            }
        }
        let written: Vec<SmolStr> = branches.into_iter().flat_map(|branch| branch.written).collect();
        self.correct(&written, &merged, context);
        let before = std::mem::replace(&mut self.state, merged);
        self.correct_reduced(&before, context);
    }

    /// Merges each key of a branch's scratch, also keys that it never wrote.
    fn merge_scratch(&mut self, program: &Program, merged: &mut Arc<Map>, branch: &Arc<Map>) {
        let has_reducers = !self.graph(program).reducers.is_empty();
        if Arc::ptr_eq(merged, branch) && !has_reducers {
            return;
        }
        for (key, value) in branch.iter() {
            let there = merged.get(key).cloned();
            let value = match has_reducers {
                true => self.reduced(program, &state::key("scratch", key), there.as_ref(), value),
                false => value.clone(),
            };
            Arc::make_mut(merged).insert(key.clone(), value);
        }
    }

    /// Logs the merged values of keys that branches wrote.
    pub(super) fn correct(
        &self,
        written: &[SmolStr],
        settled: &State,
        context: &mut TaskContext<'_, AgentOs>,
    ) {
        let mut written: Vec<&SmolStr> = written.iter().collect();
        written.sort_unstable();
        written.dedup();
        for key in written {
            let value = match key.split_once('.') {
                Some(("artifacts", name)) => settled.artifacts.get(name),
                Some((_, name)) => settled.scratch.get(name),
                None => None,
            };
            let value = value.cloned().unwrap_or(Value::Undefined);
            context.emit(EventKind::Wrote { scope: self.scope, visit: None, key: key.clone(), value });
        }
    }

    /// Logs the values that reducers made of keys that no branch wrote.
    fn correct_reduced(&self, before: &State, context: &mut TaskContext<'_, AgentOs>) {
        for (key, value) in self.state.scratch.iter() {
            let is_changed = before.scratch.get(key).is_none_or(|before| !before.is_same(value));
            if is_changed {
                let (scope, key) = (self.scope, state::key("scratch", key));
                context.emit(EventKind::Wrote { scope, visit: None, key, value: value.clone() });
            }
        }
    }
}
