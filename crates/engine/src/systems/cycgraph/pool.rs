//! Pieces of work of one node, several at once: each free place takes the next piece (cycgraph:6.9).
//!
//! In: a worker pool, which makes the task for a piece; out: the result of each piece, in order. Invariant: a piece
//! is begun once, and at any time there are at most as many pieces under way as there are places.

use nodewise_platform::sorting::Sorting;
use smol_str::{SmolStr, format_smolstr};

use super::action::{NodeAction, Output};
use super::{Cycgraph, failures};
use crate::kernel::{Task, TaskContext, TaskId, TimerId, Wake};
use crate::outcome::Failure;
use crate::time::Millis;

/// Makes the tasks that do the pieces of work.
pub(crate) trait WorkerPool {
    /// The task for a piece.
    fn begin(
        &self,
        piece: usize,
        context: &TaskContext<'_, Cycgraph>,
    ) -> Result<Box<dyn Task<Cycgraph>>, Failure>;

    /// The name of the node that does a piece.
    fn label(&self, piece: usize, context: &TaskContext<'_, Cycgraph>) -> SmolStr;

    /// The reason why no more pieces may begin, if there is one.
    fn refusal(&self) -> Option<SmolStr> {
        None
    }

    /// Whether the usage of earlier pieces decides how many may begin.
    fn is_rationed(&self, _context: &TaskContext<'_, Cycgraph>) -> bool {
        false
    }

    /// Called when a piece is finished.
    fn finished(&mut self, _action: &NodeAction) {}
}

/// The result of a piece: an action, or the text of the error.
pub(crate) type PieceResult = Result<Box<NodeAction>, SmolStr>;

/// The results of all pieces in order, or the failure of the whole work.
pub(crate) type PoolResult = Result<Vec<(usize, PieceResult)>, Failure>;

/// How the pieces of work are to be done.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    /// How many pieces there are.
    pub(crate) total: usize,
    /// How many pieces may be under way at once.
    pub(crate) places: usize,
    /// Whether the first failure of a piece fails the whole work.
    pub(crate) fails_fast: bool,
    /// How long a piece may take.
    pub(crate) timeout: Option<Millis>,
}

/// Pieces of work that are under way.
#[derive(Debug, Clone)]
pub(crate) struct Pool {
    plan: Plan,
    next: usize,
    running: Vec<Running>,
    results: Vec<Option<PieceResult>>,
    failure: Option<Failure>,
    /// Timers of places that take their next piece after everything that finishes at this moment is counted.
    claims: Vec<TimerId>,
    /// Whether no more pieces begin.
    is_given_up: bool,
}

#[derive(Debug, Clone)]
struct Running {
    task: TaskId,
    piece: usize,
    timer: Option<TimerId>,
}

