//! The loop between a run and the world, where an engine remembers: the run goes on on whatever machine is there.
//!
//! Input: a run at its beginning, a host. Output: how the run ended. The loop reads no clock: time is in what the host gives.
//! Invariant: the loop asks the host for the same things in the same order whenever the host gives the same things, so that an engine
//! that remembers what it gave brings the run back to where it was.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::future::Future;
use std::sync::Arc;

use nodewise_engine::ask::{Answer, Ask, Decision};
use nodewise_engine::event::AskId;
use nodewise_engine::outcome::{Failure, Outcome};
use nodewise_engine::time::Millis;
use nodewise_live::driver::again::{self, EarlierCall};
use nodewise_live::driver::answer_of;
use nodewise_live::driver::turn::{self, AskedAt, RunTurn, Stepped};
use nodewise_live::people::{Matter, Topic};
use nodewise_simulation::recording::Recording;
use nodewise_simulation::render::json::EventWriter;
use nodewise_simulation::run::Run;
use serde_json::Value as Json;

/// The durable engine below a run. It remembers what [`RunHost::next`] returned, and returns the same again, in the same order,
/// when the run is replayed.
pub trait RunHost {
    /// Puts a question to the world, on any machine. The answer comes from [`RunHost::next`]. `is_decided` means that a person
    /// allowed the call although an earlier attempt may have had its effect already.
    fn ask(&mut self, id: AskId, ask: &Arc<Ask>, is_decided: bool);

    /// Wakes the run when `after` has passed, on whatever machine it is then. [`RunHost::next`] then returns `due`, the moment of
    /// the run that was asked for.
    fn wake_in(&mut self, after: Millis, due: Millis);

    /// Waits for a person's decision at this place. The decision comes from [`RunHost::next`].
    fn wait_for(&mut self, place: DecisionPlace);

    /// Waits for the next thing that happens. The engine may unload the run from memory meanwhile.
    fn next(&mut self) -> impl Future<Output = Result<Arrival, RunCancelled>> + Send;

    /// Reports the status of the run, and the events since the last report, to those who watch the run. The run never reads them
    /// back.
    fn report(&mut self, standing: &Standing, events: Vec<Json>);
}

/// Which open question of a run a decision answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DecisionPlace {
    /// A question that the graph puts to a person.
    Ask(AskId),
    /// Whether to repeat a call that may have had its effect already.
    Again(AskId),
    /// The whole run waits. The number counts the pauses of the run, from 1.
    Pause(u32),
}

/// Something that happened in the world. Times are milliseconds since 1970, by the clock of the machine where it happened.
#[derive(Debug, Clone)]
pub enum Arrival {
    /// A question has an answer.
    Answered {
        id: AskId,
        /// The answer. `None` if an earlier attempt may have had its effect already: then a person decides whether the call is
        /// repeated.
        answer: Option<Answer>,
        at: u64,
    },
    /// A timer that the run asked for is due.
    Woken {
        /// The moment that the run asked for, in the time of the run.
        due: Millis,
    },
    Decided {
        /// The question that the decision answers.
        place: DecisionPlace,
        decision: Decision,
        at: u64,
    },
}

/// The error when someone cancels the run from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunCancelled;

/// The status of a run, with the questions that are open for people.
#[derive(Debug, Clone, PartialEq)]
pub enum Standing {
    /// The run continues by itself. People may have open questions meanwhile.
    Running(Vec<(DecisionPlace, Matter)>),
    /// The run continues only after people have decided.
    Waiting(Vec<(DecisionPlace, Matter)>),
    /// The run has ended: its outcome, and a summary in a few words.
    Ended(Outcome, String),
    Cancelled,
}

/// A run that an engine keeps, and the loop that drives it.
pub struct HostedRun<'h, H> {
    run: Run,
    host: &'h mut H,
    writer: EventWriter,
    /// When the run began, in milliseconds since 1970.
    began: u64,
    /// The time of the run. It advances with what the host returns, because the loop reads no clock.
    now: Millis,
    asked: BTreeMap<AskId, PendingAsk>,
    /// Answers that have come back but were not given to the run yet, in the order of arrival.
    arrived: VecDeque<(AskId, Answer)>,
    /// The moments at which the host will wake the run.
    timers: BTreeSet<Millis>,
    pauses: u32,
    /// How many events were reported to the host.
    reported: usize,
}

/// A question without an answer.
struct PendingAsk {
    ask: Arc<Ask>,
    asked_at: Millis,
    /// What a person has to decide first. `None` while the world works on the question.
    matter: Option<(DecisionPlace, Matter)>,
}

