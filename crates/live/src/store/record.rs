//! The events of a run as they count now, apart from those that were discarded when it was opened again.
//!
//! Input: rows of the store; output: what happened, and what is known beside it. Invariant: a row that cannot be read is an error
//! that names it, never left out.

use anyhow::{Context, Result, bail};
use nodewise_model::scenario::RunLimits;
use serde_json::Value as Json;

use super::clock::Moment;
use super::id::RunId;
use super::{REOPENED, RunOrigin, StoredEvent};
use crate::limits::limits_of_json;

/// A row of the table of events: its number, when it was stored, and the event.
pub(super) type Row = (i64, i64, String);

/// The events of a run, and what the store's own events say.
#[derive(Debug, Default)]
pub(super) struct Record {
    pub(super) events: Vec<StoredEvent>,
    pub(super) limits: RunLimits,
    pub(super) origin: Option<RunOrigin>,
    /// Questions that do not count any more.
    pub(super) discarded: Vec<Json>,
    /// Answers that do not count any more, to questions that do.
    pub(super) spare: Vec<Json>,
}

impl Record {
    /// Reads the rows of a run, in order.
    pub(super) fn read(run: &RunId, rows: Vec<Row>) -> Result<Record> {
        let mut record = Record { events: Vec::with_capacity(rows.len()), ..Record::default() };
        for (position, (number, stored, text)) in rows.into_iter().enumerate() {
            let damaged = || {
                format!(
                    "the run `{run}` is damaged: its event {position} cannot be read\n  help: `nodewise runs delete \
                     {run}` deletes it"
                )
            };
            if number != position as i64 {
                bail!("{}", damaged());
            }
            let event: Json = serde_json::from_str(&text).with_context(damaged)?;
            if let Some(origin) = RunOrigin::of_json(&event) {
                record.origin = Some(origin);
            } else if is(&event, REOPENED) {
                let keep = event.get("keep").and_then(Json::as_u64).with_context(damaged)?;
                record.discard(usize::try_from(keep).unwrap_or(usize::MAX));
                record.limits.replace_by(&limits_of_json(event.get("limits").unwrap_or(&Json::Null)));
            } else {
                record.events.push(StoredEvent { stored: Moment(stored), event });
            }
        }
        Ok(record)
    }

    /// Keeps so many events.
    fn discard(&mut self, keep: usize) {
        let keep = keep.min(self.events.len());
        let gone: Vec<Json> = self.events.split_off(keep).into_iter().map(|stored| stored.event).collect();
        self.spare.extend(gone.iter().filter(|event| is_reply(event)).cloned());
        // A question that is asked later under the number of one that is gone may be another one.
        let events = &self.events;
        self.spare.retain(|answer| {
            let is_asked = |event: &Json| is(event, "asked") && event.get("ask") == answer.get("ask");
            events.iter().any(|stored| is_asked(&stored.event))
        });
        self.discarded.extend(gone.into_iter().filter(|event| is(event, "asked")));
    }
}

fn is(event: &Json, word: &str) -> bool {
    event.get("event").and_then(Json::as_str) == Some(word)
}

/// Whether an event is an answer, and not a failure.
fn is_reply(event: &Json) -> bool {
    is(event, "answered") && event.pointer("/answer/reply").is_some()
}
