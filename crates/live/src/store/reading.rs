//! Runs read back.
//!
//! Input: a store; output: runs, whole or in a list. Invariant: what is read is what was written, or an error that says where
//! it is not.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Error, Result, anyhow, bail};
use rusqlite::{Transaction, params};
use serde_json::Value as Json;

use super::clock::Moment;
use super::fault::{DescribeError, ROW, damaged_file, damaged_run, damaged_store, unknown};
use super::history::RunHistory;
use super::id::RunId;
use super::row::{RunRow, chained, origin, tried};
use super::texts::Texts;
use super::whole::WholeRow;
use super::written::{self, WrittenRevision};
use super::{
    NewRun, OpenQuestion, RunList, RunStatus, Store, Stored, StoredDecision, StoredEvent, Summary, lease,
};
use crate::people::Topic;

/// The name by which a user refers to the newest run.
const LAST: &str = "last";
/// How many runs an error names.
const NAMES_MAX: usize = 5;

impl Store {
    /// Finds a run by its id, the name that its user gave it, the beginning of its id if only one run has it, or `last`.
    ///
    /// # Errors
    /// Where no run has this name, or several have.
    pub fn find(&self, name: &str) -> Result<RunId> {
        let (rows, damage) = self.rows()?;
        let unsound = rows.iter().find(|row| !row.is_sound());
        let unsound = unsound.map(|row| damaged_run(&row.id, &self.file(), ROW));
        let named: Vec<String> =
            rows.iter().filter(|row| row.name.as_deref() == Some(name)).map(|row| row.id.clone()).collect();
        let ids: Vec<String> = rows.into_iter().map(|row| row.id).collect();
        if let Some(id) = ids.iter().find(|id| *id == name) {
            return Ok(RunId::stored(id.clone()));
        }
        // If runs are missing, the name may belong to one of them.
        if let Some(damage) = damage {
            return Err(damage);
        }
        if name == LAST {
            // If a row is damaged, its moment may be wrong, and another run would seem the newest.
            if let Some(damage) = unsound {
                return Err(damage);
            }
            return match ids.into_iter().next() {
                Some(id) => Ok(RunId::stored(id)),
                None => bail!("the project has no runs\n  help: `nodewise run TARGET` starts one"),
            };
        }
        if let [id] = named.as_slice() {
            return Ok(RunId::stored(id.clone()));
        }
        if !named.is_empty() {
            bail!(
                "{} runs have the name `{name}`\n  help: write the id of one; there are {}",
                named.len(),
                listed(&named)
            );
        }
        let fits: Vec<String> =
            ids.into_iter().filter(|id| !name.is_empty() && id.starts_with(name)).collect();
        match fits.as_slice() {
            [] => Err(unknown(name)),
            [id] => Ok(RunId::stored(id.clone())),
            several => bail!(
                "{} runs start with `{name}`\n  help: write more of the id; there are {}",
                several.len(),
                listed(several)
            ),
        }
    }

    /// Reads a run with all its events.
    ///
    /// # Errors
    /// Where it is not there, or cannot be read.
    pub fn read(&self, run: &RunId) -> Result<Stored> {
        let file = self.file();
        let (row, record) = self.record(run)?;
        let damaged = |position: usize| {
            damaged_run(run.as_str(), &file, &format!("its event {position} cannot be read"))
        };
        let history = RunHistory::of(record.events, damaged)?;
        let RunHistory {
            events,
            limits,
            origin,
            pins,
            discarded,
            spare,
            is_cancelled,
            decisions,
            mut pending,
        } = history;
        let new = NewRun {
            tags: row.tags(),
            origin,
            pins,
            system: row.system.clone(),
            title: row.title.clone(),
            scenario: record.scenario,
            seed: row.seed,
            sources: record.sources,
            version: row.version.clone(),
            name: row.name.clone(),
        };
        let summary = row.summarised();
        // A decision about a repeated call counts for that attempt alone: once the run has continued, the call may have had its
        // effect again.
        let open = OpenQuestion::all(&summary.status);
        let is_open = |decision: &StoredDecision| {
            open.iter().any(|question| question.key == decision.key && question.decided.is_some())
        };
        pending.retain(|decision| decision.topic == Topic::Approval || is_open(decision));
        Ok(Stored {
            status: self.current(summary.status, run)?,
            id: summary.id,
            new,
            identity: row.identity,
            begun: summary.begun,
            events,
            attempts: record.attempts,
            discarded,
            spare,
            limits,
            is_cancelled,
            decisions,
            pending,
        })
    }

    /// All events of a run, including discarded ones and those that only the store writes.
    ///
    /// # Errors
    /// Where the run is not there, or cannot be read.
    pub fn every_event(&self, run: &RunId) -> Result<Vec<Json>> {
        let (_, record) = self.record(run)?;
        Ok(record.events.into_iter().map(|stored| stored.event).collect())
    }

    fn record(&self, run: &RunId) -> Result<(RunRow, Record)> {
        let (file, noted) = (self.file(), lease::written(&self.folder, run));
        let tx = self.connection.unchecked_transaction().describe_error("be read", &file)?;
        let row = sound_row(&tx, run, noted, &file)?;
        let record = Record::read(&tx, &row).describe_error("be read", &file)?;
        let record = record.map_err(|what| damaged_run(run.as_str(), &file, &what))?;
        Ok((row, record))
    }

