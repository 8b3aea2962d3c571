//! Runs on disk: what each was given, what happened, and who drives it.
//!
//! Input: events as they happen; output: runs, read back after whatever came between. Invariant: what a call wrote is on disk
//! when it returns, an event has the number after the one before it, and one process at a time drives a run.

#![allow(clippy::disallowed_methods, reason = "the store is files and a clock")]

mod clock;
mod fault;
mod id;
mod lease;
mod open;
mod origin;
mod reading;
mod record;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, bail};
use nodewise_engine::usage::Usage;
use nodewise_model::scenario::RunLimits;
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};
use serde_json::{Value as Json, json};

pub use clock::Moment;
use fault::DescribeError;
pub use id::RunId;
pub(crate) use id::hash;
use lease::Lease;
pub use origin::RunOrigin;

use crate::limits::limits_to_json;

/// The folder of a project in which its runs are kept.
pub const FOLDER: &str = ".nodewise";

/// The runs of a project.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    folder: PathBuf,
    leases: BTreeMap<RunId, Lease>,
}

/// What a run is begun with.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NewRun {
    /// The id of the dialect whose graph runs.
    pub system: String,
    /// What runs, in words.
    pub title: String,
    /// What runs and what it was given, as a text that its driver reads again.
    pub scenario: String,
    /// The seed of its randomness.
    pub seed: u64,
    /// The declarations: paths in the project with their texts, in load order.
    pub sources: Vec<(String, Arc<str>)>,
    /// The version of nodewise.
    pub version: String,
    /// The run from which it begins.
    pub origin: Option<RunOrigin>,
}

/// A run as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Stored {
    /// Its id.
    pub id: RunId,
    /// What it was begun with.
    pub new: NewRun,
    /// A number that no other run has, of any store: the identity of its trace.
    pub identity: [u8; 16],
    /// When it began.
    pub begun: Moment,
    /// How it stands.
    pub status: RunStatus,
    /// What happened, in order.
    pub events: Vec<StoredEvent>,
    /// How often each call was made.
    pub attempts: BTreeMap<u64, u32>,
    /// The questions that do not count any more since it was opened again, in order.
    pub discarded: Vec<Json>,
    /// Answers among the events that do not count any more, to questions that still do.
    pub spare: Vec<Json>,
    /// Limits that were raised since it began.
    pub limits: RunLimits,
}

/// Something that happened in a run.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredEvent {
    /// When it was stored.
    pub stored: Moment,
    /// What happened, as traces write it.
    pub event: Json,
}

/// Whether a run is running, waits, was interrupted or has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunStatus {
    /// A process drives it.
    Running,
    /// It is not over, and nobody drives it.
    Interrupted,
    /// It waits for a person: the question.
    Waiting(Json),
    /// It is over.
    Ended {
        /// When.
        at: Moment,
        /// How, in a word.
        outcome: String,
        /// The same in a few words.
        summary: String,
    },
}

/// A run in a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Its id.
    pub id: RunId,
    /// The id of the dialect whose graph runs.
    pub system: String,
    /// What runs, in words.
    pub title: String,
    /// When it began.
    pub begun: Moment,
    /// How it stands.
    pub status: RunStatus,
    /// What it used.
    pub usage: Usage,
    /// How long it took so far, in the time of the run, in milliseconds.
    pub time_ms: u64,
    /// How many events it has.
    pub events: u64,
}

impl RunStatus {
    /// The word for it.
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            RunStatus::Running => "running",
            RunStatus::Interrupted => "interrupted",
            RunStatus::Waiting(_) => "waiting",
            RunStatus::Ended { outcome, .. } => outcome,
        }
    }
}

impl Store {
    /// The runs of a project, to begin runs and resume them.
    ///
    /// # Errors
    /// Where there is no place for them, or what is there is not readable as a store of this version.
    pub fn open(folder: &Path) -> Result<Store> {
        open::made(folder)
    }

    /// The runs of a project if it has any, to read them. Nothing is made.
    ///
    /// # Errors
    /// Where what is there is not readable as a store of this version.
    pub fn open_existing(folder: &Path) -> Result<Option<Store>> {
        open::existing(folder)
    }

