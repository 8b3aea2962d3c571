//! What a task can do in a step: write to the log, ask, wait, begin other tasks.

use std::sync::Arc;

use nodewise_expr::value::Map;

use super::tasks::{TaskId, Tasks};
use super::{Asker, Core, System, Task, TimerId, TimerPlace, Wake};
use crate::ask::Ask;
use crate::event::{AskId, EventKind, ScopeId, VisitId};
use crate::limits::Limit;
use crate::random::Random;
use crate::time::Millis;

/// What a task can do in a step.
pub struct TaskContext<'k, S: System> {
    pub(super) task: TaskId,
    pub(super) program: &'k Arc<S::Program>,
    pub(super) tasks: &'k mut Tasks<S>,
    pub(super) core: &'k mut Core<S::Output>,
}

impl<'k, S: System> TaskContext<'k, S> {
    #[must_use]
    pub fn program(&self) -> &'k Arc<S::Program> {
        self.program
    }

    /// The virtual time.
    #[must_use]
    pub fn now(&self) -> Millis {
        self.core.queue.now()
    }

    /// The randomness of the run.
    pub fn random(&mut self) -> &mut Random {
        &mut self.core.random
    }

    /// Writes to the log.
    pub fn emit(&mut self, kind: EventKind) {
        self.core.emit(kind);
    }

    /// A number for a new visit of a node.
    pub fn new_visit(&mut self) -> VisitId {
        let visit = VisitId(self.core.visits);
        self.core.visits = self.core.visits.saturating_add(1);
        if u64::from(self.core.visits) > self.core.limits.visits {
            self.core.reached = self.core.reached.or(Some(Limit::Visits));
        }
        visit
    }

    /// The changes of the state that someone outside wants before a visit begins.
    pub fn changes_before(&mut self, visit: VisitId) -> Option<Map> {
        self.core.changes.remove(&visit)
    }

    /// A number for a new run of a graph. `depth` says how many graphs this one is inside of.
    pub fn new_scope(&mut self, depth: u32) -> ScopeId {
        let scope = ScopeId(self.core.scopes);
        self.core.scopes = self.core.scopes.saturating_add(1);
        if depth > self.core.limits.depth {
            self.core.reached = self.core.reached.or(Some(Limit::Depth));
        }
        scope
    }

    /// Asks the world; the task is woken with the answer.
    pub fn ask(&mut self, visit: VisitId, ask: Ask) -> AskId {
        let id = AskId(self.core.asks);
        self.core.asks = self.core.asks.saturating_add(1);
        let what = Arc::new(ask);
        self.core.emit(EventKind::Asked { ask: id, visit, what: what.clone() });
        let place = self.core.queue.reserve_place();
        let at = self.core.queue.now();
        self.core.owners.insert(id, Asker { task: self.task, place, at });
        self.core.asked.push_back((id, what));
        id
    }

    /// Sets a timer; the task is woken when it is due.
    pub fn set_timer(&mut self, after: Millis) -> TimerId {
        let at = self.core.queue.now() + after;
        self.core.queue.set_timer(at, self.task)
    }

    /// Reserves a place in the order of timers, for a timer that is set later.
    pub fn reserve_place(&mut self) -> TimerPlace {
        self.core.queue.reserve_place()
    }

    /// Sets a timer as if it had been set when its place was reserved. Each place is for one timer.
    pub fn set_timer_in_place(&mut self, place: TimerPlace, after: Millis) -> TimerId {
        let at = self.core.queue.now() + after;
        self.core.queue.set_timer_in_place(place, at, self.task)
    }

    /// The turn within the present moment. Turn 0 has the wakes that were already due at this moment. Turn 1 has
    /// those that they ask for at once, and so on.
    #[must_use]
    pub fn turn(&self) -> u32 {
        self.core.queue.turn()
    }

    /// Sets a timer that is due at this moment, after this many turns.
    pub fn set_timer_in_turns(&mut self, turns: u32) -> TimerId {
        self.core.queue.set_timer_in_turns(turns, self.task)
    }

    /// Sets a timer that is due at this moment, when nothing else happens at once.
    pub fn set_timer_at_rest(&mut self) -> TimerId {
        self.core.queue.set_timer_at_rest(self.task)
    }

    /// Whether a task still runs although it is done for the one that began it ([`Flow::Detach`]).
    ///
    /// [`Flow::Detach`]: super::Flow::Detach
    #[must_use]
    pub fn has_detached(&self) -> bool {
        self.tasks.has_detached()
    }

    pub fn cancel_timer(&mut self, timer: TimerId) {
        self.core.queue.cancel_timer(timer);
    }

    /// Begins a task. This task is woken when that one is done.
    pub fn begin(&mut self, task: Box<dyn Task<S>>) -> TaskId {
        let id = self.tasks.begin(task, Some(self.task));
        if self.tasks.len() as u64 > u64::from(self.core.limits.fan_out) {
            self.core.reached = self.core.reached.or(Some(Limit::FanOut));
        }
        self.core.queue.push(self.core.queue.now(), id, Wake::Start);
        id
    }

    /// The result that a task would yield if it had to stop now. The task itself is not changed.
    pub fn cut_off(&mut self, task: TaskId) -> Option<S::Output> {
        let work = self.tasks.take(task)?;
        let output = work.cut_off(self);
        self.tasks.put_back(task, work);
        output
    }

    /// Wakes a task with the information that nobody waits for its result any more.
    pub fn give_up(&mut self, task: TaskId) {
        self.core.queue.push(self.core.queue.now(), task, Wake::GivenUp);
    }

    /// Ends a task that this one began, with everything that it began. None of them yields a result.
    pub fn end(&mut self, task: TaskId) {
        self.tasks.end_with_children(task);
    }
}