    /// Lists the runs, the newest first.
    ///
    /// # Errors
    /// Where the store cannot be read at all.
    pub fn list(&self) -> Result<RunList> {
        let file = self.file();
        // The notes are read before the rows, so that no note is newer than its row.
        let noted = lease::all_written(&self.folder);
        let (rows, damage) = self.rows()?;
        let mut list = RunList::default();
        list.damage.extend(damage.map(|error| error.to_string()));
        let store = self.whole()?;
        for row in &rows {
            let missing = noted.iter().find(|(id, _)| *id == row.id);
            let missing = missing.and_then(|(_, noted)| noted.missing(store, row.revision));
            match (row.is_sound(), missing) {
                (false, _) => list.damage.push(damaged_run(&row.id, &file, ROW).to_string()),
                (true, Some(missing)) => {
                    list.damage.push(cut_run(&row.id, &self.folder, missing).to_string())
                }
                (true, None) => {
                    let summary = row.summarised();
                    let status = self.current(summary.status, &summary.id)?;
                    list.runs.push(Summary { status, ..summary });
                }
            }
        }
        let is_lost = |id: &String| rows.iter().all(|row| row.id != *id);
        // The lease file of a run that is being deleted has no note any more, so the run is not lost.
        let is_noted = |id: &String| lease::written(&self.folder, &RunId::stored(id.clone())).is_some();
        let lost = noted.iter().filter(|(id, noted)| noted.store == store && is_lost(id) && is_noted(id));
        for (id, noted) in lost {
            list.damage.push(cut_run(id, &self.folder, noted.number).to_string());
        }
        Ok(list)
    }

    fn whole(&self) -> Result<i64> {
        let file = self.file();
        let tx = self.connection.unchecked_transaction().describe_error("be read", &file)?;
        Ok(WholeRow::read(&tx).describe_error("be read", &file)?.identity)
    }

    /// The rows of all runs, the newest first, and what is wrong with the store as a whole.
    fn rows(&self) -> Result<(Vec<RunRow>, Option<Error>)> {
        let file = self.file();
        let noted = WrittenRevision::read(&written::path(&file));
        let tx = self.connection.unchecked_transaction().describe_error("be read", &file)?;
        let rows = RunRow::all(&tx).describe_error("be read", &file)?;
        let whole = WholeRow::read(&tx).describe_error("be read", &file)?;
        let missing = noted.and_then(|noted| noted.missing(whole.identity, whole.revision));
        let damage = match (whole.difference(rows.iter().map(|row| row.id.as_str())), missing) {
            (Some(what), _) => Some(damaged_store(&file, &what)),
            (None, Some(missing)) => Some(cut_store(&file, missing)),
            (None, None) => None,
        };
        Ok((rows, damage))
    }

    /// The status of a run now. A run that has not ended is running only while a process drives it.
    pub(super) fn current(&self, standing: RunStatus, run: &RunId) -> Result<RunStatus> {
        if standing != RunStatus::Running || self.leases.contains_key(run) {
            return Ok(standing);
        }
        Ok(if lease::is_held(&self.folder, run)? { RunStatus::Running } else { RunStatus::Interrupted })
    }
}

