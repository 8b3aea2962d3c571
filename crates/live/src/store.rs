//! Runs on disk: what each was given, what happened, and who drives it.
//!
//! Input: events as they happen; output: runs, read back after whatever came between. Invariant: what a call wrote is on disk
//! when it returns, an event has the number after the one before it, and one process at a time drives a run.

#![allow(clippy::disallowed_methods, reason = "the store is files and a clock")]

mod backup;
mod cancel;
mod clock;
mod decided;
mod evals;
mod fault;
mod history;
mod id;
mod lease;
mod migrate;
mod open;
mod origin;
mod pin;
mod reading;
mod record_reader;
mod row;
mod schema;
mod texts;
mod whole;
mod written;

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

pub use backup::restore;
pub use cancel::{CancelRequest, Cancelled};
pub use clock::Moment;
pub use decided::{DecisionRecord, DecisionResult, OpenQuestion, StoredDecision};
pub use evals::Kept;
use fault::DescribeError;
pub use id::RunId;
pub(crate) use id::hash;
use lease::Lease;
pub use origin::RunOrigin;
pub use pin::NodePin;
pub use record_reader::{RecordNews, RecordReader};
use row::{RunRow, Spent, chained, tried};
use whole::{RunChange, WholeRow};
use written::WrittenRevision;

use crate::limits::limits_to_json;

/// The folder of a project in which its runs are kept.
pub const FOLDER: &str = ".nodewise";

/// The store of a project's runs, which is an SQLite database in the project's folder.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    folder: PathBuf,
    leases: BTreeMap<RunId, Lease>,
}

/// Everything with which a run begins, as the store keeps it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NewRun {
    /// The id of the dialect whose graph runs.
    pub system: String,
    /// A description of what runs, for lists and reports.
    pub title: String,
    /// The target and the input of the run, as the text of a scenario.
    pub scenario: String,
    /// The seed of the run's randomness.
    pub seed: u64,
    /// The files with the declarations: paths in the project and their texts, in load order.
    pub sources: Vec<(String, Arc<str>)>,
    /// The version of nodewise that began the run.
    pub version: String,
    /// The run that this one was forked from, if it was.
    pub origin: Option<RunOrigin>,
    /// The nodes that get their outputs from other runs.
    pub pins: Vec<NodePin>,
    /// The name that the user gave the run.
    pub name: Option<String>,
    /// Words that the user gave the run, to find it again.
    pub tags: Vec<String>,
}

/// A run with everything that is stored about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Stored {
    pub id: RunId,
    /// What the run began with.
    pub new: NewRun,
    /// A random number that identifies the run among all runs of all stores. The ids of its spans follow from it.
    pub identity: [u8; 16],
    pub begun: Moment,
    pub status: RunStatus,
    /// The events that count, in order.
    pub events: Vec<StoredEvent>,
    /// How often each call was made, by the number of the call.
    pub attempts: BTreeMap<u64, u32>,
    /// The questions in events that were discarded when the run was opened again, in order.
    pub discarded: Vec<Json>,
    /// Answers from discarded events, to questions that still count.
    pub spare: Vec<Json>,
    /// Limits that were raised since it began.
    pub limits: RunLimits,
    /// Whether the run ended because a user cancelled it.
    pub is_cancelled: bool,
    /// The decisions that people made while no process drove the run, in order.
    pub decisions: Vec<StoredDecision>,
    /// Those of `decisions` that the run has not continued with yet.
    pub pending: Vec<StoredDecision>,
}

/// An event of a run, and when it was stored.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredEvent {
    pub stored: Moment,
    /// The event as JSON, in the format of traces.
    pub event: Json,
}

/// Whether a run is running, waits, was interrupted or has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunStatus {
    /// A process drives the run.
    Running,
    /// The run has not ended, and no process drives it.
    Interrupted,
    /// The run waits for people. The JSON has their open questions.
    Waiting(Json),
    /// The run has ended.
    Ended {
        at: Moment,
        /// The outcome as one word.
        outcome: String,
        /// The outcome in a few words.
        summary: String,
    },
}

/// The runs of a project, and what is damaged in their store.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunList {
    /// The runs that can be read, the newest first.
    pub runs: Vec<Summary>,
    /// A message for each damage, with help on what to do.
    pub damage: Vec<String>,
}

/// What a list of runs shows about a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    pub id: RunId,
    /// The id of the dialect whose graph runs.
    pub system: String,
    /// A description of what runs.
    pub title: String,
    /// The name that the user gave the run.
    pub name: Option<String>,
    /// Words that the user gave the run.
    pub tags: Vec<String>,
    pub begun: Moment,
    pub status: RunStatus,
    /// The tokens and costs of the run.
    pub usage: Usage,
    /// How long the run took so far, in milliseconds of its own time.
    pub time_ms: u64,
    /// How many events are stored, including those of the store itself.
    pub events: u64,
}

