//! A run that is read while its record grows.
//!
//! Input: a store, and a run in it; output: what was stored since the last time. Invariant: each event is read once, and what is read
//! is what was written, or an error. After an error, the same events are read again.

use anyhow::Result;
use serde_json::Value as Json;

use super::fault::{DescribeError, damaged_run};
use super::history::RunHistory;
use super::id::RunId;
use super::reading::{StoredInputs, inputs, read_events, sound_row};
use super::row::{RunRow, origin};
use super::{REOPENED, RunStatus, Store, StoredEvent, lease};

/// Reads the record of a run while it grows.
pub struct RecordReader {
    run: RunId,
    /// How many rows of events were read.
    read: i64,
    /// The checksum after the rows that were read; `None` before the first read.
    chain: Option<i64>,
    is_cancelled: bool,
}

/// What was stored of a run since the last read.
#[derive(Debug)]
pub struct RecordNews {
    /// The new events as JSON, in the format of traces.
    pub events: Vec<Json>,
    pub status: RunStatus,
    /// Whether the run ended because a user cancelled it.
    pub is_cancelled: bool,
    /// Whether the run was opened again, so that some events that were read before do not count any more.
    pub is_reopened: bool,
}

impl RecordReader {
    /// Creates a reader that begins with the first event of the run.
    #[must_use]
    pub fn new(run: RunId) -> RecordReader {
        RecordReader { run, read: 0, chain: None, is_cancelled: false }
    }

    #[must_use]
    pub fn run(&self) -> &RunId {
        &self.run
    }

    /// Reads what was stored since the last call.
    ///
    /// # Errors
    /// If the store cannot be read now, or the run is not there or is damaged.
    pub fn news(&mut self, store: &Store) -> Result<RecordNews> {
        let (row, stored, chain) = self.stored(store)?;
        let is_again = |one: &StoredEvent| one.event.get("event").and_then(Json::as_str) == Some(REOPENED);
        let is_reopened = self.read > 0 && stored.iter().any(is_again);
        let (from, length) = (self.read, stored.len() as i64);
        let damaged = |position: usize| {
            let position = from + position as i64;
            damaged_run(self.run.as_str(), &store.file(), &format!("its event {position} cannot be read"))
        };
        let history = RunHistory::of(stored, damaged)?;
        let status = store.current(row.summarised().status, &self.run)?;
        self.chain = Some(chain);
        self.read += length;
        self.is_cancelled |= history.is_cancelled;
        let events = history.events.into_iter().map(|stored| stored.event).collect();
        Ok(RecordNews { events, status, is_cancelled: self.is_cancelled, is_reopened })
    }

    /// The row of the run, its new events, and the checksum after them.
    fn stored(&self, store: &Store) -> Result<(RunRow, Vec<StoredEvent>, i64)> {
        let (file, id) = (store.file(), self.run.as_str());
        let noted = lease::written(&store.folder, &self.run);
        let tx = store.connection.unchecked_transaction().describe_error("be read", &file)?;
        let row = sound_row(&tx, &self.run, noted, &file)?;
        let before = match self.chain {
            Some(chain) => chain,
            None => {
                let StoredInputs { scenario, sources } = inputs(&tx, id).describe_error("be read", &file)?;
                origin(id, &scenario, &sources)
            }
        };
        // The row counts its events, so nothing else is read if there are no new ones.
        if row.events == self.read && row.chain == before {
            return Ok((row, Vec::new(), before));
        }
        let read = read_events(&tx, id, self.read, before).describe_error("be read", &file)?;
        let (events, chain) = read.map_err(|what| damaged_run(id, &file, &what))?;
        if row.events != self.read + events.len() as i64 || row.chain != chain {
            let what = "its input, declarations or events are not as they were written";
            return Err(damaged_run(id, &file, what));
        }
        Ok((row, events, chain))
    }
}
