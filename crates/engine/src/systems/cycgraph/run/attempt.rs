//! Visits of nodes: the security policy before them, attempts with waits between them, time limits, circuit breakers
//! (cycgraph:6.4). In: a node; out: its action, or the error that ends its last attempt. Invariant: one attempt at a time.

use nodewise_expr::value::{Map, Value};
use nodewise_model::cycgraph::Work;
use smol_str::{SmolStr, format_smolstr};

use super::{Run, failures};
use crate::event::{EventKind, VisitId};
use crate::kernel::{Flow, TaskContext, TaskId, TimerId};
use crate::outcome::Failure;
use crate::systems::cycgraph::Cycgraph;
use crate::systems::cycgraph::action::{Effect, NodeAction, Output, Pause, Stopped};
use crate::systems::cycgraph::executors;
use crate::systems::cycgraph::host::PolicyEffect;
use crate::systems::cycgraph::input::Input;
use crate::systems::cycgraph::pending::{PendingApproval, PendingKind};
use crate::systems::cycgraph::program::{NodeId, NodeProgram, Program};
use crate::systems::cycgraph::slice::StateSlice;
use crate::time::Millis;

/// A visit that is under way.
#[derive(Debug, Clone)]
pub(super) struct Attempt {
    input: Input,
    /// The task of the attempt; `None` while the visit waits for the next one.
    task: Option<TaskId>,
    limit: Option<TimerId>,
    again: Option<TimerId>,
}

/// The result of an attempt that was stopped because its time was over.
#[derive(Debug, Clone)]
pub(super) struct LateFailure {
    node: NodeId,
    visit: VisitId,
    attempt: u32,
    stopped: Stopped,
}

/// The shortest wait of the release's timers. Even a wait of 0 takes this long, and a time limit may be over before it.
const SHORTEST_TIMER: Millis = Millis(1);

