//! A run that another process drives, as its record grows.
//!
//! Input: the store of a project, and a run in it. Output: the events that its record has, as they are stored. Invariant: the run is only
//! read. It is never held, answered or decided from here.

use std::time::{Duration, Instant};

use anyhow::Result;
use nodewise_engine::ask::Answer;
use nodewise_engine::event::{AskId, Event};
use nodewise_engine::outcome::{Failure, Outcome, Status};
use nodewise_live::restore::RestoredRun;
use nodewise_live::store::{RunId, RunStatus, Store};
use nodewise_simulation::feed::{FeedNews, FeedStanding, RunFeed};

/// The shortest time between two looks at the record.
const PAUSE: Duration = Duration::from_millis(250);
/// A look at a long record takes time. The pause after it is at least so many times as long.
const PAUSE_FOR_LOOK: u32 = 4;

/// A run that another process drives.
pub(super) struct FollowedRun {
    store: Store,
    id: RunId,
    /// How many events of the record were read.
    stored: usize,
    /// How many events of the run the debugger has.
    known: usize,
    next_look: Instant,
}

impl FollowedRun {
    /// Follows a run from its first event on.
    pub(super) fn new(store: Store, id: RunId) -> FollowedRun {
        FollowedRun { store, id, stored: 0, known: 0, next_look: Instant::now() }
    }

    /// What the record has that the debugger does not have, and how the run stands.
    fn read(&mut self) -> Result<(Vec<Event>, FeedStanding)> {
        let record = self.store.read(&self.id)?;
        let is_running = record.status == RunStatus::Running;
        if is_running && record.events.len() == self.stored {
            return Ok((Vec::new(), FeedStanding::Going));
        }
        let (run, outcome) = RestoredRun::of(&record)?.at_end(&record)?;
        let new = run.log().get(self.known..).unwrap_or_default().to_vec();
        self.stored = record.events.len();
        self.known += new.len();
        Ok((new, if is_running { FeedStanding::Going } else { FeedStanding::Over(outcome) }))
    }
}

impl RunFeed for FollowedRun {
    fn look(&mut self) -> FeedNews {
        let begun = Instant::now();
        if begun < self.next_look {
            return FeedNews::default();
        }
        let (events, standing) = self.read().unwrap_or_else(|error| {
            let failure = Failure::lasting("RunError", format!("{error:#}"));
            (Vec::new(), FeedStanding::Over(Outcome::failed(Status::Failed, failure)))
        });
        self.next_look = Instant::now() + PAUSE.max(begun.elapsed() * PAUSE_FOR_LOOK);
        FeedNews { events, standing, printed: Vec::new() }
    }

    fn hold(&mut self) {}

    fn let_go(&mut self) {}

    fn answer(&mut self, _: AskId, _: Answer) -> bool {
        false
    }

    fn decide(&mut self, _: &str) -> Result<(), String> {
        let id = &self.id;
        Err(format!(
            "this session only follows the run: use `nodewise resume {id}`, or attach again with `goOn`"
        ))
    }

    fn leave(&mut self) {}
}
