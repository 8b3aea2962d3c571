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

/// Where events are kept.
pub trait Journal {
    /// Keeps events, and notes that these questions are put to the world now; says how often each was before. All of it is
    /// on disk when this returns.
    ///
    /// # Errors
    /// Where it cannot be kept; the run must not continue then.
    fn append(&mut self, events: &[Json], starting: &[(AskId, &Ask)]) -> Result<Vec<Attempt>>;

    /// How often a question was put to the world before.
    ///
    /// # Errors
    /// Where that is not readable.
    fn attempts(&mut self, id: AskId, ask: &Ask) -> Result<u32>;
}

/// A question that is put to the world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// How often it was put to the world before.
    pub before: u32,
    /// Its idempotency key.
    pub key: SmolStr,
}

/// What observers of a running run see.
pub trait Observer: Send {
    /// Events happened before: in a run that continues, or in the one that it began from.
    fn happened_before(&mut self, _events: &[Event]) {}

    /// Events happened, and are kept.
    fn happened(&mut self, _events: &[Event]) {}

    /// A question is put to the world again: what was begun before was not recorded to its end.
    fn repeated(&mut self, _ask: AskId, _what: &Ask, _before: u32) {}

    /// Whether the run shall be stopped.
    fn is_stopped(&self) -> bool {
        false
    }

    /// Whether the observer holds the run now and then. Then what happened is kept before each time that it can.
    fn holds(&self) -> bool {
        false
    }

    /// Returns when the run may continue. The run is about to ask these questions, to be given an answer, or to wait; its clock
    /// stands until this returns. The result answers some of the questions in place of the world.
    fn hold(&mut self, _asking: &[AskId]) -> Vec<(AskId, Answer)> {
        Vec::new()
    }
}

/// Where a run came to.
#[derive(Debug, Clone, PartialEq)]
pub enum RunEnd {
    /// It is over.
    Ended(Outcome),
    /// Nobody decided what it waits for.
    Waiting(Vec<Matter>),
    /// The observer stopped it; it can be resumed.
    Interrupted,
    /// Another process cancelled it.
    Cancelled,
}

/// Who takes part in a run.
pub struct Parts<'p> {
    /// Where calls are made.
    pub runtime: Handle,
    pub answering: Arc<dyn Answering>,
    /// Who decides.
    pub people: Arc<dyn People>,
    /// Where events are kept.
    pub journal: &'p mut dyn Journal,
    pub observer: &'p mut dyn Observer,
    /// Observes what happens between a question and its answer.
    pub watch: Arc<dyn Watch>,
}

/// A run in real time.
pub struct Driver<'p> {
    run: Run,
    parts: Parts<'p>,
    writer: EventWriter,
    clock: Clock,
    /// How many events are kept.
    kept: usize,
    under_way: BTreeMap<AskId, UnderWay>,
    /// What came back and was not given to the run yet, in order.
    arrived: VecDeque<(AskId, Answer)>,
    arrivals: (Sender<Arrival>, Receiver<Arrival>),
}

/// A question that the world works on.
struct UnderWay {
    ask: Arc<Ask>,
    asked_at: Millis,
    /// None, where the question is open until a person decides.
    work: Option<Work>,
    matter: Option<Matter>,
}

/// Work that is given up when nobody holds it any more.
struct Work(JoinHandle<()>);

/// A decision that was taken while the run stood still.
#[derive(Debug, Clone, PartialEq)]
pub struct Taken {
    /// The node that asked; none where it is the only one.
    pub node: Option<SmolStr>,
    /// The question, where it is known; otherwise any of the node.
    pub ask: Option<AskId>,
    pub decision: Decision,
}

impl Taken {
    /// A decision that the store keeps.
    #[must_use]
    pub fn of_stored(kept: &StoredDecision) -> Taken {
        Taken { node: Some(kept.node.clone()), ask: kept.ask, decision: kept.decision.clone() }
    }
}

/// Something that came back from the world.
enum Arrival {
    Answer(AskId, Answer),
    /// A person decided whether to make a call again.
    Again(AskId, Decision),
    /// Nobody decides now.
    Open(AskId),
    Decision(Option<Decision>),
}

/// Where people are away, a timer is waited for that is due within this time.
const SOON: Millis = Millis(60_000);
/// How often the driver checks whether to stop the run.
const LOOK: Duration = Duration::from_millis(100);

impl<'p> Driver<'p> {
    /// A run that begins now.
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

