//! A run that another process drives, as its record grows.
//!
//! Input: the store of a project, and a run in it. Output: the events that its record has, as they are stored. Invariant: the run is only
//! read. It is never held, answered or decided from here. Each event is read and replayed once.

use std::time::{Duration, Instant};

use anyhow::{Error, Result};
use nodewise_engine::ask::Answer;
use nodewise_engine::event::{AskId, Event};
use nodewise_engine::outcome::{Failure, Outcome, Status};
use nodewise_simulation::feed::{FeedNews, FeedStanding, RunFeed};
use nodewise_simulation::run::Run;

use crate::driver::GrowingRun;
use crate::restore::outcome_of;
use crate::store::{RecordNews, RecordReader, RunId, RunStatus, Store};

/// The class of the failure that ends following a run whose record cannot be read.
pub const NOT_READABLE: &str = "RecordError";

/// How often the record is read, and how long it may be unreadable.
#[derive(Debug, Clone, Copy)]
pub struct FollowTimes {
    /// The time between two reads of the record.
    pub pause: Duration,
    /// After this time an unreadable record is reported.
    pub report_after: Duration,
    /// After this time the debugger stops following the run.
    pub give_up_after: Duration,
}

impl Default for FollowTimes {
    fn default() -> FollowTimes {
        FollowTimes {
            pause: Duration::from_millis(250),
            report_after: Duration::from_secs(2),
            give_up_after: Duration::from_secs(30),
        }
    }
}

/// A run that another process drives, as a debugger follows it.
pub struct FollowedRun {
    store: Store,
    reader: RecordReader,
    run: GrowingRun,
    /// How many events the debugger has.
    known: usize,
    times: FollowTimes,
    next_look: Instant,
    unreadable: Option<Unreadable>,
}

/// A record that cannot be read now.
struct Unreadable {
    since: Instant,
    is_reported: bool,
}

impl FollowedRun {
    /// Follows a run from its first event on. `run` must not have taken a step yet.
    #[must_use]
    pub fn new(store: Store, id: RunId, run: Run, times: FollowTimes) -> FollowedRun {
        FollowedRun {
            store,
            reader: RecordReader::new(id),
            run: GrowingRun::new(run),
            known: 0,
            times,
            next_look: Instant::now(),
            unreadable: None,
        }
    }

    /// Replays the new events. Returns whether the run still runs, or how it ended.
    fn replayed(&mut self, news: &RecordNews) -> Result<FeedStanding> {
        if news.is_reopened {
            let id = self.reader.run();
            let text =
                format!("the run was continued from an earlier event: attach to {id} again to follow it");
            return Ok(over(Failure::lasting(NOT_READABLE, text)));
        }
        self.run.extend(&news.events)?;
        Ok(match news.status {
            RunStatus::Running => FeedStanding::Going,
            _ => {
                let (run, id) = (self.run.run_mut(), self.reader.run());
                FeedStanding::Over(outcome_of(run, &news.status, news.is_cancelled, id))
            }
        })
    }

    /// Handles a record that cannot be read. Another process may be busy with the store, so it is tried again for a while.
    fn not_read(&mut self, error: &Error) -> FeedNews {
        let now = Instant::now();
        let FollowTimes { report_after, give_up_after, .. } = self.times;
        let unreadable = self.unreadable.get_or_insert(Unreadable { since: now, is_reported: false });
        let time = now - unreadable.since;
        if time >= give_up_after {
            let text = format!("the record of the run cannot be read: {error:#}");
            return FeedNews { standing: over(Failure::lasting(NOT_READABLE, text)), ..FeedNews::default() };
        }
        let mut printed = Vec::new();
        if time >= report_after && !unreadable.is_reported {
            unreadable.is_reported = true;
            printed.push(format!("the record of the run cannot be read now, trying again: {error:#}"));
        }
        FeedNews { printed, ..FeedNews::default() }
    }

    /// The events that the debugger does not have yet.
    fn new_events(&mut self) -> Vec<Event> {
        let new = self.run.run().log().get(self.known..).unwrap_or_default().to_vec();
        self.known += new.len();
        new
    }
}

impl RunFeed for FollowedRun {
    fn look(&mut self) -> FeedNews {
        if Instant::now() < self.next_look {
            return FeedNews::default();
        }
        let news = match self.reader.news(&self.store) {
            Ok(news) => {
                self.unreadable = None;
                // If a record does not fit the run, it will not fit later either, so this is not tried again.
                let standing = self
                    .replayed(&news)
                    .unwrap_or_else(|error| over(Failure::lasting(NOT_READABLE, format!("{error:#}"))));
                FeedNews { events: self.new_events(), standing, printed: Vec::new() }
            }
            Err(error) => self.not_read(&error),
        };
        self.next_look = Instant::now() + self.times.pause;
        news
    }

    fn hold(&mut self) {}

    fn let_go(&mut self) {}

    fn answer(&mut self, _: AskId, _: Answer) -> bool {
        false
    }

    fn decide(&mut self, _: &str) -> Result<(), String> {
        let id = self.reader.run();
        Err(format!(
            "this session only follows the run: use `nodewise resume {id}`, or attach again with `goOn`"
        ))
    }

    fn leave(&mut self) {}
}

fn over(failure: Failure) -> FeedStanding {
    FeedStanding::Over(Outcome::failed(Status::Failed, failure))
}
