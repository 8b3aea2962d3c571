//! The kernel: tasks that wait for answers, timers and each other, woken in the order of (virtual time, sequence).
//!
//! Input: a system's program, its first task, limits, a seed, and the answers to what the tasks ask. Output: the log.
//! The kernel knows no system: what runs is a [`Task`], and what tasks yield is the system's own [`System::Output`].
//! Invariant: it reads no clock and draws no randomness but the seed's, so that equal input gives an equal log;
//! and a copy of it continues as the original would.

mod context;
mod queue;
mod tasks;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use nodewise_expr::value::{Map, Value};
use rustc_hash::FxHashMap;

use crate::ask::{Answer, Ask, Decision};
use crate::event::{AskId, Event, EventKind, VisitId};
use crate::limits::{Limit, Limits};
use crate::outcome::{Outcome, Status};
use crate::random::Random;
use crate::time::Millis;
use crate::usage::Usage;
pub use context::TaskContext;
use queue::Queue;
pub use queue::{TimerId, TimerPlace};
pub use tasks::TaskId;
use tasks::Tasks;

/// A system whose graphs run: its tasks share a program and a type of result.
pub trait System: Clone + 'static {
    /// The graphs of a run, ready for execution.
    type Program: Send + Sync;
    /// The result that a task gives to the task that began it.
    type Output: Clone + Send;

    /// How wakes of the same moment are ordered. If `true`, everything that follows at once from a wake happens
    /// before the next wake that was already due, as in an event loop of JavaScript, and an answer has the place in
    /// the order that its question had. If `false`, wakes happen in the order in which they were asked for.
    const RUNS_TO_REST: bool = false;
}

/// A piece of work that takes a step each time it is woken. It never blocks, and may continue on any thread.
pub trait Task<S: System>: Send {
    /// Continues until it must wait for something.
    fn step(&mut self, wake: Wake<S::Output>, context: &mut TaskContext<'_, S>) -> Flow<S::Output>;

    /// A copy that continues as the original would.
    fn copied(&self) -> Box<dyn Task<S>>;

    /// The result that the task would yield now if it had to stop; `None` if it would just stop.
    fn cut_off(&self, _context: &mut TaskContext<'_, S>) -> Option<S::Output> {
        None
    }
}

/// Why a task is woken.
#[derive(Debug, Clone)]
pub enum Wake<O> {
    /// The task begins.
    Start,
    /// A question of this task has an answer.
    Answer(AskId, Answer),
    /// A timer of this task is due.
    Timer(TimerId),
    /// A task that this one began is done, with this result.
    Child(TaskId, O),
    /// Nobody waits for its result any more ([`TaskContext::give_up`]).
    GivenUp,
    /// A person decided. Only the first task gets this.
    Resumed(Decision),
    /// The run should end. Only the first task gets this.
    Cancelled,
}

/// What happens to a task after a step.
#[derive(Debug, Clone)]
pub enum Flow<O> {
    /// It waits for answers, timers, or tasks that it began.
    Wait,
    Done(O),
    /// The task that began it gets this result, but this task continues.
    Detach(O),
    /// The whole run waits until a person decides. Only the first task may do this.
    Pause(Outcome),
    /// The whole run ends.
    End(Outcome),
}

/// What a step of the kernel did, or what it needs.
#[derive(Debug, Clone)]
pub enum Step {
    /// A task took a step.
    Went,
    /// The run asks a question. The answer goes to [`Kernel::answer`], now or later.
    Asked(AskId, Arc<Ask>),
    /// Nothing can continue until an answer arrives.
    Blocked,
    /// The run waits for a person; it continues after [`Kernel::resume`].
    Paused(Outcome),
    /// The run is over.
    Ended(Outcome),
}

/// A run.
pub struct Kernel<S: System> {
    program: Arc<S::Program>,
    tasks: Tasks<S>,
    core: Core<S::Output>,
    rest: Option<Step>,
}

/// Everything that belongs to a run, except its tasks.
#[derive(Clone)]
struct Core<O> {
    queue: Queue<O>,
    log: Vec<Event>,
    logged: u64,
    asked: VecDeque<(AskId, Arc<Ask>)>,
    owners: FxHashMap<AskId, Asker>,
    asks: u32,
    visits: u32,
    scopes: u32,
    wakes: u64,
    spent: Usage,
    random: Random,
    limits: Limits,
    reached: Option<Limit>,
    /// Changes of the state that come from outside; each is made when its visit begins.
    changes: BTreeMap<VisitId, Map>,
}

/// The task that asked a question, and when.
#[derive(Debug, Clone, Copy)]
struct Asker {
    task: TaskId,
    place: TimerPlace,
    at: Millis,
}

/// The task that the run began with. It always has the first place.
const ROOT: TaskId = TaskId::FIRST;

impl<S: System> Kernel<S> {
    /// A run that begins with a task.
    #[must_use]
    pub fn new(program: Arc<S::Program>, root: Box<dyn Task<S>>, limits: Limits, seed: u64) -> Kernel<S> {
        let mut tasks = Tasks::default();
        let root = tasks.begin(root, None);
        let mut queue = Queue::new(S::RUNS_TO_REST);
        queue.push(Millis::ZERO, root, Wake::Start);
        let core = Core {
            queue,
            log: Vec::new(),
            logged: 0,
            asked: VecDeque::new(),
            owners: FxHashMap::default(),
            asks: 0,
            visits: 0,
            scopes: 0,
            wakes: 0,
            spent: Usage::default(),
            random: Random::new(seed),
            limits,
            reached: None,
            changes: BTreeMap::new(),
        };
        Kernel { program, tasks, core, rest: None }
    }

