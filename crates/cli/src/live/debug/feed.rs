//! A live run on a thread of its own, which the debugger sees and holds.
//!
//! Input: a session that is about to begin or to continue, and what the debugger wants. Output: the events of the run. Invariant: the
//! run does nothing behind an event that the debugger has not seen, and it is let go when the debugger leaves it.

use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use nodewise_engine::ask::{Answer, Ask, Decision};
use nodewise_engine::event::{AskId, Event};
use nodewise_engine::outcome::{Failure, Outcome, Status};
use nodewise_engine::time::Millis;
use nodewise_expr::value::Map;
use nodewise_live::answering::Unwatched;
use nodewise_live::driver::{Observer, Taken};
use nodewise_live::people::Nobody;
use nodewise_live::session::{Continuation, RunLocation, RunObservers, Session};
use nodewise_live::store::{RunId, Store};
use nodewise_live::tools::Notes;
use nodewise_project::config::live::Live;
use nodewise_simulation::feed::{FeedNews, FeedStanding, RunFeed};

/// How long a run has to stop when the debugger leaves it.
const TIME_TO_LEAVE: Duration = Duration::from_secs(3);

/// Where the run is, and what is configured there.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) folder: PathBuf,
    pub(super) live: Live,
}

/// A live run on a thread of its own.
pub(super) struct LiveFeed {
    id: RunId,
    place: Place,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

/// What the thread of the debugger and the thread of the run share.
#[derive(Default)]
pub(super) struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The events that the debugger has not taken yet.
    events: Vec<Event>,
    /// How many events the debugger has taken or will take from `events`.
    known: usize,
    printed: Vec<String>,
    /// Whether the run has done something since the debugger let it continue.
    is_new: bool,
    wants_hold: bool,
    is_held: bool,
    may_continue: bool,
    is_left: bool,
    asking: Vec<AskId>,
    answers: Vec<(AskId, Answer)>,
    outcome: Option<Outcome>,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Notes for Shared {
    fn note(&self, source: &str, line: &str) {
        self.state().printed.push(format!("{source}: {line}"));
    }
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Shared")
    }
}

/// The debugger, as one of the observers of the run.
struct Gate(Arc<Shared>);

impl Observer for Gate {
    fn happened_before(&mut self, events: &[Event]) {
        let mut state = self.0.state();
        // After a decision, the list starts with events that the debugger already knows.
        let new = events.get(state.known..).unwrap_or_default().to_vec();
        state.known += new.len();
        state.is_new |= !new.is_empty();
        state.events.extend(new);
    }

    fn happened(&mut self, events: &[Event]) {
        let mut state = self.0.state();
        state.known += events.len();
        state.is_new |= !events.is_empty();
        state.events.extend_from_slice(events);
    }

    fn repeated(&mut self, _: AskId, what: &Ask, before: u32) {
        let line = format!("{} is asked again; it was {before} times before", what.what.noun());
        self.0.state().printed.push(line);
    }

    fn is_stopped(&self) -> bool {
        self.0.state().is_left
    }

    fn holds(&self) -> bool {
        true
    }

    fn hold(&mut self, asking: &[AskId]) -> Vec<(AskId, Answer)> {
        let mut state = self.0.state();
        if !state.is_new && !state.wants_hold {
            return Vec::new();
        }
        state.is_held = true;
        state.asking = asking.to_vec();
        while !state.may_continue && !state.is_left {
            state = self.0.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.is_held = false;
        state.may_continue = false;
        state.is_new = false;
        state.asking.clear();
        std::mem::take(&mut state.answers)
    }
}

impl LiveFeed {
    /// Begins to drive a session on a thread. `shared` also observes what its tools print.
    pub(super) fn start(session: Session, place: Place, shared: Arc<Shared>) -> Result<LiveFeed> {
        let mut feed = LiveFeed { id: session.id().clone(), place, shared, thread: None };
        feed.drive(session)?;
        Ok(feed)
    }

    fn drive(&mut self, session: Session) -> Result<()> {
        let shared = Arc::clone(&self.shared);
        let driving = move || {
            let mut gate = Gate(Arc::clone(&shared));
            let observers =
                RunObservers { people: Arc::new(Nobody), observer: &mut gate, watch: Arc::new(Unwatched) };
            let outcome = match session.drive(observers) {
                Ok(finished) => {
                    shared.state().printed.extend(finished.webhook_fault);
                    finished.recording.outcome
                }
                Err(error) => {
                    Outcome::failed(Status::Failed, Failure::lasting("RunError", format!("{error:#}")))
                }
            };
            shared.state().outcome = Some(outcome);
            shared.changed.notify_all();
        };
        let thread = Builder::new().name("nodewise-run".to_owned()).spawn(driving);
        self.thread = Some(thread.context("the thread of the run cannot be started")?);
        Ok(())
    }

    /// Continues the run, which waits, with a decision.
    fn continue_with(&mut self, word: &str) -> Result<()> {
        if let Some(thread) = self.thread.take() {
            thread.join().ok();
        }
        let store = Store::open(&self.place.folder)?;
        let stored = store.read(&self.id)?;
        let decision = Decision { word: word.into(), data: None, updates: Map::new(), after: Millis::ZERO };
        let taken = Taken { node: None, ask: None, decision };
        let continuation = Continuation { decisions: vec![taken], ..Continuation::default() };
        let place = RunLocation {
            folder: &self.place.folder,
            live: &self.place.live,
            notes: Arc::clone(&self.shared) as Arc<dyn Notes>,
        };
        let session = Session::resume(store, &stored, continuation, &place)?;
        self.shared.state().outcome = None;
        self.drive(session)
    }
}

impl RunFeed for LiveFeed {
    fn look(&mut self) -> FeedNews {
        let mut state = self.shared.state();
        let standing = match &state.outcome {
            Some(outcome) => FeedStanding::Over(outcome.clone()),
            None if state.is_held && !state.may_continue => FeedStanding::Held,
            None => FeedStanding::Going,
        };
        FeedNews {
            events: std::mem::take(&mut state.events),
            standing,
            printed: std::mem::take(&mut state.printed),
        }
    }

    fn hold(&mut self) {
        self.shared.state().wants_hold = true;
    }

    fn let_go(&mut self) {
        let mut state = self.shared.state();
        state.wants_hold = false;
        state.may_continue = state.is_held;
        drop(state);
        self.shared.changed.notify_all();
    }

    fn answer(&mut self, ask: AskId, answer: Answer) -> bool {
        let mut state = self.shared.state();
        let is_asked = state.is_held && state.asking.contains(&ask);
        if is_asked {
            state.answers.retain(|(other, _)| *other != ask);
            state.answers.push((ask, answer));
        }
        is_asked
    }

    fn decide(&mut self, word: &str) -> Result<(), String> {
        let is_waiting =
            self.shared.state().outcome.as_ref().is_some_and(|end| end.status == Status::Waiting);
        let decided = match is_waiting {
            true => self.continue_with(word),
            false => (|| bail!("the run does not wait for a decision"))(),
        };
        decided.map_err(|error| format!("{error:#}"))
    }

    fn leave(&mut self) {
        let mut state = self.shared.state();
        state.is_left = true;
        drop(state);
        self.shared.changed.notify_all();
        let state = self.shared.state();
        let is_driven = |state: &mut State| state.outcome.is_none();
        let waited = self.shared.changed.wait_timeout_while(state, TIME_TO_LEAVE, is_driven);
        let is_over = waited.map_or(true, |(state, _)| state.outcome.is_some());
        if let Some(thread) = self.thread.take().filter(|_| is_over) {
            thread.join().ok();
        }
    }
}
