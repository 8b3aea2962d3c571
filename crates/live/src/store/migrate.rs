//! Stores of earlier versions, made stores of this one.
//!
//! Version 1 had no checksums. Input: its tables; output: the same, with the columns and tables of version 2 and checksums over what
//! is stored. Invariant: all of it happens in one transaction, and only while nobody drives a run; a damaged store stays as it is.

use anyhow::{Result, bail};
use rusqlite::{Connection, Transaction, TransactionBehavior, params};
use std::path::Path;

use super::clock::Moment;
use super::fault::{DescribeError, damaged_file};
use super::id::RunId;
use super::row::{self, RunRow};
use super::whole::WholeRow;
use super::{lease, schema};

const COLUMNS: &str = "
ALTER TABLE runs ADD COLUMN name TEXT;
ALTER TABLE runs ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';
ALTER TABLE runs ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN events INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN chain INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN tries INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN long INTEGER NOT NULL DEFAULT 0;
";

/// Adds the columns, tables and checksums of version 2, unless another process did so meanwhile.
pub(super) fn from_first(connection: &mut Connection, folder: &Path) -> Result<()> {
    let path = schema::file(folder);
    // Foreign keys are off during the migration: it deletes no rows, but updates the rows of runs that others refer to.
    let tx = connection
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .describe_error("be written", &path)?;
    let version: i64 =
        tx.pragma_query_value(None, "user_version", |row| row.get(0)).describe_error("be read", &path)?;
    if version != 1 {
        return Ok(());
    }
    // If the store is damaged already, checksums would make the damage look right.
    let found: String =
        tx.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).describe_error("be read", &path)?;
    if found != "ok" {
        bail!(damaged_file(&path));
    }
    let ids = ids(&tx).describe_error("be read", &path)?;
    for id in &ids {
        if lease::is_held(folder, &RunId::stored(id.clone()))? {
            bail!(
                "`{}` is in the format of an earlier nodewise, which is running `{id}`\n  help: wait until that run ends, \
                 then try again",
                path.display()
            );
        }
    }
    add_checksums(&tx, &ids).and_then(|()| tx.commit()).describe_error("be written", &path)
}

fn ids(tx: &Transaction<'_>) -> rusqlite::Result<Vec<String>> {
    let mut statement = tx.prepare("SELECT id FROM runs")?;
    let ids = statement.query_map([], |row| row.get(0))?;
    ids.collect()
}

fn add_checksums(tx: &Transaction<'_>, ids: &[String]) -> rusqlite::Result<()> {
    tx.execute_batch(COLUMNS)?;
    tx.execute_batch(schema::ADDED_TABLES)?;
    WholeRow::make(tx, ids.iter().map(String::as_str))?;
    for id in ids {
        let Some(mut run) = RunRow::find(tx, id)? else { continue };
        let scenario: String =
            tx.query_row("SELECT scenario FROM runs WHERE id = ?1", [id], |row| row.get(0))?;
        run.chain = row::origin(id, &scenario, &sources(tx, id)?);
        let mut statement =
            tx.prepare_cached("SELECT number, stored, event FROM events WHERE run = ?1 ORDER BY number")?;
        let mut events = statement.query([id])?;
        while let Some(event) = events.next()? {
            let text: String = event.get(2)?;
            run.chain = row::chained(run.chain, event.get(0)?, Moment(event.get(1)?), &text);
            run.events += 1;
        }
        let mut statement = tx.prepare_cached("SELECT ask, times FROM attempts WHERE run = ?1")?;
        let mut attempts = statement.query([id])?;
        while let Some(attempt) = attempts.next()? {
            run.tries = run
                .tries
                .wrapping_add(row::tried(attempt.get::<_, i64>(0)?.cast_unsigned(), attempt.get(1)?));
        }
        run.update(tx)?;
    }
    tx.pragma_update(None, "user_version", schema::VERSION)
}

/// The declarations of a run: paths and texts.
pub(super) fn sources(tx: &Transaction<'_>, run: &str) -> rusqlite::Result<Vec<(String, String)>> {
    let mut statement = tx.prepare_cached(
        "SELECT path, text FROM sources JOIN blobs ON blobs.id = sources.blob WHERE run = ?1 ORDER BY position",
    )?;
    let rows = statement.query_map(params![run], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect()
}