impl<'h, H: RunHost + Send> HostedRun<'h, H> {
    /// Creates the loop for a run that has not taken a step yet. `began` is the start of the run in milliseconds since 1970.
    pub fn new(run: Run, began: u64, host: &'h mut H) -> HostedRun<'h, H> {
        let facts = run.facts();
        let writer =
            EventWriter::new(facts.system, Arc::clone(&facts.charts), facts.beside.clone(), facts.clock);
        HostedRun {
            run,
            host,
            writer,
            began,
            now: Millis::ZERO,
            asked: BTreeMap::new(),
            arrived: VecDeque::new(),
            timers: BTreeSet::new(),
            pauses: 0,
            reported: 0,
        }
    }

    /// Runs to the end.
    ///
    /// # Errors
    /// Returns [`RunCancelled`] if the run is cancelled.
    pub async fn drive(mut self) -> Result<Recording, RunCancelled> {
        let outcome = match self.go().await {
            Ok(outcome) => outcome,
            Err(RunCancelled) => {
                self.report(&Standing::Cancelled);
                return Err(RunCancelled);
            }
        };
        let events = self.news();
        let recording = self.run.recording(outcome.clone());
        let summary = nodewise_simulation::render::summary(&recording);
        self.host.report(&Standing::Ended(outcome, summary), events);
        Ok(recording)
    }

    async fn go(&mut self) -> Result<Outcome, RunCancelled> {
        loop {
            match RunTurn::of(&mut self.run, self.now, !self.arrived.is_empty()) {
                RunTurn::Step => match turn::step(&mut self.run) {
                    Stepped::Went => {}
                    Stepped::Asked(asks) => self.put(asks),
                    Stepped::Paused(outcome) => self.pause(&outcome).await?,
                    Stepped::Ended(outcome) => return Ok(outcome),
                },
                RunTurn::Deliver(moment) => self.deliver(moment),
                RunTurn::Wait(due) => {
                    self.forget_given_up();
                    if self.asked.is_empty() && due.is_none() {
                        return Ok(turn::stalled());
                    }
                    self.wake_at(due);
                    self.report_standing();
                    let arrival = self.host.next().await?;
                    self.note(arrival);
                }
            }
        }
    }

    /// Puts questions to people and to the world.
    fn put(&mut self, asks: Vec<AskedAt>) {
        for (id, ask, asked_at) in asks {
            let matter = Matter::of_question(id, &ask).map(|matter| (DecisionPlace::Ask(id), matter));
            match &matter {
                Some((place, _)) => self.host.wait_for(*place),
                None => self.host.ask(id, &ask, false),
            }
            self.asked.insert(id, PendingAsk { ask, asked_at, matter });
        }
    }

    fn deliver(&mut self, moment: Millis) {
        // A machine whose clock is behind answers before the time of the run. Without this, the run would wait for a timer that is due
        // already, and a machine whose clock is ahead would set it to much later.
        self.now = self.now.max(moment);
        let Some((id, answer)) = self.arrived.pop_front() else { return };
        if let Some(pending) = self.asked.remove(&id) {
            turn::deliver(&mut self.run, id, answer, pending.asked_at, moment);
        }
    }

    /// Waits until a person decides how the run continues.
    async fn pause(&mut self, outcome: &Outcome) -> Result<(), RunCancelled> {
        self.pauses += 1;
        let here = DecisionPlace::Pause(self.pauses);
        let matter = Matter::of_pause(self.run.log(), outcome);
        self.host.wait_for(here);
        let matters = std::iter::once((here, matter)).chain(self.matters()).collect();
        self.report(&Standing::Waiting(matters));
        loop {
            match self.host.next().await? {
                Arrival::Decided { place, decision, at } if place == here => {
                    self.pass(at);
                    turn::go_on(&mut self.run, decision, self.now);
                    return Ok(());
                }
                other => self.note(other),
            }
        }
    }

    fn note(&mut self, arrival: Arrival) {
        match arrival {
            Arrival::Answered { id, answer, at } => {
                self.pass(at);
                match answer {
                    Some(answer) => self.arrived.push_back((id, answer)),
                    None => self.ask_again(id),
                }
            }
            // Answers may have moved the time of the run past `due` meanwhile.
            Arrival::Woken { due } => {
                self.timers.remove(&due);
                self.now = self.now.max(due);
            }
            Arrival::Decided { place, decision, at } => {
                self.pass(at);
                match place {
                    DecisionPlace::Ask(id) => self.arrived.push_back((id, answer_of(decision))),
                    DecisionPlace::Again(id) => self.decide_again(id, decision),
                    // The run is not paused any more, so the decision has no effect.
                    DecisionPlace::Pause(_) => {}
                }
            }
        }
    }

    /// Asks a person whether to repeat a call that may have had its effect already.
    fn ask_again(&mut self, id: AskId) {
        if let Some(pending) = self.asked.get_mut(&id) {
            pending.matter = Some((DecisionPlace::Again(id), Matter::of_call(id, &pending.ask)));
            self.host.wait_for(DecisionPlace::Again(id));
        }
    }

    fn decide_again(&mut self, id: AskId, decision: Decision) {
        let Some(pending) = self.asked.get_mut(&id) else { return };
        pending.matter = None;
        match again::decided(&pending.ask, decision) {
            Ok(EarlierCall::Repeated | EarlierCall::Open) => self.host.ask(id, &pending.ask, true),
            Ok(EarlierCall::Answered(answer)) => self.arrived.push_back((id, *answer)),
            // Words are checked before a decision is accepted. A word that is not known here leaves the call without a result.
            Err(error) => {
                let failure = Failure::lasting("CallNotRepeated", error.to_string());
                self.arrived.push_back((id, Answer::failed(failure)));
            }
        }
    }

    /// Advances the time of the run to a moment of some machine (`at`, in milliseconds since 1970). Clocks of machines differ, so
    /// the time never goes back.
    fn pass(&mut self, at: u64) {
        self.now = self.now.max(Millis(at.saturating_sub(self.began)));
    }

    fn wake_at(&mut self, due: Option<Millis>) {
        if let Some(due) = due.filter(|due| self.timers.insert(*due)) {
            self.host.wake_in(due - self.now, due);
        }
    }

    /// Removes questions that no node waits for any more.
    fn forget_given_up(&mut self) {
        self.asked.retain(|id, _| self.run.awaits(*id));
    }

    /// Reports the status of the run before it waits.
    fn report_standing(&mut self) {
        let is_open = |pending: &PendingAsk| pending.matter.is_none();
        let standing = match self.asked.is_empty() || self.asked.values().any(is_open) {
            true => Standing::Running(self.matters()),
            false => Standing::Waiting(self.matters()),
        };
        self.report(&standing);
    }

    /// The questions that are open for people now.
    fn matters(&self) -> Vec<(DecisionPlace, Matter)> {
        self.asked.values().filter_map(|pending| pending.matter.clone()).collect()
    }

    fn report(&mut self, standing: &Standing) {
        let events = self.news();
        self.host.report(standing, events);
    }

    /// The events since the last report, as JSON.
    fn news(&mut self) -> Vec<Json> {
        let new = self.run.log().get(self.reported..).unwrap_or_default();
        self.reported += new.len();
        new.iter().map(|event| self.writer.event(event)).collect()
    }
}

impl DecisionPlace {
    /// The place as one word, such as `ask-3`, as hosts and decisions write it.
    #[must_use]
    pub fn word(self) -> String {
        match self {
            DecisionPlace::Ask(AskId(id)) => format!("ask-{id}"),
            DecisionPlace::Again(AskId(id)) => format!("again-{id}"),
            DecisionPlace::Pause(number) => format!("pause-{number}"),
        }
    }

