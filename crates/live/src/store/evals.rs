//! The results of evals: the last ones and the accepted ones of each eval, and which runs belong to one.
//!
//! Input: results as text; output: the same, read back. The tables are made when the first eval is stored; versions that do not
//! know them ignore them. Invariant: results hold no text of a model, so what is deleted with a run is nowhere else.

use anyhow::Result;
use rusqlite::{Connection, OptionalExtension, params};

use super::fault::DescribeError;
use super::{Moment, RunId, Store};

const TABLES: &str = "
CREATE TABLE IF NOT EXISTS eval_results (
  eval TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('last', 'accepted')),
  stored INTEGER NOT NULL,
  results TEXT NOT NULL,
  PRIMARY KEY (eval, kind)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS eval_runs (
  run TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
  eval TEXT NOT NULL
) STRICT, WITHOUT ROWID;
";

/// Which results of an eval are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// The results of its latest runs.
    Last,
    /// The accepted results, with which later ones are compared.
    Accepted,
}

impl Kept {
    fn word(self) -> &'static str {
        match self {
            Kept::Last => "last",
            Kept::Accepted => "accepted",
        }
    }
}

impl Store {
    /// Stores results of an eval, and replaces the earlier ones of the same sort.
    ///
    /// # Errors
    /// Where they cannot be written.
    pub fn keep_results(&mut self, eval: &str, kept: Kept, results: &str) -> Result<()> {
        self.write(|tx| {
            tx.execute_batch(TABLES)?;
            let insert =
                "INSERT OR REPLACE INTO eval_results (eval, kind, stored, results) VALUES (?1, ?2, ?3, ?4)";
            tx.execute(insert, params![eval, kept.word(), Moment::now().0, results])?;
            Ok(())
        })
    }

    /// The stored results of an eval, and when they were stored.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub fn results(&self, eval: &str, kept: Kept) -> Result<Option<(Moment, String)>> {
        let file = self.file();
        if !has_evals(&self.connection).describe_error("be read", &file)? {
            return Ok(None);
        }
        let read = self
            .connection
            .prepare_cached("SELECT stored, results FROM eval_results WHERE eval = ?1 AND kind = ?2")
            .and_then(|mut statement| {
                let row = |row: &rusqlite::Row<'_>| Ok((Moment(row.get(0)?), row.get(1)?));
                statement.query_row([eval, kept.word()], row).optional()
            });
        read.describe_error("be read", &file)
    }

    /// Notes that a run belongs to an eval.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn note_eval(&mut self, run: &RunId, eval: &str) -> Result<()> {
        self.write(|tx| {
            tx.execute_batch(TABLES)?;
            let insert = "INSERT OR REPLACE INTO eval_runs (run, eval) VALUES (?1, ?2)";
            tx.execute(insert, [run.as_str(), eval])?;
            Ok(())
        })
    }

    /// The eval that a run belongs to, if it belongs to one.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn eval_of(&self, run: &RunId) -> Result<Option<String>> {
        let file = self.file();
        if !has_evals(&self.connection).describe_error("be read", &file)? {
            return Ok(None);
        }
        let read = self
            .connection
            .prepare_cached("SELECT eval FROM eval_runs WHERE run = ?1")
            .and_then(|mut statement| statement.query_row([run.as_str()], |row| row.get(0)).optional());
        read.describe_error("be read", &file)
    }
}

fn has_evals(connection: &Connection) -> rusqlite::Result<bool> {
    let count = "SELECT count(*) FROM sqlite_schema WHERE name = 'eval_runs'";
    connection.query_row(count, [], |row| row.get::<_, i64>(0)).map(|count| count > 0)
}
