//! A run with its log, and the state after any event without reading the log from its beginning.
//!
//! Input: a run; output: its log as far as it was driven, the state at a position, who wrote a key, when a node was visited.
//! Invariant: what is answered about a position depends only on the log up to it, not on how far the run was driven.

use nodewise_engine::event::Event;
use nodewise_engine::outcome::Outcome;

use crate::log_moments::LogMoments;
use crate::recording::Recording;
use crate::run::{Facts, FirstVisit, Run};
use crate::state_at_event::{StateAtEvent, state_at_event};

/// A run with its log.
#[derive(Clone)]
pub struct Timeline {
    run: Run,
    moments: LogMoments,
    outcome: Option<Outcome>,
    /// The first visit, of a run that consists of it.
    only: Option<FirstVisit>,
    length: Option<usize>,
}

impl Timeline {
    /// A run that has not begun.
    #[must_use]
    pub fn new(run: Run) -> Timeline {
        Timeline { run, moments: LogMoments::default(), outcome: None, only: None, length: None }
    }

    /// A run that ends with its first visit.
    #[must_use]
    pub fn of_first_visit(run: Run) -> Timeline {
        Timeline { only: Some(FirstVisit::default()), ..Timeline::new(run) }
    }

    /// Does at most so many steps of the kernel; `false` when the run is over, or nobody decides what it waits for.
    pub fn advance(&mut self, steps: usize) -> bool {
        for _ in 0..steps {
            if self.outcome.is_some() {
                break;
            }
            let continues = self.run.advance();
            if let Some(first) = &mut self.only
                && first.read(self.run.log().get(first.seen..).unwrap_or_default())
            {
                self.outcome = first.outcome.take();
                self.length = Some(first.seen);
            }
            if !continues && self.outcome.is_none() {
                let of_visit = self.only.as_mut().and_then(|first| first.outcome.take());
                self.outcome = Some(of_visit.unwrap_or_else(|| self.run.rest()));
            }
        }
        let read = self.moments.read();
        let length = self.length.unwrap_or(usize::MAX).min(self.run.log().len());
        self.moments.extend(self.run.log().get(read..length).unwrap_or_default(), read);
        self.outcome.is_none()
    }

    /// What happened so far.
    #[must_use]
    pub fn log(&self) -> &[Event] {
        self.run.log().get(..self.moments.read()).unwrap_or_default()
    }

    /// How the run ended, or why it stopped; nothing while it can continue.
    #[must_use]
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// What was known of the run before it began.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        self.run.facts()
    }

    /// Who is who, and what happened when.
    #[must_use]
    pub fn moments(&self) -> &LogMoments {
        &self.moments
    }

    /// How the run stands after the event at a position.
    #[must_use]
    pub fn state_at(&self, position: usize) -> Option<StateAtEvent> {
        state_at_event(self.log(), &self.moments, position)
    }

    /// What the run left behind so far; nothing while it can continue.
    #[must_use]
    pub fn recording(&self) -> Option<Recording> {
        let outcome = self.outcome.clone()?;
        let mut recording = self.run.clone().recording(outcome);
        if let Some(length) = self.length {
            recording.cut(length);
        }
        Some(recording)
    }
}
