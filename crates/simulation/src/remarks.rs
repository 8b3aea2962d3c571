//! What went wrong in a run, or in a scenario, as remarks about the text.
//!
//! Input: a recording, a scenario that was run; output: remarks with places. Invariant: each node's failure of one wording
//! is reported once, and there are never more than a screen of them.

use std::collections::BTreeSet;

use nodewise_engine::event::EventKind;
use nodewise_engine::outcome::Status;
use nodewise_model::Origin;

use crate::chart::SourceLocation;
use crate::recording::{LogIndex, Recording};
use crate::render::in_words;
use crate::testing::{Mismatch, Tested};

/// A remark about something that went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// The place to show it at.
    pub at: Origin,
    pub message: String,
    /// Whether the run, or the scenario, failed because of it; otherwise the run continued.
    pub is_fatal: bool,
    /// Another place that explains it, and what is there.
    pub related: Option<(Origin, &'static str)>,
}

/// The maximum number of remarks about one run.
const REMARKS_MAX: usize = 50;

/// Remarks about the visits that failed, and about why the run failed.
#[must_use]
pub fn of_run(recording: &Recording) -> Vec<Remark> {
    let is_well = matches!(recording.outcome.status, Status::Completed | Status::Waiting);
    let mut remarks: Vec<Remark> = Vec::new();
    let mut reported = BTreeSet::new();
    let mut add = |place: &SourceLocation, message: String, is_fatal: bool| {
        let key = (place.origin.reading_order(), message.clone());
        if remarks.len() < REMARKS_MAX && reported.insert(key) {
            remarks.push(Remark { at: place.origin, message, is_fatal, related: None });
        }
    };
    if !is_well && let Some(place) = recording.failure_place() {
        let message = match &recording.outcome.failure {
            Some(failure) => failure.to_string(),
            None => format!("the run {}", in_words(&recording.outcome)),
        };
        add(&place, message, true);
    }
    let mut cast = LogIndex::default();
    for event in &recording.events {
        cast.apply(event);
        if let EventKind::VisitEnded { visit, result: Err(failure) } = &event.kind
            && let Some(place) = cast.node(&recording.charts, *visit).and_then(|node| node.place.as_ref())
        {
            add(place, failure.to_string(), false);
        }
    }
    remarks
}

/// Remarks about expectations that do not hold, or about why the scenario could not run.
#[must_use]
pub fn of_scenario(tested: &Tested) -> Vec<Remark> {
    if let Err(reason) = &tested.ended {
        let message = format!("the scenario cannot run: {reason}");
        return vec![Remark { at: tested.place.origin, message, is_fatal: true, related: None }];
    }
    tested.mismatches.iter().take(REMARKS_MAX).map(|one| mismatch(tested, one)).collect()
}

fn mismatch(tested: &Tested, mismatch: &Mismatch) -> Remark {
    let mut message = mismatch.message.clone();
    for line in &mismatch.difference {
        message.push_str(&format!("\n{line}"));
    }
    Remark {
        at: mismatch.at.as_ref().unwrap_or(&tested.place).origin,
        message,
        is_fatal: true,
        related: mismatch.node.as_ref().map(|place| (place.origin, "the run took another path here")),
    }
}