impl RunStatus {
    /// The open questions of a waiting run; `None` if the run does not wait.
    #[must_use]
    pub fn question(&self) -> Option<&Json> {
        match self {
            RunStatus::Waiting(question) => Some(question),
            RunStatus::Running | RunStatus::Interrupted | RunStatus::Ended { .. } => None,
        }
    }

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
    /// Opens the store of a project to begin or resume runs. Creates the store if there is none.
    ///
    /// # Errors
    /// Where the store cannot be created, or a file at its place is not a store that this version reads.
    pub fn open(folder: &Path) -> Result<Store> {
        open::made(folder)
    }

    /// Opens the store of a project to read runs. Returns `None`, and creates nothing, if there is no store.
    ///
    /// # Errors
    /// Where a file at its place is not a store that this version reads.
    pub fn open_existing(folder: &Path) -> Result<Option<Store>> {
        open::existing(folder)
    }

    /// The path of the database.
    #[must_use]
    pub fn file(&self) -> PathBuf {
        schema::file(&self.folder)
    }

    /// Stores a new run. This process drives it until [`Store::let_go`].
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn begin(&mut self, new: &NewRun) -> Result<RunId> {
        self.begin_with(new, &[])
    }

    /// Stores a new run with events that another run already has and paid for.
    ///
    /// # Errors
    /// Where the run cannot be written; then nothing of it is stored.
    pub fn begin_with(&mut self, new: &NewRun, events: &[Json]) -> Result<RunId> {
        let now = Moment::now();
        let file = self.file();
        let identity: [u8; 16] = self
            .connection
            .query_row("SELECT randomblob(16)", [], |row| row.get(0))
            .describe_error("be read", &file)?;
        let id = id::unused(now, &identity, |id| is_known(&self.connection, id))
            .describe_error("be read", &file)?;
        // The lease comes first: a process that sees the new run also sees that a process drives it.
        let lease = Lease::take(&self.folder, &id)?;
        let mut row = RunRow::new(&id, identity, now, new);
        let whole = self.write(|tx| {
            row.insert(tx, &new.scenario)?;
            for (position, (path, text)) in new.sources.iter().enumerate() {
                let (blob, _) = texts::kept_text(tx, text)?;
                tx.prepare_cached("INSERT INTO sources (run, position, path, blob) VALUES (?1, ?2, ?3, ?4)")?
                    .execute(params![id.as_str(), position as i64, path, blob])?;
            }
            let own = [new.origin.as_ref().map(RunOrigin::to_json), NodePin::event(&new.pins)];
            for event in own.iter().flatten().chain(events) {
                row.add_event(tx, now, event)?;
            }
            row.add(&Spent::of(events, |_| true));
            row.update(tx)?;
            Ok(WholeRow::update(tx, id.as_str(), RunChange::Begins)?)
        })?;
        self.note(whole);
        lease.note(WrittenRevision { store: whole.identity, number: row.revision });
        self.leases.insert(id.clone(), lease);
        Ok(id)
    }

    /// Takes over a run, so that this process drives it.
    ///
    /// # Errors
    /// Where the run has ended, or another process drives it.
    pub fn take(&mut self, run: &RunId) -> Result<()> {
        self.change(run, |_, row| refuse_ended(row))
    }

    /// Gives a run up, so that another process can drive it.
    pub fn let_go(&mut self, run: &RunId) {
        self.leases.remove(run);
    }

    /// Adds events to a run.
    ///
    /// # Errors
    /// Where the run is over, another process drives it, or the events cannot be written; then none of them is.
    pub fn append(&mut self, run: &RunId, events: &[Json]) -> Result<()> {
        self.append_starting(run, events, &[]).map(drop)
    }

    /// Adds events to a run, and notes that these calls are made now. Returns how often each call was made before.
    ///
    /// # Errors
    /// Where the run is over, another process drives it, or it cannot be written; then nothing is.
    pub fn append_starting(&mut self, run: &RunId, events: &[Json], asks: &[u64]) -> Result<Vec<u32>> {
        self.append_paid(run, events, asks, |_| false)
    }

