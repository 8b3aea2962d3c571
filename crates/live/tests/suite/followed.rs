//! Runs that another process drives: what it stores is seen as it comes, and a store that cannot be read now is tried again.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use nodewise_engine::outcome::Status;
use nodewise_live::followed_run::{FollowTimes, FollowedRun, NOT_READABLE};
use nodewise_live::store::{NewRun, RunId, Store};
use nodewise_simulation::feed::{FeedStanding, RunFeed};
use rusqlite::{Connection, params};

use super::driver::{GRAPH, Kept, Yes, driven, run_of};

const NO_PAUSE: FollowTimes =
    FollowTimes { pause: Duration::ZERO, report_after: Duration::ZERO, give_up_after: Duration::MAX };

/// A run that one store drives, and another follows.
struct Followed {
    folder: PathBuf,
    kept: Kept,
    driving: Store,
    id: RunId,
    feed: FollowedRun,
}

impl Followed {
    fn new(name: &str, times: FollowTimes) -> Followed {
        let folder = std::env::temp_dir().join(format!("nodewise-followed-{name}-{}", std::process::id()));
        let mut kept = Kept::default();
        driven(GRAPH, &mut kept, Arc::new(Yes), Vec::new()).unwrap();
        let mut driving = Store::open(&folder).unwrap();
        let id = driving.begin(&NewRun::default()).unwrap();
        let store = Store::open_existing(&folder).unwrap().unwrap();
        let feed = FollowedRun::new(store, id.clone(), run_of(GRAPH), times);
        Followed { folder, kept, driving, id, feed }
    }

    fn append(&mut self, from: usize, to: usize) {
        self.driving.append(&self.id, &self.kept.events[from..to]).unwrap();
    }

    /// Another program writes a text over the last event, and returns what was there.
    fn overwrite_last(&self, text: &str) -> String {
        let database = Connection::open(self.folder.join(".nodewise/runs.db")).unwrap();
        let last = "number = (SELECT max(number) FROM events)";
        let was = database.query_row(&format!("SELECT event FROM events WHERE {last}"), [], |row| row.get(0));
        database.execute(&format!("UPDATE events SET event = ?1 WHERE {last}"), params![text]).unwrap();
        was.unwrap()
    }
}

impl Drop for Followed {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.folder).ok();
    }
}

fn is_going(standing: &FeedStanding) -> bool {
    matches!(standing, FeedStanding::Going)
}

#[test]
fn each_event_is_seen_once_and_the_end_too() {
    let mut followed = Followed::new("whole", NO_PAUSE);
    let mut from = 0;
    for end in followed.kept.ends.clone() {
        followed.append(from, end);
        let news = followed.feed.look();
        assert_eq!(news.events.len(), end - from, "up to event {end}");
        assert!(is_going(&news.standing) && news.printed.is_empty());
        assert!(followed.feed.look().events.is_empty(), "nothing is new");
        from = end;
    }
    followed.driving.end(&followed.id, "completed", "").unwrap();
    let news = followed.feed.look();
    assert!(news.events.is_empty());
    let FeedStanding::Over(outcome) = news.standing else { panic!("the run is over") };
    assert_eq!(outcome.status, Status::Completed);
}

#[test]
fn a_store_that_cannot_be_read_now_is_tried_again() {
    let mut followed = Followed::new("again", NO_PAUSE);
    let (half, end) = (followed.kept.ends[2], followed.kept.events.len());
    followed.append(0, half);
    assert_eq!(followed.feed.look().events.len(), half);
    followed.append(half, end);
    let was = followed.overwrite_last("{");
    let news = followed.feed.look();
    assert!(is_going(&news.standing) && news.events.is_empty());
    assert!(matches!(news.printed.as_slice(), [line] if line.contains("trying again")), "{:?}", news.printed);
    let news = followed.feed.look();
    assert!(is_going(&news.standing) && news.printed.is_empty(), "the message comes once");
    followed.overwrite_last(&was);
    assert_eq!(followed.feed.look().events.len(), end - half);
}

#[test]
fn a_store_that_stays_unreadable_is_reported() {
    let mut followed = Followed::new("lost", FollowTimes { give_up_after: Duration::ZERO, ..NO_PAUSE });
    followed.append(0, followed.kept.ends[0]);
    followed.overwrite_last("{");
    let FeedStanding::Over(outcome) = followed.feed.look().standing else { panic!("it cannot be followed") };
    let failure = outcome.failure.unwrap();
    assert_eq!(failure.class, NOT_READABLE);
    assert!(failure.message.contains("cannot be read"), "{}", failure.message);
}

#[test]
fn a_run_that_is_continued_from_an_earlier_event_is_not_followed_further() {
    let mut followed = Followed::new("reopened", NO_PAUSE);
    followed.append(0, followed.kept.ends[2]);
    followed.feed.look();
    followed.driving.reopen(&followed.id, 1, &Default::default()).unwrap();
    let FeedStanding::Over(outcome) = followed.feed.look().standing else { panic!("other events count now") };
    assert!(outcome.failure.unwrap().message.contains("again to follow it"));
}