impl Run {
    /// Begins the visit of a node. If the security policy pauses the run instead, returns that pause.
    pub(super) fn enter(
        &mut self,
        node: NodeId,
        program: &Program,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Result<Option<(VisitId, NodeAction)>, Failure> {
        let compiled = self.node(node, program);
        let visit = context.new_visit();
        if let Some(changes) = context.changes_before(visit) {
            self.write(None, &changes, context);
        }
        let slice = StateSlice::new(&self.state, &compiled.reads, &program.nothing);
        context.emit(EventKind::VisitStarted {
            visit,
            scope: self.scope,
            node: compiled.id.clone(),
            reads: slice.value(),
        });
        self.reporter.entry(context, "node_started", Some(&compiled.id));
        self.reporter.emit_of_inner(context, "node:start", &compiled.id);
        match self.gate(compiled, program, context) {
            Ok(None) => {}
            Ok(Some(action)) => return Ok(Some((visit, action))),
            Err(failure) => {
                context.emit(EventKind::VisitEnded { visit, result: Err(failure.clone()) });
                return Err(failure);
            }
        }
        let limit = compiled.timeout.map(|timeout| context.set_timer(timeout));
        self.reporter.emit(context, "node:start", || Value::Text(compiled.id.clone()));
        let input = Input {
            visit,
            scope: self.scope,
            depth: self.depth(),
            graph: self.graph,
            node,
            attempt: 0,
            slice,
            state: self.state.clone(),
            prefix: self.outer.as_ref().map(|outer| outer.path.clone()),
        };
        self.attempt = Some(Attempt { input, task: None, limit, again: None });
        match self.try_node(compiled, program, context) {
            None => Ok(None),
            Some(failure) => {
                self.node_failed(compiled, compiled.attempts, &failure, context);
                context.emit(EventKind::VisitEnded { visit, result: Err(failure.clone()) });
                Err(failure)
            }
        }
    }

    /// What the security policy does with a node that reads tainted keys.
    fn gate(
        &self,
        node: &NodeProgram,
        program: &Program,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Result<Option<NodeAction>, Failure> {
        let is_exempt = matches!(node.work, Work::Human(_));
        if is_exempt || self.state.taint.is_empty() || self.state.approved.contains(&node.id) {
            return Ok(None);
        }
        let Some(decision) = program.host.policy.get(&node.id) else { return Ok(None) };
        let touched = self.state.taint.iter().filter(|(key, _)| node.reads.touches(key));
        let tainted: Value = touched.map(|(key, _)| Value::Text(key.clone())).collect();
        if matches!(&tainted, Value::List(keys) if keys.is_empty()) {
            return Ok(None);
        }
        self.reporter.emit(context, "security:policy", || {
            Value::Text(format_smolstr!("{}: {}", node.id, decision.effect.word()))
        });
        match decision.effect {
            PolicyEffect::Monitor => Ok(None),
            PolicyEffect::Block => Err(failures::policy_violation(&node.id, decision.reason.as_ref())),
            PolicyEffect::RequireApproval => {
                let prompt = decision.prompt.clone().unwrap_or_else(|| {
                    format_smolstr!(
                        "Security policy: node \"{}\" uses untrusted data to perform a sensitive action. Approve to \
                         proceed.",
                        node.id
                    )
                });
                let mut review = Map::new();
                if let Some(reason) = &decision.reason {
                    review.insert("reason", Value::Text(reason.clone()));
                }
                review.insert("tainted_keys", tainted);
                let pending = PendingApproval {
                    node: node.id.clone(),
                    kind: PendingKind::Policy,
                    prompt: Some(prompt),
                    review: review.into(),
                };
                let pause = Pause { pending, timeout: None, checkpoint: None };
                Ok(Some(NodeAction::of(Effect::Pause(Box::new(pause)))))
            }
        }
    }

    /// Begins the next attempt, unless the breaker is open.
    fn try_node(
        &mut self,
        node: &NodeProgram,
        program: &Program,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Option<Failure> {
        let attempt = self.attempt.as_mut()?;
        if let Some(thresholds) = &node.breaker
            && let Some(breaker) = self.breakers.get_mut(&attempt.input.node)
            && !breaker.lets_through(thresholds, context.now())
        {
            self.stop_attempt(context);
            return Some(failures::breaker_open(&node.id));
        }
        attempt.input.attempt += 1;
        attempt.task = Some(context.begin(executors::task(attempt.input.clone(), program)));
        None
    }

    /// Continues after an attempt. `thrown_at` is the attempt that an error of an inner graph names.
    pub(super) fn attempt_ended(
        &mut self,
        task: TaskId,
        result: Result<Box<NodeAction>, Failure>,
        thrown_at: Option<u32>,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Flow<Output> {
        let Some(attempt) = self.attempt.as_mut().filter(|attempt| attempt.task == Some(task)) else {
            return Flow::Wait;
        };
        attempt.task = None;
        if self.is_detached {
            return self.late_attempt_ended(result, thrown_at, context);
        }
        let (id, visit, number) = (attempt.input.node, attempt.input.visit, attempt.input.attempt);
        let program = context.program().clone();
        let node = self.node(id, &program);
        if let Some(thresholds) = &node.breaker {
            self.breakers.entry(id).or_default().note(result.is_ok(), thresholds, context.now());
        }
        match result {
            Ok(action) => {
                self.stop_attempt(context);
                self.reporter.emit(context, "node:complete", || Value::Text(node.id.clone()));
                self.acted(visit, id, *action, context)
            }
            Err(failure) if failure.retryable && number < node.attempts => {
                self.wait_for_next(node, failure, context);
                Flow::Wait
            }
            Err(failure) => {
                self.stop_attempt(context);
                let attempt = thrown_at.unwrap_or(number);
                self.state().failed_attempt = Some(attempt);
                self.node_failed(node, attempt, &failure, context);
                self.visit_threw(visit, failure, context)
            }
        }
    }

    fn wait_for_next(
        &mut self,
        node: &NodeProgram,
        failure: Failure,
        context: &mut TaskContext<'_, Cycgraph>,
    ) {
        let Some((visit, number)) = self.attempt.as_ref().map(|one| (one.input.visit, one.input.attempt))
        else {
            return;
        };
        self.set_next(node, context);
        let wait = node.waits.after(number);
        context.emit(EventKind::Retried { visit, attempt: number, wait, failure });
    }

    fn set_next(&mut self, node: &NodeProgram, context: &mut TaskContext<'_, Cycgraph>) {
        let Some(attempt) = &mut self.attempt else { return };
        let number = attempt.input.attempt;
        attempt.again = Some(context.set_timer(node.waits.after(number).max(SHORTEST_TIMER)));
        self.retried(node, number, context);
    }

    pub(super) fn timer_due(
        &mut self,
        timer: TimerId,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Flow<Output> {
        if self.deadline == Some(timer) {
            self.deadline = None;
            return match &self.attempt {
                Some(attempt) => {
                    let visit = attempt.input.visit;
                    self.cut_off(context);
                    let failure = self.workflow_timeout(context);
                    self.visit_threw(visit, failure, context)
                }
                None => Flow::Wait,
            };
        }
        let Some(attempt) = &mut self.attempt else { return Flow::Wait };
        let (id, visit) = (attempt.input.node, attempt.input.visit);
        let program = context.program().clone();
        let node = self.node(id, &program);
        if attempt_is(&self.attempt, |attempt| attempt.limit == Some(timer)) {
            self.cut_off(context);
            let timeout = node.timeout.unwrap_or_default();
            return self.visit_threw(visit, failures::node_timeout(&node.id, timeout.0), context);
        }
        if attempt_is(&self.attempt, |attempt| attempt.again == Some(timer))
            && let Some(failure) = self.try_node(node, &program, context)
        {
            self.node_failed(node, node.attempts, &failure, context);
            return match self.is_detached {
                true => self.last_attempt_ended(context),
                false => self.visit_threw(visit, failure, context),
            };
        }
        Flow::Wait
    }

    /// Stops waiting for a visit whose time is over. Models are stopped, and their result is reported after the run
    /// has ended. The runtime stops nothing else, and repeats what fails. In an inner graph, where the outer run may
    /// continue, the log therefore has results of calls that nobody waits for.
    fn cut_off(&mut self, context: &mut TaskContext<'_, Cycgraph>) {
        let Some(attempt) = &mut self.attempt else { return };
        let (node, visit, number) = (attempt.input.node, attempt.input.visit, attempt.input.attempt);
        if let Some(limit) = attempt.limit.take() {
            context.cancel_timer(limit);
        }
        if let Some(task) = attempt.task {
            match context.cut_off(task) {
                Some(Output::Stopped(stopped)) => {
                    context.end(task);
                    attempt.task = None;
                    self.stopped = Some(LateFailure { node, visit, attempt: number, stopped: *stopped });
                }
                _ => context.give_up(task),
            }
        }
        if self.outer.is_none() {
            self.stop_attempt(context);
        }
    }

    /// Continues after an attempt of a node whose time is over. Its result is ignored, but a failure is repeated.
    fn late_attempt_ended(
        &mut self,
        result: Result<Box<NodeAction>, Failure>,
        thrown_at: Option<u32>,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Flow<Output> {
        let Some(attempt) = &self.attempt else { return Flow::Wait };
        let (id, number) = (attempt.input.node, attempt.input.attempt);
        let program = context.program().clone();
        let node = self.node(id, &program);
        if let Some(thresholds) = &node.breaker {
            self.breakers.entry(id).or_default().note(result.is_ok(), thresholds, context.now());
        }
        match result {
            Err(failure) if failure.retryable && number < node.attempts => {
                self.set_next(node, context);
                return Flow::Wait;
            }
            Err(failure) => self.node_failed(node, thrown_at.unwrap_or(number), &failure, context),
            Ok(_) => {}
        }
        self.last_attempt_ended(context)
    }

    /// Ends the task of a run that has already ended for its caller.
    fn last_attempt_ended(&mut self, context: &mut TaskContext<'_, Cycgraph>) -> Flow<Output> {
        self.stop_attempt(context);
        Flow::Done(Output::Ran(self.state.clone(), None))
    }

    /// Reports the result of a stopped attempt, as if its node had continued.
    pub(super) fn report_stopped(&mut self, context: &mut TaskContext<'_, Cycgraph>) {
        let Some(LateFailure { node, visit, attempt, stopped }) = self.stopped.take() else { return };
        let program = context.program().clone();
        let node = self.node(node, &program);
        if let Some((used, model)) = &stopped.used {
            self.account_for_failure(visit, used, model, context);
        }
        match stopped.failure.retryable && attempt < node.attempts {
            true if self.attempt.is_some() => self.set_next(node, context),
            true => self.retried(node, attempt, context),
            false => {
                self.node_failed(node, attempt, &stopped.failure, context);
                self.stop_attempt(context);
            }
        }
    }

    fn retried(&self, node: &NodeProgram, number: u32, context: &mut TaskContext<'_, Cycgraph>) {
        let wait = node.waits.after(number);
        self.reporter.emit(context, "node:retry", || {
            let mut detail = Map::new();
            detail.insert("node", Value::Text(node.id.clone()));
            detail.insert("attempt", Value::Number(f64::from(number)));
            detail.insert("backoff_ms", Value::Number(wait.0 as f64));
            detail.into()
        });
    }

    /// Ends the visit that is under way, with every task that it began.
    pub(super) fn stop_attempt(&mut self, context: &mut TaskContext<'_, Cycgraph>) {
        let Some(attempt) = self.attempt.take() else { return };
        if let Some(task) = attempt.task {
            context.end(task);
        }
        for timer in [attempt.limit, attempt.again].into_iter().flatten() {
            context.cancel_timer(timer);
        }
    }

    fn node_failed(
        &self,
        node: &NodeProgram,
        attempt: u32,
        failure: &Failure,
        context: &mut TaskContext<'_, Cycgraph>,
    ) {
        self.reporter.emit(context, "node:failed", || {
            let mut detail = Map::new();
            detail.insert("node", Value::Text(node.id.clone()));
            detail.insert("attempt", Value::Number(f64::from(attempt)));
            detail.insert("error", Value::Text(SmolStr::clone(&failure.message)));
            detail.into()
        });
    }
}

fn attempt_is(attempt: &Option<Attempt>, is_so: impl Fn(&Attempt) -> bool) -> bool {
    attempt.as_ref().is_some_and(is_so)
}