    /// Goes through what is recorded; what it asked and nobody recorded an answer to is put to the world again. `away` is how
    /// long the run stood still, as far as it counts; `decisions` answer what it waited for.
    ///
    /// # Errors
    /// Where the run does not go as it is recorded, a decision is about nothing that it waits for, or its journal fails.
    pub fn resume(&mut self, past: &Past, away: Millis, decisions: Vec<Taken>) -> Result<()> {
        let Reached { mut open, pause, kept } = past.replay(&mut self.run)?;
        // A question is in the log before it is given, so the record may end in between.
        while self.run.is_asking() {
            if let Step::Asked(id, ask) = self.run.step() {
                open.push((id, ask, self.run.now()));
            }
        }
        // The writer folds the state, so it has to see the kept events too.
        for event in self.run.log().get(..kept).unwrap_or_default() {
            self.writer.event(event);
        }
        self.parts.observer.happened_before(self.run.log().get(..kept).unwrap_or_default());
        self.kept = kept;
        self.clock = Clock::from(self.run.now() + away);
        let mut decisions = decisions;
        open.retain(|(id, ..)| self.run.awaits(*id));
        // Nothing is called before it is known that everything may be.
        let mut outlooks = Vec::new();
        for (id, ask, _) in &open {
            outlooks.push(match past.spare.get(id) {
                Some(answer) => EarlierCall::Answered(Box::new(answer.clone())),
                None => self.earlier_call(*id, ask, &mut decisions)?,
            });
        }
        let mut calls = Vec::new();
        for ((id, ask, asked_at), earlier_call) in open.into_iter().zip(outlooks) {
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

    /// What becomes of a recorded question without an answer.
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

    /// Continues to the end, or until a decision is missing.
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

    /// What the run left behind when it came to rest.
    pub fn recording(&mut self, outcome: Outcome) -> Recording {
        self.run.recording(outcome)
    }

    /// One step of the kernel.
    fn step(&mut self) -> Result<Option<RunEnd>> {
        match turn::step(&mut self.run) {
            Stepped::Went => Ok(None),
            Stepped::Asked(asks) => {
                let asks = self.held(asks)?;
                // Nothing starts after the run was stopped.
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

    /// Waits until the observer lets the run continue, which may answer questions; the others are for the world.
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

    /// Keeps what happened since the last time, and gives up what nobody waits for any more.
    fn keep(&mut self) -> Result<()> {
        self.keep_starting(&[]).map(drop)
    }

    /// Keeps what happened, and that these calls are made.
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

    /// Lets people decide what is theirs, and makes calls, after what happened is kept.
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

    /// Makes calls, after they and what happened are kept.
    fn call(&mut self, calls: Vec<AskedAt>) -> Result<()> {
        let starting: Vec<(AskId, &Ask)> = calls.iter().map(|(id, ask, _)| (*id, ask.as_ref())).collect();
        let attempts = self.keep_starting(&starting)?;
        for ((id, ask, asked_at), attempt) in calls.into_iter().zip(attempts) {
            self.start(id, ask, asked_at, attempt);
        }
        Ok(())
    }

    /// Lets a person decide.
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

    /// Begins a call.
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
            // A fault of a provider is an answer too: a run must not wait for it for ever.
            let answer = answer.catch_unwind().await.unwrap_or_else(|_| Answer::failed(fault()));
            arrivals.send(Arrival::Answer(id, answer)).ok();
        };
        let work = self.parts.runtime.spawn(answered.instrument(span_of(&ask)));
        self.under_way.insert(id, UnderWay { ask, asked_at, work: Some(Work(work)), matter: None });
    }

    /// Waits until something is due, or arrives.
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
            // This side holds a sender, so that only time can be over.
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
            // The run is not paused any more.
            Arrival::Decision(_) => {}
        }
        Ok(())
    }

    /// Gives the run what arrived first.
    fn take_arrival(&mut self, moment: Millis) {
        let Some((id, answer)) = self.arrived.pop_front() else { return };
        if let Some(one) = self.under_way.remove(&id) {
            turn::deliver(&mut self.run, id, answer, one.asked_at, moment);
        }
    }

    /// The run waits until a person decides.
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

    /// Continues with a decision, which took the time that passed.
    fn go_on(&mut self, decision: Decision) {
        turn::go_on(&mut self.run, decision, self.clock.now());
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Takes the decision about a matter out of those that were taken and count for it.
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

/// A decision as the answer to a question for a person.
#[must_use]
pub fn answer_of(decision: Decision) -> Answer {
    Answer::now(Reply::Decision(decision))
}

fn span_of(ask: &Ask) -> Span {
    info_span!("ask", node = ask.node.as_str(), kind = kind(&ask.what), attempt = ask.attempt)
}

/// Whom a question is for, in the log.
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

/// What a fault in a provider is to the run.
#[must_use]
pub fn fault() -> Failure {
    Failure::lasting("InternalError", "nodewise failed internally during this call; please report it")
}
