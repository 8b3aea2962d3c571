//! The events of a run as they count now, apart from those that were discarded when it was opened again.
//!
//! Input: everything that is stored of a run, in order; output: what happened, and what is known beside it. Invariant: an event that
//! cannot be read is an error that names it, never left out.

use anyhow::{Error, Result};
use nodewise_model::scenario::RunLimits;
use serde_json::Value as Json;

use super::cancel::is_cancellation;
use super::{NodePin, REOPENED, RunOrigin, StoredDecision, StoredEvent};
use crate::limits::limits_of_json;

/// The events of a run that count, and what the store's own events say.
#[derive(Debug, Default)]
pub(super) struct RunHistory {
    pub(super) events: Vec<StoredEvent>,
    pub(super) limits: RunLimits,
    pub(super) origin: Option<RunOrigin>,
    pub(super) pins: Vec<NodePin>,
    /// Questions in discarded events.
    pub(super) discarded: Vec<Json>,
    /// Answers in discarded events, to questions that still count.
    pub(super) spare: Vec<Json>,
    /// Whether the run ended because a user cancelled it.
    pub(super) is_cancelled: bool,
    /// The decisions that people made while no process drove the run.
    pub(super) decisions: Vec<StoredDecision>,
    /// Those of `decisions` that the run has not continued with yet.
    pub(super) pending: Vec<StoredDecision>,
}

impl RunHistory {
    /// Reads the stored events of a run in order. `damaged` makes the error about the event at a position.
    pub(super) fn of(stored: Vec<StoredEvent>, damaged: impl Fn(usize) -> Error) -> Result<RunHistory> {
        let mut history = RunHistory { events: Vec::with_capacity(stored.len()), ..RunHistory::default() };
        for (position, stored) in stored.into_iter().enumerate() {
            let event = &stored.event;
            if let Some(origin) = RunOrigin::of_json(event) {
                history.spare.clone_from(&origin.spare);
                history.origin = Some(origin);
            } else if let Some(pins) = NodePin::of_event(event) {
                history.pins = pins;
            } else if is_cancellation(event) {
                history.is_cancelled = true;
            } else if let Some(decision) = StoredDecision::of_event(&stored) {
                history.pending.push(decision.clone());
                history.decisions.push(decision);
            } else if is(event, REOPENED) {
                let keep = event.get("keep").and_then(Json::as_u64).ok_or_else(|| damaged(position))?;
                history.limits.replace_by(&limits_of_json(event.get("limits").unwrap_or(&Json::Null)));
                history.discard(usize::try_from(keep).unwrap_or(usize::MAX));
                history.is_cancelled = false;
                history.pending.clear();
            } else {
                history.pending.retain(|decision| !decision.is_used_by(event));
                history.events.push(stored);
            }
        }
        Ok(history)
    }

    /// Discards all events after the first `keep`.
    fn discard(&mut self, keep: usize) {
        let keep = keep.min(self.events.len());
        let gone: Vec<Json> = self.events.split_off(keep).into_iter().map(|stored| stored.event).collect();
        self.spare.extend(gone.iter().filter(|event| is_reply(event)).cloned());
        // A discarded question gives its number free for another question, so answers to it must not be used.
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

/// Whether an event is an answer that is not a failure.
fn is_reply(event: &Json) -> bool {
    is(event, "answered") && event.pointer("/answer/reply").is_some()
}
