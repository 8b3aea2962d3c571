//! Runs read back.
//!
//! Input: a store; output: runs, whole or in a list. Invariant: what is read is what was written, or an error that says where
//! it is not.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Result, bail};
use nodewise_engine::usage::Usage;
use rusqlite::{OptionalExtension, Row as SqlRow};

use super::clock::Moment;
use super::fault::{DescribeError, unknown};
use super::id::RunId;
use super::record::{Record, Row};
use super::{NewRun, RunStatus, Store, Stored, Summary, lease};

/// The name of the run that was begun last.
const LAST: &str = "last";
/// How many runs an error names.
const NAMES_MAX: usize = 5;

impl Store {
    /// The run of a name: its id, a beginning of it that no other run has, or `last`.
    ///
    /// # Errors
    /// Where no run is called so, or several are.
    pub fn find(&self, name: &str) -> Result<RunId> {
        let file = self.file();
        let ids = self
            .connection
            .prepare("SELECT id FROM runs ORDER BY begun DESC, id DESC")
            .and_then(|mut statement| {
                let ids = statement.query_map([], |row| row.get::<_, String>(0))?;
                ids.collect::<rusqlite::Result<Vec<String>>>()
            })
            .describe_error("be read", &file)?;
        if name == LAST {
            return match ids.into_iter().next() {
                Some(id) => Ok(RunId::stored(id)),
                None => bail!("the project has no runs\n  help: `nodewise run TARGET` starts one"),
            };
        }
        if let Some(id) = ids.iter().find(|id| *id == name) {
            return Ok(RunId::stored(id.clone()));
        }
        let fits: Vec<&String> = ids.iter().filter(|id| !name.is_empty() && id.starts_with(name)).collect();
        match fits.as_slice() {
            [] => Err(unknown(name)),
            [id] => Ok(RunId::stored((*id).clone())),
            several => {
                let named: Vec<String> = several.iter().take(NAMES_MAX).map(|id| format!("`{id}`")).collect();
                let more = if several.len() > NAMES_MAX { ", …" } else { "" };
                bail!(
                    "{} runs start with `{name}`\n  help: write more of the id; there are {}{more}",
                    several.len(),
                    named.join(", ")
                )
            }
        }
    }

    /// A run, whole.
    ///
    /// # Errors
    /// Where it is not there, or cannot be read.
    pub fn read(&self, run: &RunId) -> Result<Stored> {
        let file = self.file();
        let tx = self.connection.unchecked_transaction().describe_error("be read", &file)?;
        let head = tx
            .prepare_cached(&format!("SELECT {COLUMNS} FROM runs WHERE id = ?1"))
            .and_then(|mut statement| statement.query_row([run.as_str()], Head::read).optional())
            .describe_error("be read", &file)?
            .ok_or_else(|| unknown(run.as_str()))?;
        let sources = tx
            .prepare_cached(
                "SELECT path, text FROM sources JOIN blobs ON blobs.id = sources.blob WHERE run = ?1 \
                 ORDER BY position",
            )
            .and_then(|mut statement| {
                let rows = statement.query_map([run.as_str()], |row| {
                    Ok((row.get::<_, String>(0)?, Arc::from(row.get::<_, String>(1)?)))
                })?;
                rows.collect::<rusqlite::Result<Vec<(String, Arc<str>)>>>()
            })
            .describe_error("be read", &file)?;
        let rows = tx
            .prepare_cached("SELECT number, stored, event FROM events WHERE run = ?1 ORDER BY number")
            .and_then(|mut statement| {
                let rows = statement.query_map([run.as_str()], |row| {
                    Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get::<_, String>(2)?))
                })?;
                rows.collect::<rusqlite::Result<Vec<Row>>>()
            })
            .describe_error("be read", &file)?;
        let attempts = tx
            .prepare_cached("SELECT ask, times FROM attempts WHERE run = ?1")
            .and_then(|mut statement| {
                let rows = statement.query_map([run.as_str()], |row| {
                    Ok((row.get::<_, i64>(0)?.cast_unsigned(), row.get(1)?))
                })?;
                rows.collect::<rusqlite::Result<BTreeMap<u64, u32>>>()
            })
            .describe_error("be read", &file)?;
        drop(tx);
        let Record { events, limits, origin, discarded, spare } = Record::read(run, rows)?;
        Ok(Stored {
            status: self.current(head.summary.status, run)?,
            id: head.summary.id,
            new: NewRun { sources, origin, ..head.new },
            identity: head.identity,
            begun: head.summary.begun,
            events,
            attempts,
            discarded,
            spare,
            limits,
        })
    }

    /// The runs, the last one first.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub fn list(&self) -> Result<Vec<Summary>> {
        let file = self.file();
        let heads = self
            .connection
            .prepare_cached(&format!("SELECT {COLUMNS} FROM runs ORDER BY begun DESC, id DESC"))
            .and_then(|mut statement| {
                let rows = statement.query_map([], Head::read)?;
                rows.collect::<rusqlite::Result<Vec<Head>>>()
            })
            .describe_error("be read", &file)?;
        let mut list = Vec::with_capacity(heads.len());
        for Head { summary, .. } in heads {
            list.push(Summary { status: self.current(summary.status, &summary.id)?, ..summary });
        }
        Ok(list)
    }

    /// How a run stands now: one that is not over runs only while a process drives it.
    fn current(&self, standing: RunStatus, run: &RunId) -> Result<RunStatus> {
        if standing != RunStatus::Running || self.leases.contains_key(run) {
            return Ok(standing);
        }
        Ok(if lease::is_held(&self.folder, run)? { RunStatus::Running } else { RunStatus::Interrupted })
    }
}

/// The columns of a head.
const COLUMNS: &str = "id, identity, system, title, scenario, seed, version, begun, standing, question, outcome, summary, \
                       ended, time, input_tokens, output_tokens, answered_usd, native_usd, \
                       (SELECT count(*) FROM events WHERE run = runs.id) AS events";

/// Everything of a run but its texts and events.
struct Head {
    new: NewRun,
    identity: [u8; 16],
    summary: Summary,
}

impl Head {
    fn read(row: &SqlRow<'_>) -> rusqlite::Result<Head> {
        let new = NewRun {
            system: row.get("system")?,
            title: row.get("title")?,
            scenario: row.get("scenario")?,
            seed: row.get::<_, i64>("seed")?.cast_unsigned(),
            sources: Vec::new(),
            version: row.get("version")?,
            origin: None,
        };
        let text = |column: &str| row.get::<_, Option<String>>(column).map(Option::unwrap_or_default);
        let status = match row.get::<_, String>("standing")?.as_str() {
            "waiting" => RunStatus::Waiting(serde_json::from_str(&text("question")?).unwrap_or_default()),
            "ended" => RunStatus::Ended {
                at: Moment(row.get::<_, Option<i64>>("ended")?.unwrap_or_default()),
                outcome: text("outcome")?,
                summary: text("summary")?,
            },
            _ => RunStatus::Running,
        };
        let summary = Summary {
            id: RunId::stored(row.get("id")?),
            system: new.system.clone(),
            title: new.title.clone(),
            begun: Moment(row.get("begun")?),
            status,
            usage: Usage {
                input_tokens: row.get("input_tokens")?,
                output_tokens: row.get("output_tokens")?,
                cost_usd: row.get::<_, f64>("answered_usd")?.max(row.get("native_usd")?),
            },
            time_ms: row.get::<_, i64>("time")?.unsigned_abs(),
            events: row.get::<_, i64>("events")?.unsigned_abs(),
        };
        Ok(Head { new, identity: row.get("identity")?, summary })
    }
}