    /// Like [`Store::append_starting`], but events with `is_paid` do not add to the usage, because they were paid for before.
    ///
    /// # Errors
    /// Where the run is over, another process drives it, or it cannot be written; then nothing is.
    pub fn append_paid(
        &mut self,
        run: &RunId,
        events: &[Json],
        asks: &[u64],
        is_paid: impl Fn(&Json) -> bool,
    ) -> Result<Vec<u32>> {
        let (now, spent) = (Moment::now(), Spent::of(events, is_paid));
        self.write_run(run, |tx, row| {
            refuse_ended(row)?;
            for event in events {
                row.add_event(tx, now, event)?;
            }
            row.standing = "running".to_owned();
            row.question = None;
            row.add(&spent);
            Ok(asks.iter().map(|ask| row.start(tx, *ask)).collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Opens a run again: only its first `keep` events count from now on, and `limits` replace its limits.
    ///
    /// # Errors
    /// Where another process drives it, or it cannot be written.
    pub fn reopen(&mut self, run: &RunId, keep: usize, limits: &RunLimits) -> Result<()> {
        let event = json!({"event": REOPENED, "keep": keep, "limits": limits_to_json(limits)});
        self.write_run(run, |tx, row| {
            row.add_event(tx, Moment::now(), &event)?;
            row.standing = "running".to_owned();
            (row.question, row.outcome, row.summary, row.ended) = (None, None, None, None);
            Ok(())
        })
    }

    /// How often a call was made; 0 if it never was.
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

    /// Notes that a run waits for people, and lets go of it.
    ///
    /// # Errors
    /// Where the run is over, another process drives it, or it cannot be written.
    pub fn pause(&mut self, run: &RunId, question: &Json) -> Result<()> {
        self.write_run(run, |_, row| {
            refuse_ended(row)?;
            row.standing = "waiting".to_owned();
            row.question = Some(question.to_string());
            Ok(())
        })?;
        self.let_go(run);
        Ok(())
    }

    /// Ends a run, with its outcome in one word and a summary in a few, and lets go of it.
    ///
    /// # Errors
    /// Where the run is over already, another process drives it, or it cannot be written.
    pub fn end(&mut self, run: &RunId, outcome: &str, summary: &str) -> Result<()> {
        let whole = self.write_run(run, |tx, row| {
            refuse_ended(row)?;
            row.end(outcome, summary);
            Ok(WholeRow::update(tx, run.as_str(), RunChange::Ends)?)
        })?;
        self.after_end(run, whole);
        Ok(())
    }

    /// Removes what only a run that has not ended needs, and lets go of the run.
    fn after_end(&mut self, run: &RunId, whole: WholeRow) {
        self.note(whole);
        self.cancel_request(run).clear();
        if let Some(lease) = self.leases.remove(run) {
            lease.clear();
        }
    }

    /// Deletes a run.
    ///
    /// # Errors
    /// Where another process drives it, or it cannot be written.
    pub fn remove(&mut self, run: &RunId) -> Result<()> {
        self.delete(run)?;
        self.shrink()
    }

    /// Deletes the rows of a run. The files keep their size until [`Store::shrink`].
    fn delete(&mut self, run: &RunId) -> Result<()> {
        let lease = match self.leases.remove(run) {
            Some(lease) => lease,
            None => Lease::take(&self.folder, run)?,
        };
        lease.forget();
        let whole = self.write(|tx| {
            if tx.execute("DELETE FROM runs WHERE id = ?1", [run.as_str()])? == 0 {
                return Err(fault::unknown(run.as_str()));
            }
            tx.execute(
                "DELETE FROM blobs WHERE id NOT IN (SELECT blob FROM sources) AND id NOT IN (SELECT blob FROM texts)",
                [],
            )?;
            Ok(WholeRow::update(tx, run.as_str(), RunChange::IsDeleted)?)
        });
        self.cancel_request(run).clear();
        lease.clear();
        self.note(whole?);
        Ok(())
    }

    /// Returns the space of deleted rows to the disk, so that no deleted text stays in the files.
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

    /// Deletes all runs that have ended, except the newest `keep`. Returns the deleted runs.
    ///
    /// # Errors
    /// Where they cannot be read or written.
    pub fn prune(&mut self, keep: usize) -> Result<Vec<RunId>> {
        let ended = |run: &Summary| matches!(run.status, RunStatus::Ended { .. });
        let runs: Vec<RunId> =
            self.list()?.runs.into_iter().filter(ended).skip(keep).map(|run| run.id).collect();
        let deleted = runs.iter().try_for_each(|run| self.delete(run));
        // Also after an error: what is deleted already must not stay in the files.
        if !runs.is_empty() {
            self.shrink()?;
        }
        deleted.map(|()| runs)
    }

    /// Works on a run in one transaction. This process drives the run from now on.
    fn change<T>(
        &mut self,
        run: &RunId,
        change: impl FnOnce(&Transaction<'_>, &mut RunRow) -> Result<T>,
    ) -> Result<T> {
        let is_new = !self.leases.contains_key(run);
        if is_new {
            let lease = Lease::take(&self.folder, run)?;
            // An old request to cancel was meant for the process that drove the run before.
            self.cancel_request(run).clear();
            self.leases.insert(run.clone(), lease);
        }
        let file = self.file();
        // If this process held the lease already, the note in it is this process' own, so there is nothing to check.
        let noted = if is_new { lease::written(&self.folder, run) } else { None };
        let changed = self.write(|tx| {
            let mut row = reading::sound_row(tx, run, noted, &file)?;
            change(tx, &mut row)
        });
        if changed.is_err() && is_new {
            self.leases.remove(run);
        }
        changed
    }

    /// Works on a run, and writes its row with the next revision.
    fn write_run<T>(
        &mut self,
        run: &RunId,
        change: impl FnOnce(&Transaction<'_>, &mut RunRow) -> Result<T>,
    ) -> Result<T> {
        let (value, written) = self.change(run, |tx, row| {
            let value = change(tx, row)?;
            row.update(tx)?;
            Ok((value, WrittenRevision { store: WholeRow::read(tx)?.identity, number: row.revision }))
        })?;
        if let Some(lease) = self.leases.get(run) {
            lease.note(written);
        }
        Ok(value)
    }

    /// Notes the revision of the store in the file beside it, after it is on disk.
    fn note(&self, whole: WholeRow) {
        let written = WrittenRevision { store: whole.identity, number: whole.revision };
        written.raise(&written::path(&self.file()));
    }

    /// Runs a transaction: either everything is written and on disk afterwards, or nothing is.
    fn write<T>(&mut self, work: impl FnOnce(&Transaction<'_>) -> Result<T>) -> Result<T> {
        let file = self.file();
        let write = || {
            let tx = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let value = work(&tx)?;
            tx.commit()?;
            anyhow::Ok(value)
        };
        write().describe_error("be written", &file)
    }
}

impl RunRow {
    /// Adds an event, and continues the checksum of the run's events.
    fn add_event(&mut self, tx: &Transaction<'_>, now: Moment, event: &Json) -> rusqlite::Result<()> {
        let (text, is_long) = texts::stored(tx, &self.id, event)?;
        let insert = "INSERT INTO events (run, number, stored, event, long) VALUES (?1, ?2, ?3, ?4, ?5)";
        tx.prepare_cached(insert)?.execute(params![self.id, self.events, now.0, text, is_long])?;
        self.chain = chained(self.chain, self.events, now, &text);
        self.events += 1;
        Ok(())
    }

    /// Notes that a call is made. Returns how often it was made before.
    fn start(&mut self, tx: &Transaction<'_>, ask: u64) -> rusqlite::Result<u32> {
        let times: u32 = tx
            .prepare_cached(
                "INSERT INTO attempts (run, ask, times) VALUES (?1, ?2, 1) \
                 ON CONFLICT (run, ask) DO UPDATE SET times = times + 1 RETURNING times",
            )?
            .query_row(params![self.id, ask.cast_signed()], |row| row.get(0))?;
        let before = times.saturating_sub(1);
        let former = if before > 0 { tried(ask, before) } else { 0 };
        self.tries = self.tries.wrapping_sub(former).wrapping_add(tried(ask, times));
        Ok(before)
    }

    fn end(&mut self, outcome: &str, summary: &str) {
        self.standing = "ended".to_owned();
        self.question = None;
        self.outcome = Some(outcome.to_owned());
        self.summary = Some(summary.to_owned());
        self.ended = Some(Moment::now().0);
    }

    fn add(&mut self, spent: &Spent) {
        self.time = self.time.max(spent.time.cast_signed());
        self.answered += spent.answered;
        self.native_usd += spent.native_usd;
    }
}

fn refuse_ended(row: &RunRow) -> Result<()> {
    if row.standing == "ended" {
        let run = &row.id;
        bail!("the run `{run}` has ended\n  help: `nodewise runs replay {run}` runs it again");
    }
    Ok(())
}

/// The event that a run was opened again. Only the store writes it, never the kernel.
pub(crate) const REOPENED: &str = "reopened";

impl Stored {
    /// The events that count, as JSON, in order.
    #[must_use]
    pub fn events(&self) -> Vec<Json> {
        self.events.iter().map(|stored| stored.event.clone()).collect()
    }
}

fn is_known(connection: &Connection, id: &RunId) -> rusqlite::Result<bool> {
    connection.query_row("SELECT EXISTS (SELECT 1 FROM runs WHERE id = ?1)", [id.as_str()], |row| row.get(0))
}