    /// Continues by one step.
    pub fn step(&mut self) -> Step {
        if let Some(rest) = &self.rest {
            return rest.clone();
        }
        if let Some(limit) = self.core.reached {
            return self.come_to_rest(Step::Ended(Outcome::of(Status::Stopped(limit), Value::Null)));
        }
        if let Some((ask, what)) = self.core.asked.pop_front() {
            return Step::Asked(ask, what);
        }
        let Some((task, wake)) = self.core.next_wake(&self.tasks) else {
            return Step::Blocked;
        };
        if let Wake::Answer(ask, answer) = &wake {
            self.core.note_answer(*ask, answer);
        }
        self.wake(task, wake)
    }

    /// Gives the answer to a question. It arrives after the time that the answer names, counted from the question.
    /// Answers to questions of tasks that have ended are ignored.
    pub fn answer(&mut self, ask: AskId, answer: Answer) {
        if let Some(Asker { task, place, at }) = self.core.owners.get(&ask).copied() {
            let at = at + answer.after;
            let wake = Wake::Answer(ask, answer);
            match S::RUNS_TO_REST {
                true => self.core.queue.push_in_place(place, at, task, wake),
                false => self.core.queue.push(at, task, wake),
            }
        }
    }

    /// Continues after a pause, when the time that the person took is over.
    pub fn resume(&mut self, decision: Decision) {
        if matches!(self.rest, Some(Step::Paused(_))) {
            self.rest = None;
            self.core.queue.pass(self.core.queue.now() + decision.after);
            self.core.emit(EventKind::Resumed { decision: Arc::new(decision.clone()) });
            self.core.queue.push(self.core.queue.now(), ROOT, Wake::Resumed(decision));
        }
    }

    /// Whether a task still waits for the answer to a question.
    #[must_use]
    pub fn awaits(&self, ask: AskId) -> bool {
        self.core.owners.get(&ask).is_some_and(|asker| self.tasks.is_alive(asker.task))
    }

    /// Whether the next step returns a question that is already in the log.
    #[must_use]
    pub fn is_asking(&self) -> bool {
        self.rest.is_none() && !self.core.asked.is_empty()
    }

    /// When the next step is due: now, or when a timer or a known answer comes. `None` if the run waits only for
    /// answers that are not known yet.
    pub fn due(&mut self) -> Option<Millis> {
        let now = self.core.queue.now();
        match self.rest.is_some() || self.core.reached.is_some() || !self.core.asked.is_empty() {
            true => Some(now),
            false => self.core.queue.due(|task| self.tasks.is_alive(task)),
        }
    }

    /// Changes keys of the state when a visit begins; the visit must not have begun yet.
    pub fn change_state(&mut self, visit: VisitId, changes: Map) {
        self.core.changes.insert(visit, changes);
    }

