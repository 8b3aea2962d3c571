//! The ends of a run: no node is ready, a node failed, a person is asked, or the runtime throws an exception.
//!
//! Input: the branch that ends it; output: the last events, and the outcome. Invariant: a graph inside another one ends
//! as its caller sees it: with its artifacts, or with an exception.

use std::sync::Arc;

use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

use super::super::checkpoint;
use super::super::state::State;
use super::super::{AgentOs, Output, THROWN, Yield};
use super::Run;
use super::branch::Stage;
use crate::event::EventKind;
use crate::kernel::{Flow, TaskContext};
use crate::outcome::{Failure, Outcome, Status};

impl Run {
    /// Ends the run because no node is ready.
    pub(super) fn end(&mut self, context: &mut TaskContext<'_, AgentOs>) -> Flow<Output> {
        let state = self.state.clone();
        self.emit_end(&state, context);
        self.stop(Outcome::of(Status::Completed, Value::Map(state.artifacts)), context)
    }

    /// Ends the run with its present state, because a branch failed or asks a person.
    pub(super) fn end_early(
        &mut self,
        at: usize,
        is_batch: bool,
        context: &mut TaskContext<'_, AgentOs>,
    ) -> Flow<Output> {
        let program = context.program();
        let Some(branch) = self.branches.get(at) else { return self.end(context) };
        let node = self.graph(program).node(branch.node);
        let (stage, error) = (branch.stage, branch.error.clone().unwrap_or_default());
        if is_batch {
            self.visited.push(node.name.clone());
            self.iteration = self.iteration.saturating_add(1);
            self.current = node.name.clone();
            let written: Vec<SmolStr> =
                self.branches.iter().flat_map(|branch| branch.written.iter().cloned()).collect();
            let settled = branch.state.clone();
            self.correct(&written, &settled, context);
        }
        let name = || ("nodeId", Value::Text(node.name.clone()));
        let interrupt = |reason: &'static str| [name(), ("reason", Value::from(reason))];
        let limit = limit_in(&error);
        let code = if limit.is_some() { "NODE_TIMEOUT" } else { "NODE_EXECUTION_FAILED" };
        if stage == Stage::Interrupted {
            self.emit_event("interrupt", interrupt("human_approval"), context);
        } else {
            if let Some(limit) = limit {
                self.emit_event("node_timeout", [name(), ("timeoutMs", Value::Number(limit))], context);
            }
            let mut detail = Map::new();
            detail.insert("code", Value::from(code));
            detail.insert("message", Value::Text(error.clone()));
            self.emit_event("error", [name(), ("error", detail.into())], context);
        }
        self.save_now(at, context);
        match stage {
            Stage::Interrupted if is_batch => {
                self.emit_event("interrupt", interrupt("human_approval"), context)
            }
            Stage::Interrupted => {}
            _ if node.is_guardrail => self.emit_event("interrupt", interrupt("guardrail_violation"), context),
            _ => self.emit_event("interrupt", interrupt("error"), context),
        }
        let state = self.branches.get(at).map_or_else(|| self.state.clone(), |branch| branch.state.clone());
        self.state = state.clone();
        self.emit_end(&state, context);
        let output = Value::Map(state.artifacts);
        self.stop(
            match stage {
                Stage::Interrupted => Outcome::of(Status::Waiting, output),
                _ => Outcome { output, ..Outcome::failed(Status::Failed, Failure::new(code, error)) },
            },
            context,
        )
    }

    /// Ends the run with an exception that nothing catches.
    pub(super) fn crash(&mut self, error: SmolStr, context: &mut TaskContext<'_, AgentOs>) -> Flow<Output> {
        if let Some(branch) = self.branches.get(self.last) {
            if branch.buffer.is_some() {
                let name = self.graph(context.program()).node(branch.node).name.clone();
                self.visited.push(name.clone());
                self.iteration = self.iteration.saturating_add(1);
                self.current = name;
            }
            let written: Vec<SmolStr> =
                self.branches.iter().flat_map(|branch| branch.written.iter().cloned()).collect();
            let settled = branch.state.clone();
            self.correct(&written, &settled, context);
            self.state = settled;
        }
        // Checkpoints that share the results also have those of nodes whose end was not reported.
        if self.depth == 0 {
            let (scope, key) = (self.scope, SmolStr::new_static(checkpoint::RESULTS));
            context.emit(EventKind::Wrote {
                scope,
                visit: None,
                key,
                value: Value::Map(self.results.clone()),
            });
        }
        let failure = Failure::lasting(THROWN, error);
        self.stop(Outcome::failed(Status::Crashed, failure), context)
    }

    fn emit_end(&mut self, state: &State, context: &mut TaskContext<'_, AgentOs>) {
        let members = [
            ("runId", Value::Text(self.opening.run.clone())),
            ("finalOutput", Value::Map(state.artifacts.clone())),
            ("totalDurationMs", Value::Number((context.now() - self.began).0 as f64)),
        ];
        self.emit_event("run_end", members, context);
    }

    /// Ends the run. The parts of its state outside the partitions are emitted last.
    pub(super) fn stop(&mut self, outcome: Outcome, context: &mut TaskContext<'_, AgentOs>) -> Flow<Output> {
        let visited = self.visited.iter().map(|node| Value::Text(node.clone()));
        let rest = [
            ("visitedNodes", visited.collect()),
            ("iteration", Value::Number(f64::from(self.iteration))),
            ("currentNodeId", Value::Text(self.current.clone())),
        ];
        for (key, value) in rest {
            let (scope, key) = (self.scope, SmolStr::new_static(key));
            context.emit(EventKind::Wrote { scope, visit: None, key, value });
        }
        context.emit(EventKind::GraphEnded { scope: self.scope, outcome: Arc::new(outcome.clone()) });
        if self.depth == 0 {
            return Flow::End(outcome);
        }
        Flow::Done(Output(Yield::Graph(match (outcome.status, outcome.failure) {
            (Status::Crashed, failure) => Err(failure.map(|failure| failure.message).unwrap_or_default()),
            _ => match outcome.output {
                Value::Map(artifacts) => Ok(artifacts),
                _ => Ok(Arc::default()),
            },
        })))
    }
}

/// The time limit in the text of an error, wherever the error comes from.
fn limit_in(error: &str) -> Option<f64> {
    const WORDS: &str = "timeout after ";
    let lower = error.to_ascii_lowercase();
    lower.match_indices(WORDS).find_map(|(at, _)| {
        let rest = lower.get(at + WORDS.len()..)?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, rest) = rest.split_at_checked(digits)?;
        let limit = digits.parse().ok().filter(|limit: &f64| limit.is_finite());
        limit.filter(|_| rest.starts_with("ms"))
    })
}

#[cfg(test)]
mod tests {
    use super::limit_in;

    #[test]
    fn a_limit_is_found_in_any_text() {
        assert_eq!(limit_in("Node a timeout after 50ms"), Some(50.0));
        assert_eq!(limit_in("é TIMEOUT AFTER xms, Timeout after 7MS later"), Some(7.0));
        assert_eq!(limit_in("Node a timeout after 2.5ms"), None);
        assert_eq!(limit_in("timeout after 5 ms"), None);
    }
}
