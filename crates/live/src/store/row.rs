//! The row of a run: how it stands, what it used, and checksums over everything that is stored of it.
//!
//! Input: a row, or what changes in it; output: the row with its checksum. Invariant: a row whose checksum does not fit is never
//! taken for right. Checksums find damage, not forgery: a program that may write the file may also write a checksum.

use nodewise_engine::usage::Usage;
use rusqlite::{OptionalExtension, Row, Transaction, params};
use serde_json::{Value as Json, json};

use super::clock::Moment;
use super::id::{RunId, hash};
use super::{NewRun, RunStatus, Summary};

/// The row of a run in the table `runs`, without the scenario. Texts and events are in other tables.
#[derive(Debug, Clone)]
pub(super) struct RunRow {
    pub(super) id: String,
    pub(super) identity: [u8; 16],
    pub(super) system: String,
    pub(super) title: String,
    pub(super) seed: u64,
    pub(super) version: String,
    pub(super) begun: i64,
    pub(super) standing: String,
    pub(super) question: Option<String>,
    pub(super) outcome: Option<String>,
    pub(super) summary: Option<String>,
    pub(super) ended: Option<i64>,
    pub(super) time: i64,
    pub(super) answered: Usage,
    pub(super) native_usd: f64,
    /// The name that the user gave the run.
    pub(super) name: Option<String>,
    /// Words that the user gave the run, as a JSON list.
    pub(super) tags: String,
    /// How often something of the run was written. It grows with each write.
    pub(super) revision: i64,
    /// How many events are stored.
    pub(super) events: i64,
    /// The checksum of the run's inputs and events. Each event continues it, so their order counts.
    pub(super) chain: i64,
    /// The sum of the checksums of the run's attempts, so that their order does not count.
    pub(super) tries: i64,
    /// The checksum of this row, as it was stored.
    sum: i64,
}

impl RunRow {
    /// The row of a run that begins now.
    pub(super) fn new(id: &RunId, identity: [u8; 16], begun: Moment, new: &NewRun) -> RunRow {
        RunRow {
            id: id.to_string(),
            identity,
            system: new.system.clone(),
            title: new.title.clone(),
            seed: new.seed,
            version: new.version.clone(),
            begun: begun.0,
            standing: "running".to_owned(),
            question: None,
            outcome: None,
            summary: None,
            ended: None,
            time: 0,
            answered: Usage::default(),
            native_usd: 0.0,
            name: new.name.clone(),
            tags: json!(new.tags).to_string(),
            revision: 0,
            events: 0,
            chain: origin(id.as_str(), &new.scenario, &new.sources),
            tries: 0,
            sum: 0,
        }
    }