    /// Reads what [`DecisionPlace::word`] writes; `None` for any other text.
    #[must_use]
    pub fn of_word(word: &str) -> Option<DecisionPlace> {
        let (kind, number) = word.split_once('-')?;
        let number = number.parse().ok()?;
        let place = match kind {
            "ask" => DecisionPlace::Ask(AskId(number)),
            "again" => DecisionPlace::Again(AskId(number)),
            "pause" => DecisionPlace::Pause(number),
            _ => return None,
        };
        (place.word() == word).then_some(place)
    }
}

impl Standing {
    /// The status as one word.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Standing::Running(_) => "running",
            Standing::Waiting(_) => "waiting",
            Standing::Ended(..) => "ended",
            Standing::Cancelled => "cancelled",
        }
    }

    /// The status as JSON, with the place, node and question of everything that waits for people.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let mut standing = serde_json::json!({"status": self.word()});
        let Json::Object(members) = &mut standing else { return standing };
        match self {
            Standing::Cancelled => {}
            Standing::Running(matters) | Standing::Waiting(matters) => {
                let matter = |(place, matter): &(DecisionPlace, Matter)| {
                    let mut written = matter.to_json();
                    if let Json::Object(members) = &mut written {
                        members.insert("place".to_owned(), place.word().into());
                        members.insert("again".to_owned(), (matter.topic == Topic::Again).into());
                    }
                    written
                };
                members.insert("matters".to_owned(), matters.iter().map(matter).collect());
            }
            Standing::Ended(outcome, summary) => {
                members.insert("outcome".to_owned(), outcome.status.word().into());
                members.insert("summary".to_owned(), summary.as_str().into());
            }
        }
        standing
    }
}
