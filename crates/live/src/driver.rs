//! The loop between a run and the world, in real time.
//!
//! Input: a prepared run, who answers, a journal. Output: how the run ended, or what it waits for. The kernel has its own time,
//! which follows the clock here: a timer is due when its time has come, an answer when it has arrived. Arrivals have moments of
//! their own, after everything that happened before them, so that the answers and their times alone give the same log again.
//! Invariant: an event is in the journal before anything is done about it, and an answer that the journal has is never asked for.

pub mod again;
mod clock;
mod past;
mod recall;
pub mod turn;

use std::collections::{BTreeMap, VecDeque};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use futures::FutureExt;
use nodewise_engine::ask::{Answer, Ask, Decision, Question, Reply};
use nodewise_engine::event::{AskId, Event};
use nodewise_engine::kernel::Step;
use nodewise_engine::outcome::{Failure, Outcome};
use nodewise_engine::time::Millis;
use nodewise_project::config::live::Again;
use nodewise_simulation::recording::Recording;
use nodewise_simulation::render::json::EventWriter;
use nodewise_simulation::run::Run;
use serde_json::Value as Json;
use smol_str::SmolStr;
use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tracing::{Instrument, Span, info_span};

pub use self::again::ANSWER;
use self::again::EarlierCall;
use self::clock::Clock;
use self::past::Reached;
pub use self::past::{GrowingRun, Past};
pub use self::recall::{Differing, Recall, Recalled};
use self::turn::{AskedAt, RunTurn, Stepped};
use crate::answering::{Answering, Asked, Watch};
use crate::people::{Matter, People, Topic};
use crate::store::StoredDecision;

/// Where the events of a run are kept.
pub trait Journal {
    /// Keeps events, and notes that these questions are put to the world now. Returns for each how often that happened before.
    /// All of it is on disk when this returns.
    ///
    /// # Errors
    /// Where the events cannot be kept; the run must not continue then.
    fn append(&mut self, events: &[Json], starting: &[(AskId, &Ask)]) -> Result<Vec<Attempt>>;

    /// How often a question was put to the world before.
    ///
    /// # Errors
    /// Where the number cannot be read.
    fn attempts(&mut self, id: AskId, ask: &Ask) -> Result<u32>;
}

/// One attempt to put a question to the world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// How many attempts there were before.
    pub before: u32,
    /// Its idempotency key.
    pub key: SmolStr,
}

/// Watches a running run, and can stop or hold it.
pub trait Observer: Send {
    /// Events that happened before: in a run that continues, or in the run that this one was forked from.
    fn happened_before(&mut self, _events: &[Event]) {}

    /// New events, which are kept already.
    fn happened(&mut self, _events: &[Event]) {}

    /// A question is put to the world again, because no answer to an earlier attempt was recorded.
    fn repeated(&mut self, _ask: AskId, _what: &Ask, _before: u32) {}

    /// Whether the driver should stop the run.
    fn is_stopped(&self) -> bool {
        false
    }

    /// Whether [`Observer::hold`] may hold the run. If so, the driver keeps all events before each call of it.
    fn holds(&self) -> bool {
        false
    }

    /// Blocks until the run may continue. The run is about to ask these questions, to get an answer, or to wait. Its clock stops
    /// until this returns. The result answers some of the questions in place of the world.
    fn hold(&mut self, _asking: &[AskId]) -> Vec<(AskId, Answer)> {
        Vec::new()
    }
}

/// Why the driver stopped driving a run.
#[derive(Debug, Clone, PartialEq)]
pub enum RunEnd {
    /// The run has ended.
    Ended(Outcome),
    /// The run waits for people, and nobody decides now.
    Waiting(Vec<Matter>),
    /// The observer stopped it; it can be resumed.
    Interrupted,
    /// Another process cancelled it.
    Cancelled,
}

/// Who takes part in a run.
pub struct Parts<'p> {
    /// The runtime on which calls are made.
    pub runtime: Handle,
    pub answering: Arc<dyn Answering>,
    /// Answers the questions that the run has for people.
    pub people: Arc<dyn People>,
    /// Where events are kept.
    pub journal: &'p mut dyn Journal,
    pub observer: &'p mut dyn Observer,
    /// Observes what happens between a question and its answer.
    pub watch: Arc<dyn Watch>,
}

