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
    /// The outputs of other runs that its nodes are given.
    pub pins: Vec<NodePin>,
    /// What its user calls it.
    pub name: Option<String>,
    /// Words of its user, to find it again.
    pub tags: Vec<String>,
}

/// A run as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Stored {
    pub id: RunId,
    /// What it was begun with.
    pub new: NewRun,
    /// A number that no other run has, of any store: the identity of its trace.
    pub identity: [u8; 16],
    /// When it began.
    pub begun: Moment,
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
    /// Whether it ended because a user cancelled it.
    pub is_cancelled: bool,
    /// The decisions that people gave while no process drove it, in order.
    pub decisions: Vec<StoredDecision>,
    /// Those of them with which it has not continued yet.
    pub pending: Vec<StoredDecision>,
}

/// Something that happened in a run.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredEvent {
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
        at: Moment,
        /// How, in a word.
        outcome: String,
        /// The same in a few words.
        summary: String,
    },
}

/// The runs of a project.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunList {
    /// The runs that can be read, the last one first.
    pub runs: Vec<Summary>,
    /// What is damaged: messages that say what to do.
    pub damage: Vec<String>,
}

/// A run in a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    pub id: RunId,
    /// The id of the dialect whose graph runs.
    pub system: String,
    /// What runs, in words.
    pub title: String,
    /// What its user calls it.
    pub name: Option<String>,
    /// Words of its user.
    pub tags: Vec<String>,
    /// When it began.
    pub begun: Moment,
    pub status: RunStatus,
    /// What it used.
    pub usage: Usage,
    /// How long it took so far, in the time of the run, in milliseconds.
    pub time_ms: u64,
    /// How many events it has.
    pub events: u64,
}

impl RunStatus {
    /// What a waiting run waits for.
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
        schema::file(&self.folder)
    }

    /// Begins a run, which this process drives until it lets go of it.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn begin(&mut self, new: &NewRun) -> Result<RunId> {
        self.begin_with(new, &[])
    }

    /// The same with events that happened already, in another run that paid for them.
    ///
    /// # Errors
    /// Where it cannot be written; then nothing of it is.
    pub fn begin_with(&mut self, new: &NewRun, events: &[Json]) -> Result<RunId> {
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

    /// Takes a run over to continue it.
    ///
    /// # Errors
    /// Where it is over, or another process drives it.
    pub fn take(&mut self, run: &RunId) -> Result<()> {
        self.change(run, |_, row| refuse_ended(row))
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
        self.append_starting(run, events, &[]).map(drop)
    }

    /// Adds to what happened in a run, and notes that these questions are put to the world now; how often each was before.
    ///
    /// # Errors
    /// Where the run is over, another process drives it, or it cannot be written; then nothing is.
    pub fn append_starting(&mut self, run: &RunId, events: &[Json], asks: &[u64]) -> Result<Vec<u32>> {
        self.append_paid(run, events, asks, |_| false)
    }

    /// The same where some events were paid for before.
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

    /// Opens a run again: from now on only so many of its events count, and these limits.
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

    /// Notes that a run waits for a person, and lets go of it.
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

    /// Ends a run, and lets go of it: how in a word, and in a few.
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

    /// Lets go of a run that ended.
    fn after_end(&mut self, run: &RunId, whole: WholeRow) {
        self.note(whole);
        self.cancel_request(run).clear();
        if let Some(lease) = self.leases.remove(run) {
            lease.clear();
        }
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
        let runs = self.list()?.runs.into_iter().filter(ended).skip(keep);
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

    /// Works on a run, which this process drives from now on.
    fn change<T>(
        &mut self,
        run: &RunId,
        change: impl FnOnce(&Transaction<'_>, &mut RunRow) -> Result<T>,
    ) -> Result<T> {
        let is_new = !self.leases.contains_key(run);
        if is_new {
            let lease = Lease::take(&self.folder, run)?;
            // A request that is there already was about the run as another process drove it.
            self.cancel_request(run).clear();
            self.leases.insert(run.clone(), lease);
        }
        let file = self.file();
        // Who has the lease wrote what is noted.
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

    /// Works on a run, and writes it with the next revision.
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

    /// Notes what is written of the whole store.
    fn note(&self, whole: WholeRow) {
        let written = WrittenRevision { store: whole.identity, number: whole.revision };
        written.raise(&written::path(&self.file()));
    }

    /// Writes all or nothing; what is written is on disk afterwards.
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
    /// Adds an event.
    fn add_event(&mut self, tx: &Transaction<'_>, now: Moment, event: &Json) -> rusqlite::Result<()> {
        let (text, is_long) = texts::stored(tx, &self.id, event)?;
        let insert = "INSERT INTO events (run, number, stored, event, long) VALUES (?1, ?2, ?3, ?4, ?5)";
        tx.prepare_cached(insert)?.execute(params![self.id, self.events, now.0, text, is_long])?;
        self.chain = chained(self.chain, self.events, now, &text);
        self.events += 1;
        Ok(())
    }

    /// Notes that a question is put to the world; how often it was before.
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

/// The event of a run that was opened again. It is the store's own: no run has it.
pub(crate) const REOPENED: &str = "reopened";

impl Stored {
    /// Its events, in order.
    #[must_use]
    pub fn events(&self) -> Vec<Json> {
        self.events.iter().map(|stored| stored.event.clone()).collect()
    }
}

fn is_known(connection: &Connection, id: &RunId) -> rusqlite::Result<bool> {
    connection.query_row("SELECT EXISTS (SELECT 1 FROM runs WHERE id = ?1)", [id.as_str()], |row| row.get(0))
}
