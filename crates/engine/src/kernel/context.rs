//! What a task can do in a step: tell, ask, wait, begin other tasks.

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

    /// The number of a new visit of a node.
    pub fn new_visit(&mut self) -> VisitId {
        let visit = VisitId(self.core.visits);
        self.core.visits = self.core.visits.saturating_add(1);
        if u64::from(self.core.visits) > self.core.limits.visits {
            self.core.reached = self.core.reached.or(Some(Limit::Visits));
        }
        visit
    }

    /// What someone outside changes in the state before a visit begins.
    pub fn changes_before(&mut self, visit: VisitId) -> Option<Map> {
        self.core.changes.remove(&visit)
    }

    /// The number of a new run of a graph, which lies this deep inside others.
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

    /// A place among the timers that are set from now on, for one that is set later.
    pub fn reserve_place(&mut self) -> TimerPlace {
        self.core.queue.reserve_place()
    }

    /// Sets a timer as if it had been set when its place was reserved; a place is for one timer.
    pub fn set_timer_in_place(&mut self, place: TimerPlace, after: Millis) -> TimerId {
        let at = self.core.queue.now() + after;
        self.core.queue.set_timer_in_place(place, at, self.task)
    }

    /// Which turn of its moment this is: what was due at a moment all along is turn 0, what it asks to happen at once
    /// is turn 1, and so on.
    #[must_use]
    pub fn turn(&self) -> u32 {
        self.core.queue.turn()
    }

    /// Sets a timer that is due at this moment, after so many turns.
    pub fn set_timer_in_turns(&mut self, turns: u32) -> TimerId {
        self.core.queue.set_timer_in_turns(turns, self.task)
    }

    /// Sets a timer that is due at this moment, when nothing else happens at once any more.
    pub fn set_timer_at_rest(&mut self) -> TimerId {
        self.core.queue.set_timer_at_rest(self.task)
    }

    /// Whether a task continues that is done for the one that began it ([`Flow::Detach`]).
    ///
    /// [`Flow::Detach`]: super::Flow::Detach
    #[must_use]
    pub fn has_detached(&self) -> bool {
        self.tasks.has_detached()
    }

    /// Takes a timer back.
    pub fn cancel_timer(&mut self, timer: TimerId) {
        self.core.queue.cancel_timer(timer);
    }

    /// Begins a task; this one is woken when that one is done.
    pub fn begin(&mut self, task: Box<dyn Task<S>>) -> TaskId {
        let id = self.tasks.begin(task, Some(self.task));
        if self.tasks.len() as u64 > u64::from(self.core.limits.fan_out) {
            self.core.reached = self.core.reached.or(Some(Limit::FanOut));
        }
        self.core.queue.push(self.core.queue.now(), id, Wake::Start);
        id
    }

    /// What a task would still yield if it had to stop; it continues as if it had not been asked.
    pub fn cut_off(&mut self, task: TaskId) -> Option<S::Output> {
        let work = self.tasks.take(task)?;
        let output = work.cut_off(self);
        self.tasks.put_back(task, work);
        output
    }

    /// Lets a task know that nobody waits for its result any more.
    pub fn give_up(&mut self, task: TaskId) {
        self.core.queue.push(self.core.queue.now(), task, Wake::GivenUp);
    }

    /// Ends a task that this one began, with everything that it began. Nobody hears of it any more.
    pub fn end(&mut self, task: TaskId) {
        self.tasks.end_with_children(task);
    }
}
