//! An engine in memory that can crash between any two entries of its journal.

use std::collections::BTreeMap;
use std::future::{Future, ready};
use std::sync::Arc;

use nodewise_durable::host::{Arrival, DecisionPlace, RunCancelled, RunHost, Standing};
use nodewise_engine::ask::{Answer, Ask, Decision};
use nodewise_engine::event::AskId;
use nodewise_engine::time::Millis;
use nodewise_expr::value::Map;
use nodewise_simulation::run::Run;
use serde_json::Value as Json;

/// When the run began, by the clock of the first machine.
pub(crate) const BEGAN: u64 = 1_795_352_640_000;

/// Where the engine crashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Crash {
    Never,
    /// The entry at this position is in the journal, and nobody saw it.
    Behind(usize),
    /// The effect of the entry at this position happened, and is not in the journal.
    Before(usize),
    /// Behind every entry.
    Always,
}

/// What outlives a crash: the journal, and the world with its effects.
pub(crate) struct Engine {
    pub(crate) entries: Vec<Arrival>,
    /// What the run asked for before each entry.
    requests: Vec<String>,
    world: Run,
    answers: BTreeMap<AskId, Answer>,
    /// How often each question was put to the world.
    pub(crate) effects: BTreeMap<AskId, u32>,
    pub(crate) is_skewed: bool,
    /// Whether people decide about a call that was made before.
    pub(crate) asks_before_repeating: bool,
}

/// One attempt of the engine to carry the run.
pub(crate) struct Attempt<'e> {
    engine: &'e mut Engine,
    position: usize,
    crash: Crash,
    pub(crate) has_crashed: bool,
    clock: u64,
    pending: Vec<(u64, Pending)>,
    requests: String,
    /// What was reported: events of this attempt.
    pub(crate) reported: Vec<Json>,
    pub(crate) standing: Option<Standing>,
}

#[derive(Debug, Clone)]
enum Pending {
    Ask(AskId, Arc<Ask>, bool),
    Timer(Millis),
    Person(DecisionPlace),
}

impl Engine {
    pub(crate) fn new(world: Run) -> Engine {
        Engine {
            entries: Vec::new(),
            requests: Vec::new(),
            world,
            answers: BTreeMap::new(),
            effects: BTreeMap::new(),
            is_skewed: false,
            asks_before_repeating: false,
        }
    }

    pub(crate) fn attempt(&mut self, crash: Crash) -> Attempt<'_> {
        Attempt {
            engine: self,
            position: 0,
            crash,
            has_crashed: false,
            clock: BEGAN,
            pending: Vec::new(),
            requests: String::new(),
            reported: Vec::new(),
            standing: None,
        }
    }

    /// What the world answers; the same whenever it is asked the same question.
    fn answer(&mut self, id: AskId, ask: &Ask) -> Answer {
        let world = &mut self.world;
        self.answers.entry(id).or_insert_with(|| world.scripted(id, ask)).clone()
    }

    /// The clock of the machine that does this: those of every other machine are ten minutes late.
    fn clock_of(&self, at: u64, number: usize) -> u64 {
        if self.is_skewed && number % 2 == 1 { at - 600_000 } else { at }
    }
}

impl Attempt<'_> {
    fn request(&mut self, what: &str) {
        self.requests.push_str(what);
        self.requests.push('\n');
    }

    fn crashed(&mut self) -> Result<Arrival, RunCancelled> {
        self.has_crashed = true;
        Err(RunCancelled)
    }

    fn take(&mut self) -> Result<Arrival, RunCancelled> {
        let position = self.position;
        self.position += 1;
        if let Some(entry) = self.engine.entries.get(position).cloned() {
            assert_eq!(
                self.engine.requests[position], self.requests,
                "the run asks for something else than before entry {position}"
            );
            self.forget(&entry);
            return Ok(entry);
        }
        let first = self.pending.iter().enumerate().min_by_key(|(place, (ready, _))| (*ready, *place));
        let (place, (ready, _)) = first.expect("the run waits for something");
        let ready = (*ready).max(self.clock);
        let (_, pending) = self.pending.remove(place);
        let at = self.engine.clock_of(ready, position);
        let entry = match &pending {
            Pending::Ask(id, _, false)
                if self.engine.asks_before_repeating && self.engine.effects.contains_key(id) =>
            {
                Arrival::Answered { id: *id, answer: None, at }
            }
            Pending::Ask(id, ask, _) => {
                *self.engine.effects.entry(*id).or_default() += 1;
                Arrival::Answered { id: *id, answer: Some(self.engine.answer(*id, ask)), at }
            }
            Pending::Timer(due) => Arrival::Woken { due: *due },
            Pending::Person(place) => Arrival::Decided { place: *place, decision: approved(), at },
        };
        if self.crash == Crash::Before(position) {
            return self.crashed();
        }
        self.engine.entries.push(entry.clone());
        self.engine.requests.push(self.requests.clone());
        if self.crash == Crash::Behind(position) || self.crash == Crash::Always {
            return self.crashed();
        }
        self.clock = ready;
        Ok(entry)
    }

    /// Takes what a recorded entry was about out of what is pending, and brings the clock to where it was.
    fn forget(&mut self, entry: &Arrival) {
        let is_it = |pending: &Pending| match (pending, entry) {
            (Pending::Ask(one, ..), Arrival::Answered { id, .. }) => one == id,
            (Pending::Timer(one), Arrival::Woken { due }) => one == due,
            (Pending::Person(one), Arrival::Decided { place, .. }) => one == place,
            _ => false,
        };
        let place = self.pending.iter().position(|(_, pending)| is_it(pending)).expect("it was asked for");
        let (ready, _) = self.pending.remove(place);
        self.clock = self.clock.max(ready);
    }
}

impl RunHost for Attempt<'_> {
    fn ask(&mut self, id: AskId, ask: &Arc<Ask>, is_decided: bool) {
        self.request(&format!("ask {} {is_decided} {ask:?}", id.0));
        let takes = self.engine.answer(id, ask).after;
        self.pending.push((self.clock + takes.0, Pending::Ask(id, ask.clone(), is_decided)));
    }

    fn wake_in(&mut self, after: Millis, due: Millis) {
        self.request(&format!("wake {after:?} {due:?}"));
        self.pending.push((self.clock + after.0, Pending::Timer(due)));
    }

    fn wait_for(&mut self, place: DecisionPlace) {
        self.request(&format!("person {}", place.word()));
        self.pending.push((self.clock + 5000, Pending::Person(place)));
    }

    fn next(&mut self) -> impl Future<Output = Result<Arrival, RunCancelled>> + Send {
        ready(self.take())
    }

    fn report(&mut self, standing: &Standing, events: Vec<Json>) {
        if !self.has_crashed {
            self.reported.extend(events);
            self.standing = Some(standing.clone());
        }
    }
}

fn approved() -> Decision {
    Decision { word: "approved".into(), data: None, updates: Map::new(), after: Millis::ZERO }
}