    /// Where the runs are kept.
    #[must_use]
    pub fn file(&self) -> PathBuf {
        open::file(&self.folder)
    }

    /// Begins a run, which this process drives until it lets go of it.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn begin(&mut self, new: &NewRun) -> Result<RunId> {
        let now = Moment::now();
        let file = self.file();
        let identity: [u8; 16] = self
            .connection
            .query_row("SELECT randomblob(16)", [], |row| row.get(0))
            .describe_error("be read", &file)?;
        let id = id::unused(now, &identity, |id| is_known(&self.connection, id))
            .describe_error("be read", &file)?;
        // First the lease: a process that sees the run also sees that it is driven.
        let lease = Lease::take(&self.folder, &id)?;
        self.write(|tx| {
            tx.prepare_cached(
                "INSERT INTO runs (id, identity, system, title, scenario, seed, version, begun, standing) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'running')",
            )?
            .execute(params![
                id.as_str(),
                identity,
                new.system,
                new.title,
                new.scenario,
                new.seed.cast_signed(),
                new.version,
                now.0,
            ])?;
            for (position, (path, text)) in new.sources.iter().enumerate() {
                let blob = kept_text(tx, text)?;
                tx.prepare_cached("INSERT INTO sources (run, position, path, blob) VALUES (?1, ?2, ?3, ?4)")?
                    .execute(params![id.as_str(), position as i64, path, blob])?;
            }
            if let Some(origin) = &new.origin {
                tx.prepare_cached("INSERT INTO events (run, number, stored, event) VALUES (?1, 0, ?2, ?3)")?
                    .execute(params![id.as_str(), now.0, origin.to_json().to_string()])?;
            }
            Ok(())
        })?;
        self.leases.insert(id.clone(), lease);
        Ok(id)
    }

    /// Takes a run over to continue it.
    ///
    /// # Errors
    /// Where it is over, or another process drives it.
    pub fn take(&mut self, run: &RunId) -> Result<()> {
        if !self.leases.contains_key(run) {
            let lease = Lease::take(&self.folder, run)?;
            self.leases.insert(run.clone(), lease);
        }
        let status = self.status(run);
        if let Err(error) = status {
            self.leases.remove(run);
            return Err(error);
        }
        Ok(())
    }

    /// Lets another process drive a run.
    pub fn let_go(&mut self, run: &RunId) {
        self.leases.remove(run);
    }

    /// Adds to what happened in a run.
    ///
    /// # Errors
    /// Where the run is over, another process drives it, or the events cannot be written; then none of them is.
    pub fn append(&mut self, run: &RunId, events: &[Json]) -> Result<()> {
        self.append_paid(run, events, |_| false)
    }

    /// The same where some events were paid for before.
    ///
    /// # Errors
    /// Where the run is over, another process drives it, or the events cannot be written; then none of them is.
    pub fn append_paid(
        &mut self,
        run: &RunId,
        events: &[Json],
        is_paid: impl Fn(&Json) -> bool,
    ) -> Result<()> {
        self.take(run)?;
        let now = Moment::now();
        let mut spent = Spent::default();
        for event in events {
            spent.read_time(event);
            if !is_paid(event) {
                spent.read(event);
            }
        }
        self.write(|tx| {
            let last = "SELECT coalesce(max(number), -1) FROM events WHERE run = ?1";
            let last: i64 = tx.prepare_cached(last)?.query_row([run.as_str()], |row| row.get(0))?;
            for (number, event) in (last + 1..).zip(events) {
                tx.prepare_cached("INSERT INTO events (run, number, stored, event) VALUES (?1, ?2, ?3, ?4)")?
                    .execute(params![run.as_str(), number, now.0, event.to_string()])?;
            }
            tx.prepare_cached(
                "UPDATE runs SET standing = 'running', question = NULL, time = max(time, ?2), \
                 input_tokens = input_tokens + ?3, output_tokens = output_tokens + ?4, \
                 answered_usd = answered_usd + ?5, native_usd = native_usd + ?6 WHERE id = ?1",
            )?
            .execute(params![
                run.as_str(),
                spent.time.cast_signed(),
                spent.answered.input_tokens,
                spent.answered.output_tokens,
                spent.answered.cost_usd,
                spent.native_usd,
            ])?;
            Ok(())
        })
    }

    /// Opens a run again: from now on only so many of its events count, and these limits.
    ///
    /// # Errors
    /// Where another process drives it, or it cannot be written.
    pub fn reopen(&mut self, run: &RunId, keep: usize, limits: &RunLimits) -> Result<()> {
        if !self.leases.contains_key(run) {
            let lease = Lease::take(&self.folder, run)?;
            self.leases.insert(run.clone(), lease);
        }
        let event = json!({"event": REOPENED, "keep": keep, "limits": limits_to_json(limits)});
        self.write(|tx| {
            tx.execute(
                "INSERT INTO events (run, number, stored, event) \
                 SELECT ?1, coalesce(max(number), -1) + 1, ?2, ?3 FROM events WHERE run = ?1",
                params![run.as_str(), Moment::now().0, event.to_string()],
            )?;
            tx.execute(
                "UPDATE runs SET standing = 'running', question = NULL, outcome = NULL, summary = NULL, ended = NULL \
                 WHERE id = ?1",
                [run.as_str()],
            )
        })?;
        Ok(())
    }

    /// How often a call was made.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn attempts(&self, run: &RunId, call: u64) -> Result<u32> {
        let times = self
            .connection
            .prepare_cached("SELECT times FROM attempts WHERE run = ?1 AND ask = ?2")
            .and_then(|mut statement| {
                statement.query_row(params![run.as_str(), call.cast_signed()], |row| row.get(0)).optional()
            });
        Ok(times.describe_error("be read", &self.file())?.unwrap_or_default())
    }

    /// Notes that a call is made now; how often it was before.
    ///
    /// # Errors
    /// Where the run is over, another process drives it, or it cannot be written.
    pub fn attempt(&mut self, run: &RunId, call: u64) -> Result<u32> {
        self.take(run)?;
        self.write(|tx| {
            tx.prepare_cached(
                "INSERT INTO attempts (run, ask, times) VALUES (?1, ?2, 1) \
                 ON CONFLICT (run, ask) DO UPDATE SET times = times + 1 RETURNING times - 1",
            )?
            .query_row(params![run.as_str(), call.cast_signed()], |row| row.get(0))
        })
    }

    /// Notes that a run waits for a person, and lets go of it.
    ///
    /// # Errors
    /// Where the run is over, another process drives it, or it cannot be written.
    pub fn pause(&mut self, run: &RunId, question: &Json) -> Result<()> {
        self.take(run)?;
        self.write(|tx| {
            tx.execute(
                "UPDATE runs SET standing = 'waiting', question = ?2 WHERE id = ?1",
                params![run.as_str(), question.to_string()],
            )
        })?;
        self.let_go(run);
        Ok(())
    }

    /// Ends a run, and lets go of it: how in a word, and in a few.
    ///
    /// # Errors
    /// Where the run is over already, another process drives it, or it cannot be written.
    pub fn end(&mut self, run: &RunId, outcome: &str, summary: &str) -> Result<()> {
        self.take(run)?;
        self.write(|tx| {
            tx.execute(
                "UPDATE runs SET standing = 'ended', question = NULL, outcome = ?2, summary = ?3, ended = ?4 \
                 WHERE id = ?1",
                params![run.as_str(), outcome, summary, Moment::now().0],
            )
        })?;
        if let Some(lease) = self.leases.remove(run) {
            lease.clear();
        }
        Ok(())
    }

    /// Forgets a run.
    ///
    /// # Errors
    /// Where another process drives it, or it cannot be written.
    pub fn remove(&mut self, run: &RunId) -> Result<()> {
        let lease = match self.leases.remove(run) {
            Some(lease) => lease,
            None => Lease::take(&self.folder, run)?,
        };
        self.write(|tx| {
            tx.execute("DELETE FROM runs WHERE id = ?1", [run.as_str()])?;
            tx.execute("DELETE FROM blobs WHERE id NOT IN (SELECT blob FROM sources)", [])
        })?;
        lease.clear();
        self.shrink()
    }

    /// Gives the room of what was deleted back to the disk. Nothing of it stays in the files.
    fn shrink(&mut self) -> Result<()> {
        let file = self.file();
        let shrink = |connection: &Connection| {
            // The pragma frees one page for each row that is read.
            let mut statement = connection.prepare("PRAGMA incremental_vacuum")?;
            let mut rows = statement.query([])?;
            while rows.next()?.is_some() {}
            connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
        };
        shrink(&self.connection).describe_error("be written", &file)
    }

    /// Forgets all runs that are over but the last ones; which they were.
    ///
    /// # Errors
    /// Where they cannot be read or written.
    pub fn prune(&mut self, keep: usize) -> Result<Vec<RunId>> {
        let ended = |run: &Summary| matches!(run.status, RunStatus::Ended { .. });
        let runs = self.list()?.into_iter().filter(ended).skip(keep);
        let mut removed = Vec::new();
        for run in runs {
            self.remove(&run.id)?;
            removed.push(run.id);
        }
        if !removed.is_empty() {
            self.shrink()?;
        }
        Ok(removed)
    }

    /// Refuses a run that is not there, or over.
    fn status(&self, run: &RunId) -> Result<()> {
        let file = self.file();
        let status: Option<String> = self
            .connection
            .prepare_cached("SELECT standing FROM runs WHERE id = ?1")
            .and_then(|mut statement| statement.query_row([run.as_str()], |row| row.get(0)).optional())
            .describe_error("be read", &file)?;
        match status.as_deref() {
            None => Err(fault::unknown(run.as_str())),
            Some("ended") => {
                bail!("the run `{run}` has ended\n  help: `nodewise runs replay {run}` runs it again")
            }
            Some(_) => Ok(()),
        }
    }

    /// Writes all or nothing; what is written is on disk afterwards.
    fn write<T>(&mut self, work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>) -> Result<T> {
        let file = self.file();
        let written =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate).and_then(|tx| {
                let value = work(&tx)?;
                tx.commit()?;
                Ok(value)
            });
        written.describe_error("be written", &file)
    }
}

