//! Long texts of events, stored once.
//!
//! An answer stands in up to six events of a run, and a conversation asks with everything that was said before. Input: events;
//! output: the same, where a reference to a row of `blobs` stands in place of each long text. Invariant: an event is read as it
//! was written, or not at all: a reference has the checksum of its text.

use std::collections::BTreeMap;

use rusqlite::{OptionalExtension, Transaction, params};
use serde_json::{Value as Json, json};

use super::id::hash;

/// A text of this many bytes or more is stored once, in a row of its own.
const LONG: usize = 1024;
/// The only key of a reference. Its value is a list: the row, and the checksum of its text.
const REFERENCE: &str = "$text";

/// An event as it is stored, and whether it has references to long texts.
pub(super) fn stored(tx: &Transaction<'_>, run: &str, event: &Json) -> rusqlite::Result<(String, bool)> {
    if !has_long_text(event) || has_reference(event) {
        return Ok((event.to_string(), false));
    }
    let mut event = event.clone();
    replace_long_texts(&mut event, &mut |text| {
        let (id, sum) = kept_text(tx, text)?;
        tx.prepare_cached("INSERT OR IGNORE INTO texts (run, blob) VALUES (?1, ?2)")?
            .execute(params![run, id])?;
        Ok(json!({REFERENCE: [id, sum]}))
    })?;
    Ok((event.to_string(), true))
}

/// Stores a text, unless an equal text is stored already. Returns its row and its checksum.
pub(super) fn kept_text(tx: &Transaction<'_>, text: &str) -> rusqlite::Result<(i64, i64)> {
    let sum = hash(&[text.as_bytes()]).cast_signed();
    let known: Option<i64> = tx
        .prepare_cached("SELECT id FROM blobs WHERE hash = ?1 AND text = ?2")?
        .query_row(params![sum, text], |row| row.get(0))
        .optional()?;
    if let Some(known) = known {
        return Ok((known, sum));
    }
    tx.prepare_cached("INSERT INTO blobs (hash, text) VALUES (?1, ?2)")?.execute(params![sum, text])?;
    Ok((tx.last_insert_rowid(), sum))
}

/// Long texts that were read, so that each is read once.
#[derive(Debug, Default)]
pub(super) struct Texts {
    known: BTreeMap<(i64, i64), String>,
}

impl Texts {
    /// Puts the texts back in place of references. Returns `false` if a text is missing or not as it was written.
    pub(super) fn restore(&mut self, tx: &Transaction<'_>, event: &mut Json) -> rusqlite::Result<bool> {
        match event {
            Json::Array(items) => all(items.iter_mut(), |item| self.restore(tx, item)),
            Json::Object(members) if members.len() == 1 && members.contains_key(REFERENCE) => {
                let reference = members.get(REFERENCE).unwrap_or(&Json::Null);
                let part = |position: usize| reference.get(position).and_then(Json::as_i64);
                let (Some(id), Some(sum)) = (part(0), part(1)) else { return Ok(false) };
                let Some(text) = self.text(tx, id, sum)? else { return Ok(false) };
                *event = Json::String(text);
                Ok(true)
            }
            Json::Object(members) => all(members.values_mut(), |member| self.restore(tx, member)),
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => Ok(true),
        }
    }

    fn text(&mut self, tx: &Transaction<'_>, id: i64, sum: i64) -> rusqlite::Result<Option<String>> {
        if let Some(text) = self.known.get(&(id, sum)) {
            return Ok(Some(text.clone()));
        }
        let text: Option<String> = tx
            .prepare_cached("SELECT text FROM blobs WHERE id = ?1")?
            .query_row([id], |row| row.get(0))
            .optional()?;
        let text = text.filter(|text| hash(&[text.as_bytes()]).cast_signed() == sum);
        if let Some(text) = &text {
            self.known.insert((id, sum), text.clone());
        }
        Ok(text)
    }
}

fn all<T>(
    items: impl Iterator<Item = T>,
    mut is_fine: impl FnMut(T) -> rusqlite::Result<bool>,
) -> rusqlite::Result<bool> {
    for item in items {
        if !is_fine(item)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn has_long_text(event: &Json) -> bool {
    match event {
        Json::String(text) => text.len() >= LONG,
        Json::Array(items) => items.iter().any(has_long_text),
        Json::Object(members) => members.values().any(has_long_text),
        Json::Null | Json::Bool(_) | Json::Number(_) => false,
    }
}

/// Whether an event has data of its own that looks like a reference. Such an event is stored without references.
fn has_reference(event: &Json) -> bool {
    match event {
        Json::Array(items) => items.iter().any(has_reference),
        Json::Object(members) => members.contains_key(REFERENCE) || members.values().any(has_reference),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => false,
    }
}

fn replace_long_texts(
    event: &mut Json,
    reference: &mut impl FnMut(&str) -> rusqlite::Result<Json>,
) -> rusqlite::Result<()> {
    match event {
        Json::String(text) if text.len() >= LONG => *event = reference(text)?,
        Json::Array(items) => items.iter_mut().try_for_each(|item| replace_long_texts(item, reference))?,
        Json::Object(members) => {
            members.values_mut().try_for_each(|member| replace_long_texts(member, reference))?;
        }
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {}
    }
    Ok(())
}
