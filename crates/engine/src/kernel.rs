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
    /// What is run: the graphs, ready for execution.
    type Program: Send + Sync;
    /// What tasks yield to the tasks that began them.
    type Output: Clone + Send;

    /// Whether all that follows at once from a wake happens before another wake that is due at the same moment, as in
    /// an event loop of JavaScript, and answers take their time from when they were asked for; otherwise wakes of a
    /// moment come in the order in which they were asked for.
    const RUNS_TO_REST: bool = false;
}

/// A piece of work that takes its steps when it is woken. It never waits by itself, and continues on any thread.
pub trait Task<S: System>: Send {
    /// Continues until something else must happen first.
    fn step(&mut self, wake: Wake<S::Output>, context: &mut TaskContext<'_, S>) -> Flow<S::Output>;

    /// A copy that continues as this one would.
    fn copied(&self) -> Box<dyn Task<S>>;

    /// What it would still yield, at once, when it must stop; nothing where it just stops.
    fn cut_off(&self, _context: &mut TaskContext<'_, S>) -> Option<S::Output> {
        None
    }
}

/// Why a task is woken.
#[derive(Debug, Clone)]
pub enum Wake<O> {
    /// It begins.
    Start,
    /// A question of its own has an answer.
    Answer(AskId, Answer),
    /// A timer of its own is due.
    Timer(TimerId),
    /// A task that it began is done.
    Child(TaskId, O),
    /// Nobody waits for its result any more ([`TaskContext::give_up`]).
    GivenUp,
    /// A person decided; for the first task alone.
    Resumed(Decision),
    /// The run shall end; for the first task alone.
    Cancelled,
}

/// What a task does after a step.
#[derive(Debug, Clone)]
pub enum Flow<O> {
    /// It waits for what it asked for or began.
    Wait,
    Done(O),
    /// It is done for the task that began it, and continues by itself.
    Detach(O),
    /// The whole run waits until a person decides; for the first task alone.
    Pause(Outcome),
    /// The whole run ends.
    End(Outcome),
}

/// What the kernel did, or needs.
#[derive(Debug, Clone)]
pub enum Step {
    /// A task took a step.
    Went,
    /// The world is asked something; the answer goes to [`Kernel::answer`], now or later.
    Asked(AskId, Arc<Ask>),
    /// Nothing can continue before an answer arrives.
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

/// Everything of a run but its tasks.
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
    /// What someone outside changes in the state before a visit begins.
    changes: BTreeMap<VisitId, Map>,
}

/// Who asked a question, and when.
#[derive(Debug, Clone, Copy)]
struct Asker {
    task: TaskId,
    place: TimerPlace,
    at: Millis,
}

/// The first task has the first place.
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

    /// Gives the answer to a question; it arrives when the time that it took is over, counted from the question. Answers to
    /// questions of tasks that are gone are lost.
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

    /// Continues after a pause, when the person took the time that the decision says.
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

    /// Whether the next step gives a question that is in the log already.
    #[must_use]
    pub fn is_asking(&self) -> bool {
        self.rest.is_none() && !self.core.asked.is_empty()
    }

    /// When the next step is due: now, or when a timer or an answer that is given already comes. Nothing is due where the
    /// run waits for answers alone.
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

    /// Ends the run from outside: the first task says how.
    pub fn cancel(&mut self) {
        if !matches!(self.rest, Some(Step::Ended(_))) {
            self.rest = None;
            self.core.emit(EventKind::Cancelled);
            self.core.queue.push(self.core.queue.now(), ROOT, Wake::Cancelled);
        }
    }

    /// What happened so far; without what [`Kernel::take_log`] took.
    #[must_use]
    pub fn log(&self) -> &[Event] {
        &self.core.log
    }

    /// Takes what happened so far out of the run, so that copies of it are small.
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

    /// Gives the run another seed, from here on.
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

    /// The next wake of a task that still lives; time advances to it.
    fn next_wake<S: System>(&mut self, tasks: &Tasks<S>) -> Option<(TaskId, Wake<O>)> {
        let (task, wake) = self.queue.pop(|task| tasks.is_alive(task))?;
        self.wakes += 1;
        // Steps without events are no way around the limit of events.
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