    /// Ends the run from outside. The first task decides how.
    pub fn cancel(&mut self) {
        if !matches!(self.rest, Some(Step::Ended(_))) {
            self.rest = None;
            self.core.emit(EventKind::Cancelled);
            self.core.queue.push(self.core.queue.now(), ROOT, Wake::Cancelled);
        }
    }

    /// The events so far, without those that [`Kernel::take_log`] took.
    #[must_use]
    pub fn log(&self) -> &[Event] {
        &self.core.log
    }

    /// Removes the events so far from the run and returns them, so that copies of the run stay small.
    pub fn take_log(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.core.log)
    }

    /// The virtual time.
    #[must_use]
    pub fn now(&self) -> Millis {
        self.core.queue.now()
    }

    /// What all answers used so far.
    #[must_use]
    pub fn spent(&self) -> Usage {
        self.core.spent
    }

    /// Gives the run another seed for all random numbers from now on.
    pub fn reseed(&mut self, seed: u64) {
        self.core.random = Random::new(seed);
    }

    #[must_use]
    pub fn program(&self) -> &Arc<S::Program> {
        &self.program
    }

    fn wake(&mut self, task: TaskId, wake: Wake<S::Output>) -> Step {
        let Some(mut work) = self.tasks.take(task) else {
            return Step::Went;
        };
        let mut context =
            TaskContext { task, program: &self.program, tasks: &mut self.tasks, core: &mut self.core };
        match work.step(wake, &mut context) {
            Flow::Wait => {
                self.tasks.put_back(task, work);
                Step::Went
            }
            Flow::Done(output) => {
                if let Some(parent) = self.tasks.end(task) {
                    self.core.queue.push(self.core.queue.now(), parent, Wake::Child(task, output));
                }
                Step::Went
            }
            Flow::Detach(output) => {
                self.tasks.put_back(task, work);
                if let Some(parent) = self.tasks.detach(task) {
                    self.core.queue.push(self.core.queue.now(), parent, Wake::Child(task, output));
                }
                Step::Went
            }
            Flow::Pause(outcome) => {
                self.tasks.put_back(task, work);
                self.come_to_rest(Step::Paused(outcome))
            }
            Flow::End(outcome) => self.come_to_rest(Step::Ended(outcome)),
        }
    }

    fn come_to_rest(&mut self, rest: Step) -> Step {
        self.rest = Some(rest.clone());
        rest
    }
}

impl<S: System> Clone for Kernel<S> {
    fn clone(&self) -> Self {
        Kernel {
            program: self.program.clone(),
            tasks: self.tasks.clone(),
            core: self.core.clone(),
            rest: self.rest.clone(),
        }
    }
}

impl<O: Clone> Core<O> {
    fn emit(&mut self, kind: EventKind) {
        self.logged += 1;
        if self.logged > self.limits.events {
            self.reached = self.reached.or(Some(Limit::Events));
        }
        self.log.push(Event { at: self.queue.now(), kind });
    }

    /// The next wake of a task that still exists; time advances to it.
    fn next_wake<S: System>(&mut self, tasks: &Tasks<S>) -> Option<(TaskId, Wake<O>)> {
        let (task, wake) = self.queue.pop(|task| tasks.is_alive(task))?;
        self.wakes += 1;
        // Steps without events must not get around the limit of events.
        if self.wakes > self.limits.events.saturating_mul(4) {
            self.reached = self.reached.or(Some(Limit::Events));
        }
        if self.queue.now() > self.limits.time {
            self.reached = self.reached.or(Some(Limit::Time));
        }
        Some((task, wake))
    }

    fn note_answer(&mut self, ask: AskId, answer: &Answer) {
        self.owners.remove(&ask);
        self.spent += answer.usage;
        self.emit(EventKind::Answered { ask, answer: Arc::new(answer.clone()) });
        if self.spent.tokens() > self.limits.tokens {
            self.reached = self.reached.or(Some(Limit::Tokens));
        }
        if self.spent.cost_usd > self.limits.cost_usd {
            self.reached = self.reached.or(Some(Limit::Cost));
        }
    }
}