impl Pool {
    /// Begins as many pieces as there are places.
    pub(crate) fn begin(
        plan: Plan,
        crew: &mut impl WorkerPool,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Pool {
        let mut pool = Pool {
            plan,
            next: 0,
            running: Vec::new(),
            results: Vec::new(),
            failure: None,
            claims: Vec::new(),
            is_given_up: false,
        };
        for _ in 0..plan.places.clamp(1, plan.total.max(1)) {
            pool.claim(crew, context);
        }
        pool
    }

    /// Continues after a wake. Wakes that belong to others are ignored.
    pub(crate) fn wake(
        &mut self,
        wake: Wake<Output>,
        crew: &mut impl WorkerPool,
        context: &mut TaskContext<'_, Cycgraph>,
    ) {
        let (place, result) = match wake {
            Wake::Child(task, Output::Acted(result)) => {
                let Some(place) = self.running.iter().position(|running| running.task == task) else {
                    return;
                };
                (place, Some(result.map_err(|failure| failure.message)))
            }
            Wake::GivenUp => {
                self.give_up(crew, context);
                return;
            }
            Wake::Timer(timer) if self.claims.contains(&timer) => {
                self.claims.retain(|claim| *claim != timer);
                self.claim(crew, context);
                return;
            }
            Wake::Timer(timer) => {
                let is_due = |running: &Running| running.timer == Some(timer);
                let Some(place) = self.running.iter().position(is_due) else { return };
                (place, None)
            }
            _ => return,
        };
        let running = self.running.remove(place);
        let result = result.unwrap_or_else(|| {
            context.end(running.task);
            Err(self.timeout_text(&crew.label(running.piece, context), running.piece))
        });
        if let Some(timer) = running.timer {
            context.cancel_timer(timer);
        }
        if let Ok(action) = &result {
            crew.finished(action);
        }
        self.note(running.piece, result, crew, context);
        match crew.is_rationed(context) {
            true => self.claims.push(context.set_timer(Millis::ZERO)),
            false => self.claim(crew, context),
        }
    }

    /// The result if no more pieces begin, and those under way must stop; `None` if one of them continues.
    pub(crate) fn cut_off(
        &self,
        crew: &impl WorkerPool,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Option<PoolResult> {
        let mut stopped = self.clone();
        stopped.claims.clear();
        stopped.running.arrange_by_key(|running| running.piece);
        for running in std::mem::take(&mut stopped.running) {
            let Some(Output::Stopped(end)) = context.cut_off(running.task) else { return None };
            stopped.note(running.piece, Err(end.failure.message), crew, context);
        }
        stopped.take_results()
    }

    /// Begins no more pieces. Pieces under way stop if they can, and the others continue.
    fn give_up(&mut self, crew: &impl WorkerPool, context: &mut TaskContext<'_, Cycgraph>) {
        self.is_given_up = true;
        for claim in self.claims.drain(..) {
            context.cancel_timer(claim);
        }
        self.running.arrange_by_key(|running| running.piece);
        for running in std::mem::take(&mut self.running) {
            let Some(Output::Stopped(end)) = context.cut_off(running.task) else {
                self.running.push(running);
                continue;
            };
            context.end(running.task);
            if let Some(timer) = running.timer {
                context.cancel_timer(timer);
            }
            self.note(running.piece, Err(end.failure.message), crew, context);
        }
    }

    /// The results, if no piece is under way any more.
    pub(crate) fn take_results(&mut self) -> Option<PoolResult> {
        if !self.running.is_empty() || !self.claims.is_empty() {
            return None;
        }
        if let Some(failure) = self.failure.take() {
            return Some(Err(failure));
        }
        let results = std::mem::take(&mut self.results).into_iter().enumerate();
        Some(Ok(results.filter_map(|(piece, result)| Some((piece, result?))).collect()))
    }

    /// Lets one place take the next piece that may begin.
    fn claim(&mut self, crew: &mut impl WorkerPool, context: &mut TaskContext<'_, Cycgraph>) {
        while self.failure.is_none() && !self.is_given_up {
            if let Some(reason) = crew.refusal() {
                let text = format_smolstr!("skipped: {reason}");
                while self.next < self.plan.total {
                    self.set(self.next, Err(text.clone()));
                    self.next += 1;
                }
            }
            if self.next >= self.plan.total {
                return;
            }
            let piece = self.next;
            self.next += 1;
            match crew.begin(piece, context) {
                Ok(task) => {
                    let task = context.begin(task);
                    let timer = self.plan.timeout.map(|timeout| context.set_timer(timeout));
                    self.running.push(Running { task, piece, timer });
                    return;
                }
                Err(failure) => self.note(piece, Err(failure.message), crew, context),
            }
        }
    }

    fn note(
        &mut self,
        piece: usize,
        result: PieceResult,
        crew: &impl WorkerPool,
        context: &TaskContext<'_, Cycgraph>,
    ) {
        if let Err(text) = &result
            && self.plan.fails_fast
            && self.failure.is_none()
        {
            self.failure = Some(task_failed(piece, &crew.label(piece, context), text));
        }
        self.set(piece, result);
    }

    fn set(&mut self, piece: usize, result: PieceResult) {
        if self.results.len() <= piece {
            self.results.resize(piece + 1, None);
        }
        if let Some(slot) = self.results.get_mut(piece) {
            *slot = Some(result);
        }
    }

    fn timeout_text(&self, label: &str, piece: usize) -> SmolStr {
        let timeout = self.plan.timeout.unwrap_or_default().0;
        format_smolstr!("Task {piece} ({label}) timed out after {timeout}ms")
    }
}

/// The failure of the whole work because of one piece.
fn task_failed(piece: usize, label: &str, text: &str) -> Failure {
    Failure::new(failures::PLAIN, format_smolstr!("Task {piece} ({label}) failed: {text}"))
}
