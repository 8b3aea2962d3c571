//! The log of a run that is under way, as clients show it: each part as events of a trace, lines of the timeline, places.
//!
//! Input: events, in parts from the beginning; output: what is new with each part. Invariant: the parts together are the same as
//! the trace, the timeline and the places of the whole log.

use std::sync::Arc;

use nodewise_engine::event::Event;
use nodewise_engine::usage::Usage;
use nodewise_model::Origin;
use serde_json::Value as Json;

use crate::chart::Charts;
use crate::log_moments::LogTotals;
use crate::recording::LogIndex;
use crate::render::json::EventWriter;
use crate::render::{TimelineLine, TimelineWriter};
use crate::run::Facts;
use crate::source_map::place_of;

/// Writes a log in parts, while the run continues.
pub struct LogPartWriter {
    charts: Arc<Charts>,
    events: EventWriter,
    timeline: TimelineWriter,
    cast: LogIndex,
    totals: LogTotals,
    count: usize,
}

#[derive(Debug, Clone)]
pub struct LogPart {
    /// The position of its first event.
    pub from: usize,
    /// Its events, as traces write them.
    pub events: Vec<Json>,
    /// The place of each event, as far as it has one.
    pub places: Vec<Option<Origin>>,
    /// Its lines of the timeline. The first part has the title too.
    pub lines: Vec<TimelineLine>,
    /// What the run used up to the end of the part.
    pub spent: Usage,
}

impl LogPartWriter {
    /// Begins with the first event of a run.
    #[must_use]
    pub fn new(facts: &Facts) -> LogPartWriter {
        let charts = || Arc::clone(&facts.charts);
        let mut timeline = TimelineWriter::new(facts.system, charts(), facts.beside.clone(), facts.clock);
        timeline.begin(&facts.title, &facts.notes);
        LogPartWriter {
            charts: charts(),
            events: EventWriter::new(facts.system, charts(), facts.beside.clone(), facts.clock),
            timeline,
            cast: LogIndex::default(),
            totals: LogTotals::default(),
            count: 0,
        }
    }

    /// The events that follow.
    pub fn part(&mut self, events: &[Event]) -> LogPart {
        let from = self.count;
        self.count += events.len();
        let (mut written, mut places) = (Vec::with_capacity(events.len()), Vec::with_capacity(events.len()));
        for event in events {
            self.cast.apply(event);
            self.totals.apply(event);
            self.timeline.event(event);
            written.push(self.events.event(event));
            places.push(place_of(event, &self.cast, &self.charts).map(|place| place.origin));
        }
        LogPart { from, events: written, places, lines: self.timeline.take(), spent: self.totals.spent() }
    }
}