/// Drives a run in real time.
pub struct Driver<'p> {
    run: Run,
    parts: Parts<'p>,
    writer: EventWriter,
    clock: Clock,
    /// How many events of the log the journal has.
    kept: usize,
    under_way: BTreeMap<AskId, UnderWay>,
    /// Answers that have come back but were not given to the run yet, in the order of arrival.
    arrived: VecDeque<(AskId, Answer)>,
    arrivals: (Sender<Arrival>, Receiver<Arrival>),
}

/// A question that is asked and not answered yet.
struct UnderWay {
    ask: Arc<Ask>,
    asked_at: Millis,
    /// The task that gets the answer. `None` if the answer has arrived, or if nobody decides now.
    work: Option<Work>,
    matter: Option<Matter>,
}

/// A task that is aborted when this is dropped.
struct Work(JoinHandle<()>);

/// A decision that a person made while no process drove the run.
#[derive(Debug, Clone, PartialEq)]
pub struct Taken {
    /// The node that asked. `None` fits any node.
    pub node: Option<SmolStr>,
    /// The question. `None` fits any question of the node.
    pub ask: Option<AskId>,
    pub decision: Decision,
}

impl Taken {
    /// The decision as the store kept it.
    #[must_use]
    pub fn of_stored(kept: &StoredDecision) -> Taken {
        Taken { node: Some(kept.node.clone()), ask: kept.ask, decision: kept.decision.clone() }
    }
}

/// A message from the tasks that wait for the world and for people.
enum Arrival {
    Answer(AskId, Answer),
    /// A person decided whether to repeat a call.
    Again(AskId, Decision),
    /// Nobody decides this question now.
    Open(AskId),
    Decision(Option<Decision>),
}

/// If only people could answer, and nobody is there, the driver still waits for a timer that is due within this time.
const SOON: Millis = Millis(60_000);
/// How often the driver checks whether to stop the run.
const LOOK: Duration = Duration::from_millis(100);