/// The first ids of a list, for a message.
fn listed(ids: &[String]) -> String {
    let shown: Vec<String> = ids.iter().take(NAMES_MAX).map(|id| format!("`{id}`")).collect();
    let more = if ids.len() > NAMES_MAX { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

/// Reads the row of a run and checks it. The caller must read `noted` before the transaction begins, so that it is not newer than
/// the row.
pub(super) fn sound_row(
    tx: &Transaction<'_>,
    run: &RunId,
    noted: Option<WrittenRevision>,
    file: &Path,
) -> Result<RunRow> {
    let whole = WholeRow::read(tx).describe_error("be read", file)?;
    let Some(row) = RunRow::find(tx, run.as_str()).describe_error("be read", file)? else {
        // A damaged index may hide the row, so look without the index.
        let is_there: bool = tx
            .query_row("SELECT count(*) > 0 FROM runs NOT INDEXED WHERE id = ?1", [run.as_str()], |row| {
                row.get(0)
            })
            .describe_error("be read", file)?;
        return Err(match noted.filter(|noted| noted.store == whole.identity) {
            _ if is_there => damaged_file(file),
            Some(noted) => cut_run_in(run.as_str(), file, noted.number),
            None => unknown(run.as_str()),
        });
    };
    if !row.is_sound() {
        return Err(damaged_run(run.as_str(), file, ROW));
    }
    match noted.and_then(|noted| noted.missing(whole.identity, row.revision)) {
        Some(missing) => Err(cut_run_in(run.as_str(), file, missing)),
        None => Ok(row),
    }
}

/// Everything that is stored about a run besides its row.
pub(super) struct Record {
    scenario: String,
    sources: Vec<(String, Arc<str>)>,
    events: Vec<StoredEvent>,
    attempts: BTreeMap<u64, u32>,
}

impl Record {
    /// Reads the record of a run. The inner error says what is damaged.
    pub(super) fn read(tx: &Transaction<'_>, row: &RunRow) -> rusqlite::Result<Result<Record, String>> {
        let id = row.id.as_str();
        let StoredInputs { scenario, sources } = inputs(tx, id)?;
        let chain = origin(id, &scenario, &sources);
        let (events, chain) = match read_events(tx, id, 0, chain)? {
            Ok(read) => read,
            Err(what) => return Ok(Err(what)),
        };
        match row.events - events.len() as i64 {
            0 => {}
            missing if missing > 0 => {
                return Ok(Err(format!("{missing} of its {} events are missing", row.events)));
            }
            more => return Ok(Err(format!("it has {} events that were not written by nodewise", -more))),
        }
        if chain != row.chain {
            return Ok(Err("its input, declarations or events are not as they were written".to_owned()));
        }
        let mut statement = tx.prepare_cached("SELECT ask, times FROM attempts WHERE run = ?1")?;
        let attempts =
            statement.query_map([id], |row| Ok((row.get::<_, i64>(0)?.cast_unsigned(), row.get(1)?)))?;
        let attempts = attempts.collect::<rusqlite::Result<BTreeMap<u64, u32>>>()?;
        let sum = attempts.iter().fold(0_i64, |sum, (ask, times)| sum.wrapping_add(tried(*ask, *times)));
        if sum != row.tries {
            return Ok(Err("its list of started calls is not as it was written".to_owned()));
        }
        Ok(Ok(Record { scenario, sources, events, attempts }))
    }
}

/// What a run began with.
pub(super) struct StoredInputs {
    pub(super) scenario: String,
    pub(super) sources: Vec<(String, Arc<str>)>,
}

/// Reads the scenario and the declarations that a run began with.
pub(super) fn inputs(tx: &Transaction<'_>, id: &str) -> rusqlite::Result<StoredInputs> {
    let scenario: String =
        tx.prepare_cached("SELECT scenario FROM runs WHERE id = ?1")?.query_row([id], |row| row.get(0))?;
    let mut statement = tx.prepare_cached(
        "SELECT path, text FROM sources JOIN blobs ON blobs.id = sources.blob WHERE run = ?1 ORDER BY position",
    )?;
    let sources = statement
        .query_map([id], |row| Ok((row.get::<_, String>(0)?, Arc::from(row.get::<_, String>(1)?))))?;
    let sources = sources.collect::<rusqlite::Result<Vec<(String, Arc<str>)>>>()?;
    Ok(StoredInputs { scenario, sources })
}

/// Reads the events of a run from number `from` on. `chain` is the checksum before them; the result has the checksum after them.
pub(super) fn read_events(
    tx: &Transaction<'_>,
    id: &str,
    from: i64,
    mut chain: i64,
) -> rusqlite::Result<Result<(Vec<StoredEvent>, i64), String>> {
    let mut events = Vec::new();
    let mut texts = Texts::default();
    let mut statement = tx.prepare_cached(
        "SELECT number, stored, event, long FROM events WHERE run = ?1 AND number >= ?2 ORDER BY number",
    )?;
    let mut rows = statement.query(params![id, from])?;
    while let Some(event) = rows.next()? {
        let position = from + events.len() as i64;
        let (number, stored, text) =
            (event.get::<_, i64>(0)?, Moment(event.get(1)?), event.get_ref(2)?.as_str()?);
        let is_long: bool = event.get(3)?;
        if number != position {
            return Ok(Err(format!("its event {position} is missing")));
        }
        chain = chained(chain, number, stored, text);
        let Ok(mut read) = serde_json::from_str::<Json>(text) else {
            return Ok(Err(format!("its event {position} cannot be read")));
        };
        if is_long && !texts.restore(tx, &mut read)? {
            return Ok(Err(format!("a text of its event {position} is missing or is not as it was written")));
        }
        events.push(StoredEvent { stored, event: read });
    }
    Ok(Ok((events, chain)))
}

/// The error that the last `missing` changes of a run are lost.
fn cut_run(run: &str, folder: &Path, missing: i64) -> Error {
    cut_run_in(run, &super::schema::file(folder), missing)
}

fn cut_run_in(run: &str, file: &Path, missing: i64) -> Error {
    let note = file.with_file_name(format!("{run}.lock"));
    anyhow!(
        "the run `{run}` in `{}` is damaged: {} missing\n  help: restore a backup with `nodewise runs restore FILE`; to continue with what \
         is there, delete `{}`",
        file.display(),
        changes(missing),
        note.display()
    )
}

/// The error that the last `missing` changes of the store are lost.
fn cut_store(file: &Path, missing: i64) -> Error {
    anyhow!(
        "`{}` is damaged: {} missing\n  help: restore a backup with `nodewise runs restore FILE`; to continue with what is \
         there, delete `{}`",
        file.display(),
        changes(missing),
        written::path(file).display()
    )
}

fn changes(missing: i64) -> String {
    match missing {
        1 => "the last change is".to_owned(),
        more => format!("the last {more} changes are"),
    }
}