    /// Inserts the row.
    pub(super) fn insert(&self, tx: &Transaction<'_>, scenario: &str) -> rusqlite::Result<()> {
        tx.prepare_cached(
            "INSERT INTO runs (id, identity, system, title, scenario, seed, version, begun, standing, name, tags) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        )?
        .execute(params![
            self.id,
            self.identity,
            self.system,
            self.title,
            scenario,
            self.seed.cast_signed(),
            self.version,
            self.begun,
            self.standing,
            self.name,
            self.tags,
        ])?;
        Ok(())
    }

    /// Reads the row of a run; `None` if there is none.
    pub(super) fn find(tx: &Transaction<'_>, id: &str) -> rusqlite::Result<Option<RunRow>> {
        tx.prepare_cached("SELECT * FROM runs WHERE id = ?1")?.query_row([id], RunRow::read).optional()
    }

    /// Reads the rows of all runs, the newest first.
    pub(super) fn all(tx: &Transaction<'_>) -> rusqlite::Result<Vec<RunRow>> {
        // A damaged index would leave out runs, so read the table itself.
        let mut statement =
            tx.prepare_cached("SELECT * FROM runs NOT INDEXED ORDER BY begun DESC, id DESC")?;
        let rows = statement.query_map([], RunRow::read)?;
        rows.collect()
    }

    fn read(row: &Row<'_>) -> rusqlite::Result<RunRow> {
        Ok(RunRow {
            id: row.get("id")?,
            identity: row.get("identity")?,
            system: row.get("system")?,
            title: row.get("title")?,
            seed: row.get::<_, i64>("seed")?.cast_unsigned(),
            version: row.get("version")?,
            begun: row.get("begun")?,
            standing: row.get("standing")?,
            question: row.get("question")?,
            outcome: row.get("outcome")?,
            summary: row.get("summary")?,
            ended: row.get("ended")?,
            time: row.get("time")?,
            answered: Usage {
                input_tokens: row.get("input_tokens")?,
                output_tokens: row.get("output_tokens")?,
                cost_usd: row.get("answered_usd")?,
                ..Usage::default()
            },
            native_usd: row.get("native_usd")?,
            name: row.get("name")?,
            tags: row.get("tags")?,
            revision: row.get("revision")?,
            events: row.get("events")?,
            chain: row.get("chain")?,
            tries: row.get("tries")?,
            sum: row.get("sum")?,
        })
    }

    /// Whether the stored checksum fits the row.
    pub(super) fn is_sound(&self) -> bool {
        self.sum == self.checksum()
    }

    fn checksum(&self) -> i64 {
        let row = json!([
            self.id,
            self.identity,
            self.system,
            self.title,
            self.seed,
            self.version,
            self.begun,
            self.standing,
            self.question,
            self.outcome,
            self.summary,
            self.ended,
            self.time,
            self.answered.input_tokens,
            self.answered.output_tokens,
            self.answered.cost_usd,
            self.native_usd,
            self.name,
            self.tags,
            self.revision,
            self.events,
            self.chain,
            self.tries,
        ]);
        hash(&[row.to_string().as_bytes()]).cast_signed()
    }

    /// Writes the row with the next revision and a new checksum.
    pub(super) fn update(&mut self, tx: &Transaction<'_>) -> rusqlite::Result<()> {
        self.revision += 1;
        self.sum = self.checksum();
        tx.prepare_cached(
            "UPDATE runs SET standing = ?2, question = ?3, outcome = ?4, summary = ?5, ended = ?6, time = ?7, \
             input_tokens = ?8, output_tokens = ?9, answered_usd = ?10, native_usd = ?11, revision = ?12, \
             events = ?13, chain = ?14, tries = ?15, sum = ?16 WHERE id = ?1",
        )?
        .execute(params![
            self.id,
            self.standing,
            self.question,
            self.outcome,
            self.summary,
            self.ended,
            self.time,
            self.answered.input_tokens,
            self.answered.output_tokens,
            self.answered.cost_usd,
            self.native_usd,
            self.revision,
            self.events,
            self.chain,
            self.tries,
            self.sum,
        ])?;
        Ok(())
    }

    /// The words that the user gave the run.
    pub(super) fn tags(&self) -> Vec<String> {
        serde_json::from_str(&self.tags).unwrap_or_default()
    }

    /// What a list of runs shows about the run.
    pub(super) fn summarised(&self) -> Summary {
        let text = |column: &Option<String>| column.clone().unwrap_or_default();
        let status = match self.standing.as_str() {
            "waiting" => RunStatus::Waiting(serde_json::from_str(&text(&self.question)).unwrap_or_default()),
            "ended" => RunStatus::Ended {
                at: Moment(self.ended.unwrap_or_default()),
                outcome: text(&self.outcome),
                summary: text(&self.summary),
            },
            _ => RunStatus::Running,
        };
        Summary {
            id: RunId::stored(self.id.clone()),
            system: self.system.clone(),
            title: self.title.clone(),
            name: self.name.clone(),
            tags: self.tags(),
            begun: Moment(self.begun),
            status,
            usage: Usage { cost_usd: self.answered.cost_usd.max(self.native_usd), ..self.answered },
            time_ms: self.time.unsigned_abs(),
            events: self.events.unsigned_abs(),
        }
    }
}

/// The checksum of a run's inputs, with which the chain of its events begins.
pub(super) fn origin<T: AsRef<str>>(id: &str, scenario: &str, sources: &[(String, T)]) -> i64 {
    let first = hash(&[id.as_bytes(), b"\0", scenario.as_bytes()]);
    let add = |sum: u64, (path, text): &(String, T)| {
        let lengths = [path.len() as u64, text.as_ref().len() as u64].map(u64::to_le_bytes);
        hash(&[&sum.to_le_bytes(), &lengths.concat(), path.as_bytes(), text.as_ref().as_bytes()])
    };
    sources.iter().fold(first, add).cast_signed()
}

/// The checksum of a chain after one more event.
pub(super) fn chained(chain: i64, number: i64, stored: Moment, event: &str) -> i64 {
    let numbers = [chain, number, stored.0].map(i64::to_le_bytes);
    hash(&[&numbers.concat(), event.as_bytes()]).cast_signed()
}

/// The checksum of one row of attempts.
pub(super) fn tried(ask: u64, times: u32) -> i64 {
    hash(&[&ask.to_le_bytes(), &times.to_le_bytes()]).cast_signed()
}

/// The usage in some events, and the latest time among them.
#[derive(Debug, Default)]
pub(super) struct Spent {
    pub(super) time: u64,
    pub(super) answered: Usage,
    pub(super) native_usd: f64,
}

impl Spent {
    pub(super) fn of(events: &[Json], is_paid: impl Fn(&Json) -> bool) -> Spent {
        let mut spent = Spent::default();
        for event in events {
            spent.time = event.get("at").and_then(Json::as_u64).unwrap_or(0).max(spent.time);
            if !is_paid(event) {
                spent.read(event);
            }
        }
        spent
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
                    ..Usage::default()
                };
            }
            Some("spent") => self.native_usd += amount("/usage/cost_usd"),
            _ => {}
        }
    }
}