/// The event of a run that was opened again. It is the store's own: no run has it.
pub(crate) const REOPENED: &str = "reopened";

impl Stored {
    /// Its events, in order.
    #[must_use]
    pub fn events(&self) -> Vec<Json> {
        self.events.iter().map(|stored| stored.event.clone()).collect()
    }
}

/// What events used, and how late they are.
#[derive(Debug, Default)]
struct Spent {
    time: u64,
    answered: Usage,
    native_usd: f64,
}

impl Spent {
    fn read_time(&mut self, event: &Json) {
        self.time = event.get("at").and_then(Json::as_u64).unwrap_or(0).max(self.time);
    }

    fn read(&mut self, event: &Json) {
        let word = event.get("event").and_then(Json::as_str);
        let amount = |path: &str| event.pointer(path).and_then(Json::as_f64).unwrap_or(0.0);
        match word {
            Some("answered") => {
                self.answered += Usage {
                    input_tokens: amount("/answer/usage/input_tokens"),
                    output_tokens: amount("/answer/usage/output_tokens"),
                    cost_usd: amount("/answer/usage/cost_usd"),
                };
            }
            Some("spent") => self.native_usd += amount("/usage/cost_usd"),
            _ => {}
        }
    }
}

fn is_known(connection: &Connection, id: &RunId) -> rusqlite::Result<bool> {
    connection.query_row("SELECT EXISTS (SELECT 1 FROM runs WHERE id = ?1)", [id.as_str()], |row| row.get(0))
}

/// The number under which a text is kept; equal texts are kept once.
fn kept_text(tx: &Transaction<'_>, text: &str) -> rusqlite::Result<i64> {
    let hash = hash(&[text.as_bytes()]).cast_signed();
    let known: Option<i64> = tx
        .prepare_cached("SELECT id FROM blobs WHERE hash = ?1 AND text = ?2")?
        .query_row(params![hash, text], |row| row.get(0))
        .optional()?;
    if let Some(known) = known {
        return Ok(known);
    }
    tx.prepare_cached("INSERT INTO blobs (hash, text) VALUES (?1, ?2)")?.execute(params![hash, text])?;
    Ok(tx.last_insert_rowid())
}