impl<'p> Driver<'p> {
    /// Creates a driver for a run that has not taken a step yet.
    pub fn new(run: Run, parts: Parts<'p>) -> Driver<'p> {
        let facts = run.facts();
        let writer =
            EventWriter::new(facts.system, Arc::clone(&facts.charts), facts.beside.clone(), facts.clock);
        Driver {
            run,
            parts,
            writer,
            clock: Clock::from(Millis::ZERO),
            kept: 0,
            under_way: BTreeMap::new(),
            arrived: VecDeque::new(),
            arrivals: channel(),
        }
    }

    /// Replays what is recorded. Questions without a recorded answer are put to the world again. `away` is how long no process
    /// drove the run, as far as that counts. `decisions` answer what the run waited for.
    ///
    /// # Errors
    /// Where the run takes another path than its record, a decision fits nothing that the run waits for, or the journal fails.
    pub fn resume(&mut self, past: &Past, away: Millis, decisions: Vec<Taken>) -> Result<()> {
        let Reached { mut open, pause, kept } = past.replay(&mut self.run)?;
        // The kernel logs a question before it gives it out, so the record may end between the two.
        while self.run.is_asking() {
            if let Step::Asked(id, ask) = self.run.step() {
                open.push((id, ask, self.run.now()));
            }
        }
        // The writer derives the state from the events, so it has to see the kept events too.
        for event in self.run.log().get(..kept).unwrap_or_default() {
            self.writer.event(event);
        }
        self.parts.observer.happened_before(self.run.log().get(..kept).unwrap_or_default());
        self.kept = kept;
        self.clock = Clock::from(self.run.now() + away);
        let mut decisions = decisions;
        open.retain(|(id, ..)| self.run.awaits(*id));
        // All open questions are checked before any call is made, so that an error leaves no call half done.
        let mut earlier_calls = Vec::new();
        for (id, ask, _) in &open {
            earlier_calls.push(match past.spare.get(id) {
                Some(answer) => EarlierCall::Answered(Box::new(answer.clone())),
                None => self.earlier_call(*id, ask, &mut decisions)?,
            });
        }
        let mut calls = Vec::new();
        for ((id, ask, asked_at), earlier_call) in open.into_iter().zip(earlier_calls) {
            match earlier_call {
                EarlierCall::Answered(answer) => {
                    self.under_way.insert(id, UnderWay { ask, asked_at, work: None, matter: None });
                    self.arrived.push_back((id, *answer));
                }
                EarlierCall::Repeated => calls.push((id, ask, asked_at)),
                EarlierCall::Open => {
                    let matter = Matter::of_question(id, &ask).unwrap_or_else(|| Matter::of_call(id, &ask));
                    self.put_to_people(id, ask, asked_at, matter);
                }
            }
        }
        let calls = self.held(calls)?;
        if self.parts.observer.is_stopped() {
            return Ok(());
        }
        self.call(calls)?;
        let pause = pause.map(|outcome| Matter::of_pause(self.run.log(), &outcome));
        if let Some(decision) = pause.and_then(|matter| taken_for(&matter, &mut decisions, |_| true)) {
            self.go_on(decision);
        }
        if let Some(Taken { node, .. }) = decisions.first() {
            let place = node.as_ref().map(|node| format!(" at `{node}`")).unwrap_or_default();
            bail!(
                "the run is not waiting for a decision{place}\n  help: `nodewise runs show` shows what it waits for"
            );
        }
        Ok(())
    }

    /// Decides what to do with a recorded question that has no answer.
    fn earlier_call(&mut self, id: AskId, ask: &Ask, decisions: &mut Vec<Taken>) -> Result<EarlierCall> {
        if let Some(matter) = Matter::of_question(id, ask) {
            let decision = taken_for(&matter, decisions, |_| true);
            return Ok(decision
                .map_or(EarlierCall::Open, |decision| EarlierCall::Answered(Box::new(answer_of(decision)))));
        }
        let again = match self.parts.answering.again(ask) {
            Again::Ask | Again::Never if self.parts.journal.attempts(id, ask)? == 0 => Again::Repeat,
            again => again,
        };
        again::earlier_call(id, ask, again, decisions)
    }

    /// Drives the run until it ends, waits for a person, or is stopped.
    ///
    /// # Errors
    /// Where the journal fails.
    pub fn drive(&mut self) -> Result<RunEnd> {
        loop {
            if self.parts.observer.is_stopped() {
                self.keep()?;
                return Ok(RunEnd::Interrupted);
            }
            let rest = match RunTurn::of(&mut self.run, self.clock.now(), !self.arrived.is_empty()) {
                RunTurn::Step => self.step()?,
                RunTurn::Deliver(moment) => {
                    self.held(Vec::new())?;
                    self.take_arrival(moment);
                    None
                }
                RunTurn::Wait(due) => {
                    self.keep()?;
                    self.held(Vec::new())?;
                    self.wait(due)?
                }
            };
            if let Some(rest) = rest {
                return Ok(rest);
            }
        }
    }

    /// The recording of the run, once it has stopped with this outcome.
    pub fn recording(&mut self, outcome: Outcome) -> Recording {
        self.run.recording(outcome)
    }

    /// Takes one step of the kernel, and handles what it led to.
    fn step(&mut self) -> Result<Option<RunEnd>> {
        match turn::step(&mut self.run) {
            Stepped::Went => Ok(None),
            Stepped::Asked(asks) => {
                let asks = self.held(asks)?;
                // Nothing new starts once the run was stopped.
                if self.parts.observer.is_stopped() {
                    self.keep()?;
                    return Ok(Some(RunEnd::Interrupted));
                }
                self.put(asks)?;
                Ok(None)
            }
            Stepped::Paused(outcome) => {
                self.keep()?;
                self.held(Vec::new())?;
                match self.parts.observer.is_stopped() {
                    true => Ok(Some(RunEnd::Interrupted)),
                    false => self.ask_people(&outcome),
                }
            }
            Stepped::Ended(outcome) => {
                self.keep()?;
                Ok(Some(RunEnd::Ended(outcome)))
            }
        }
    }

    /// Waits until the observer lets the run continue. The observer may answer some of the questions; the others are returned.
    fn held(&mut self, mut asks: Vec<AskedAt>) -> Result<Vec<AskedAt>> {
        if !self.parts.observer.holds() {
            return Ok(asks);
        }
        self.keep()?;
        let since = Instant::now();
        let ids: Vec<AskId> = asks.iter().map(|(id, ..)| *id).collect();
        let given = self.parts.observer.hold(&ids);
        self.clock.leave_out(since);
        for (id, answer) in given {
            let Some(position) = asks.iter().position(|(asked, ..)| *asked == id) else { continue };
            let (_, ask, asked_at) = asks.remove(position);
            self.under_way.insert(id, UnderWay { ask, asked_at, work: None, matter: None });
            self.arrived.push_back((id, answer));
        }
        Ok(asks)
    }

    /// Keeps the events since the last time, and drops the work for questions that no node waits for any more.
    fn keep(&mut self) -> Result<()> {
        self.keep_starting(&[]).map(drop)
    }

    /// Keeps the events since the last time, and notes that these calls are made now.
    fn keep_starting(&mut self, starting: &[(AskId, &Ask)]) -> Result<Vec<Attempt>> {
        let new = self.run.log().get(self.kept..).unwrap_or_default();
        if new.is_empty() && starting.is_empty() {
            return Ok(Vec::new());
        }
        let written: Vec<Json> = new.iter().map(|event| self.writer.event(event)).collect();
        let attempts = self.parts.journal.append(&written, starting)?;
        self.parts.observer.happened(new);
        self.kept += new.len();
        self.under_way.retain(|id, _| self.run.awaits(*id));
        Ok(attempts)
    }

    /// Makes the calls, and asks people the questions that are theirs. Everything that happened is kept first.
    fn put(&mut self, asks: Vec<AskedAt>) -> Result<()> {
        let (people, calls): (Vec<AskedAt>, Vec<AskedAt>) =
            asks.into_iter().partition(|(id, ask, _)| Matter::of_question(*id, ask).is_some());
        self.call(calls)?;
        for (id, ask, asked_at) in people {
            if let Some(matter) = Matter::of_question(id, &ask) {
                self.put_to_people(id, ask, asked_at, matter);
            }
        }
        Ok(())
    }

    /// Makes calls. They are noted in the journal first, together with everything that happened.
    fn call(&mut self, calls: Vec<AskedAt>) -> Result<()> {
        let starting: Vec<(AskId, &Ask)> = calls.iter().map(|(id, ask, _)| (*id, ask.as_ref())).collect();
        let attempts = self.keep_starting(&starting)?;
        for ((id, ask, asked_at), attempt) in calls.into_iter().zip(attempts) {
            self.start(id, ask, asked_at, attempt);
        }
        Ok(())
    }

    /// Asks a person, in a task of its own.
    fn put_to_people(&mut self, id: AskId, ask: Arc<Ask>, asked_at: Millis, matter: Matter) {
        let arrivals = self.arrivals.0.clone();
        let topic = matter.topic;
        let decided = self.parts.people.decide(matter.clone());
        let answered = async move {
            let arrival = match (decided.await, topic) {
                (Some(decision), Topic::Approval) => Arrival::Answer(id, answer_of(decision)),
                (Some(decision), Topic::Again) => Arrival::Again(id, decision),
                (None, _) => Arrival::Open(id),
            };
            arrivals.send(arrival).ok();
        };
        let work = self.parts.runtime.spawn(answered.instrument(span_of(&ask)));
        self.under_way.insert(id, UnderWay { ask, asked_at, work: Some(Work(work)), matter: Some(matter) });
    }

    /// Makes a call, in a task of its own.
    fn start(&mut self, id: AskId, ask: Arc<Ask>, asked_at: Millis, attempt: Attempt) {
        let Attempt { before, key } = attempt;
        if before > 0 {
            self.parts.observer.repeated(id, &ask, before);
        }
        let arrivals = self.arrivals.0.clone();
        let watch = Arc::clone(&self.parts.watch);
        let asked = Asked { id, ask: Arc::clone(&ask), key, watch };
        let answer = AssertUnwindSafe(self.parts.answering.answer(asked));
        let answered = async move {
            // If a provider panics, that is an answer too: otherwise the run would wait for ever.
            let answer = answer.catch_unwind().await.unwrap_or_else(|_| Answer::failed(fault()));
            arrivals.send(Arrival::Answer(id, answer)).ok();
        };
        let work = self.parts.runtime.spawn(answered.instrument(span_of(&ask)));
        self.under_way.insert(id, UnderWay { ask, asked_at, work: Some(Work(work)), matter: None });
    }

    /// Waits until a timer is due, something arrives, or it is time to check for a stop. Returns an end if nothing can come.
    fn wait(&mut self, due: Option<Millis>) -> Result<Option<RunEnd>> {
        let now = self.clock.now();
        if self.under_way.values().all(|one| one.work.is_none()) {
            let matters: Vec<Matter> = self.under_way.values().filter_map(|one| one.matter.clone()).collect();
            let is_soon = due.is_some_and(|due| due <= now + SOON);
            match matters.is_empty() {
                false if !is_soon => return Ok(Some(RunEnd::Waiting(matters))),
                true if due.is_none() => return Ok(Some(RunEnd::Ended(turn::stalled()))),
                _ => {}
            }
        }
        let until_due = due.map_or(LOOK, |due| Duration::from_millis((due - now).0));
        match self.arrivals.1.recv_timeout(until_due.min(LOOK)) {
            Ok(arrival) => self.note(arrival)?,
            // `Disconnected` cannot happen, because this side holds a sender too.
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
        }
        Ok(None)
    }

    fn note(&mut self, arrival: Arrival) -> Result<()> {
        match arrival {
            Arrival::Answer(id, answer) => self.arrived.push_back((id, answer)),
            Arrival::Again(id, decision) => {
                let Some(UnderWay { ask, asked_at, .. }) = self.under_way.remove(&id) else { return Ok(()) };
                match again::decided(&ask, decision)? {
                    EarlierCall::Repeated | EarlierCall::Open => self.call(vec![(id, ask, asked_at)])?,
                    EarlierCall::Answered(answer) => {
                        self.under_way.insert(id, UnderWay { ask, asked_at, work: None, matter: None });
                        self.arrived.push_back((id, *answer));
                    }
                }
            }
            Arrival::Open(id) => {
                if let Some(one) = self.under_way.get_mut(&id) {
                    one.work = None;
                }
            }
            // The run is not paused any more, so the decision has no effect.
            Arrival::Decision(_) => {}
        }
        Ok(())
    }

    /// Gives the run the answer that arrived first.
    fn take_arrival(&mut self, moment: Millis) {
        let Some((id, answer)) = self.arrived.pop_front() else { return };
        if let Some(one) = self.under_way.remove(&id) {
            turn::deliver(&mut self.run, id, answer, one.asked_at, moment);
        }
    }

    /// Waits until a person decides how a paused run continues.
    fn ask_people(&mut self, outcome: &Outcome) -> Result<Option<RunEnd>> {
        let matter = Matter::of_pause(self.run.log(), outcome);
        let decided = self.parts.people.decide(matter.clone());
        let arrivals = self.arrivals.0.clone();
        let _work = Work(self.parts.runtime.spawn(async move {
            arrivals.send(Arrival::Decision(decided.await)).ok();
        }));
        loop {
            if self.parts.observer.is_stopped() {
                return Ok(Some(RunEnd::Interrupted));
            }
            match self.arrivals.1.recv_timeout(LOOK) {
                Ok(Arrival::Decision(Some(decision))) => {
                    self.go_on(decision);
                    return Ok(None);
                }
                Ok(Arrival::Decision(None)) => return Ok(Some(RunEnd::Waiting(vec![matter]))),
                Ok(other) => self.note(other)?,
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
        }
    }

    /// Continues a paused run. The decision took the time that has passed since the pause.
    fn go_on(&mut self, decision: Decision) {
        turn::go_on(&mut self.run, decision, self.clock.now());
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Removes the first decision that fits a matter and that `counts` accepts, and returns it.
fn taken_for(
    matter: &Matter,
    decisions: &mut Vec<Taken>,
    counts: impl Fn(&Taken) -> bool,
) -> Option<Decision> {
    let fits = |taken: &Taken| {
        taken.node.as_ref().is_none_or(|node| *node == matter.node)
            && (taken.ask.is_none() || taken.ask == matter.ask)
            && counts(taken)
    };
    let position = decisions.iter().position(fits)?;
    Some(decisions.remove(position).decision)
}

/// A decision of a person as the answer to the question.
#[must_use]
pub fn answer_of(decision: Decision) -> Answer {
    Answer::now(Reply::Decision(decision))
}

fn span_of(ask: &Ask) -> Span {
    info_span!("ask", node = ask.node.as_str(), kind = kind(&ask.what), attempt = ask.attempt)
}

/// The kind of a question, for the log.
fn kind(what: &Question) -> &'static str {
    match what {
        Question::Model(_) => "model",
        Question::Tool(_) => "tool",
        Question::Function(_) => "function",
        Question::Extension(_) => "extension",
        Question::Human(_) => "person",
        Question::Guardrail(_) => "guardrail",
        Question::Discovery(_) => "discovery",
        Question::Recall(_) | Question::Remember(_) => "memory",
        Question::Remote(_) => "remote agent",
        Question::Fitness(_) => "fitness",
        Question::Session(_) => "session",
    }
}

/// The failure that a run gets if a provider panics.
#[must_use]
pub fn fault() -> Failure {
    Failure::lasting("InternalError", "nodewise failed internally during this call; please report it")
}
