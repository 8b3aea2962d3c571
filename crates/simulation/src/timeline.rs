//! A run with its log, and the state after any event without reading the log from its beginning.
//!
//! Input: a run that is driven here, one that is recorded, or one that is driven elsewhere; output: its log as far as it is known,
//! the state at a position, who wrote a key, when a node was visited. Invariant: what is answered about a position depends only
//! on the log up to it, not on how far the run was driven.

use std::sync::Arc;

use nodewise_engine::ask::Answer;
use nodewise_engine::event::{AskId, Event};
use nodewise_engine::outcome::Outcome;

use crate::feed::{FeedNews, FeedStanding, RunFeed};
use crate::log_moments::LogMoments;
use crate::recording::Recording;
use crate::run::{Facts, FirstVisit, Run};
use crate::state_at_event::{StateAtEvent, state_at_event};

/// A run with an index of its log.
pub struct Timeline {
    source: Source,
    moments: LogMoments,
    outcome: Option<Outcome>,
    /// The first visit, if the run ends after it.
    only: Option<FirstVisit>,
    length: Option<usize>,
}

/// Where the events come from.
enum Source {
    /// This timeline drives the run.
    Driven(Box<Run>),
    /// Another thread or process drives the run.
    Streamed(StreamedRun),
}

struct StreamedRun {
    facts: Arc<Facts>,
    log: Vec<Event>,
    feed: Box<dyn RunFeed>,
    is_held: bool,
    printed: Vec<String>,
}

impl Timeline {
    fn of_source(source: Source) -> Timeline {
        Timeline { source, moments: LogMoments::default(), outcome: None, only: None, length: None }
    }

    /// A run that has not begun.
    #[must_use]
    pub fn new(run: Run) -> Timeline {
        let only = run.facts().is_alone.then(FirstVisit::default);
        Timeline { only, ..Timeline::of_source(Source::Driven(Box::new(run))) }
    }

    /// A run that is shown up to the end of its first visit.
    #[must_use]
    pub fn of_first_visit(run: Run) -> Timeline {
        Timeline { only: Some(FirstVisit::default()), ..Timeline::new(run) }
    }

    /// A run that has already been driven to the end of its record.
    #[must_use]
    pub fn recorded(run: Run, outcome: Outcome) -> Timeline {
        let mut timeline = Timeline { outcome: Some(outcome), ..Timeline::new(run) };
        timeline.read();
        timeline
    }

    /// A run that is driven elsewhere.
    #[must_use]
    pub fn fed(facts: Facts, feed: Box<dyn RunFeed>) -> Timeline {
        Timeline::of_source(Source::Streamed(StreamedRun {
            facts: Arc::new(facts),
            log: Vec::new(),
            feed,
            is_held: false,
            printed: Vec::new(),
        }))
    }

    /// Does up to `steps` steps. For a run that is driven elsewhere, reads what happened there. Returns `false` if the run
    /// is over, or if no one decides what it waits for.
    pub fn advance(&mut self, steps: usize) -> bool {
        match &mut self.source {
            Source::Driven(run) => {
                for _ in 0..steps {
                    if self.outcome.is_some() {
                        break;
                    }
                    let continues = run.advance();
                    if let Some(first) = &mut self.only
                        && first.read(run.log().get(first.seen..).unwrap_or_default())
                    {
                        self.outcome = first.outcome.take();
                        self.length = Some(first.seen);
                    }
                    if !continues && self.outcome.is_none() {
                        let of_visit = self.only.as_mut().and_then(|first| first.outcome.take());
                        self.outcome = Some(of_visit.unwrap_or_else(|| run.rest()));
                    }
                }
            }
            Source::Streamed(fed) => {
                let FeedNews { events, standing, printed } = fed.feed.look();
                let has_news = !events.is_empty();
                fed.printed.extend(printed);
                fed.log.extend(events);
                fed.is_held = matches!(standing, FeedStanding::Held);
                match standing {
                    FeedStanding::Over(outcome) => self.outcome = Some(outcome),
                    // The caller has seen all events, so it wants the run to continue.
                    FeedStanding::Held if !has_news => {
                        fed.is_held = false;
                        fed.feed.let_go();
                    }
                    FeedStanding::Held | FeedStanding::Going => {}
                }
            }
        }
        self.read();
        self.outcome.is_none()
    }

    /// Reads what was added to the log.
    fn read(&mut self) {
        let log = match &self.source {
            Source::Driven(run) => run.log(),
            Source::Streamed(fed) => &fed.log,
        };
        let read = self.moments.read();
        let length = self.length.unwrap_or(usize::MAX).min(log.len());
        self.moments.extend(log.get(read..length).unwrap_or_default(), read);
    }

    /// What happened so far.
    #[must_use]
    pub fn log(&self) -> &[Event] {
        let log = match &self.source {
            Source::Driven(run) => run.log(),
            Source::Streamed(fed) => &fed.log,
        };
        log.get(..self.moments.read()).unwrap_or_default()
    }

    /// How the run ended, or why it stopped. `None` while it can continue.
    #[must_use]
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// Whether the run is driven elsewhere, in real time.
    #[must_use]
    pub fn is_fed(&self) -> bool {
        matches!(self.source, Source::Streamed(_))
    }

    /// Whether the run is driven elsewhere, and is held after its last event.
    #[must_use]
    pub fn is_held(&self) -> bool {
        matches!(&self.source, Source::Streamed(fed) if fed.is_held)
    }

    /// Holds a run that is driven elsewhere.
    pub fn hold(&mut self) {
        if let Source::Streamed(fed) = &mut self.source {
            fed.feed.hold();
        }
    }

    /// Answers the question that a run driven elsewhere is held at. Returns `false` if there is no such question.
    pub fn answer(&mut self, ask: AskId, answer: Answer) -> bool {
        match &mut self.source {
            Source::Streamed(fed) => fed.feed.answer(ask, answer),
            Source::Driven(_) => false,
        }
    }

    /// Decides what a run driven elsewhere waits for, so that it continues. `None` for other runs.
    ///
    /// # Errors
    /// If the run waits for no decision, or cannot be continued.
    pub fn decide(&mut self, word: &str) -> Option<Result<(), String>> {
        let Source::Streamed(fed) = &mut self.source else { return None };
        let decided = fed.feed.decide(word);
        if decided.is_ok() {
            self.outcome = None;
        }
        Some(decided)
    }

    /// Takes the lines that tools printed in a run that is driven elsewhere.
    pub fn take_printed(&mut self) -> Vec<String> {
        match &mut self.source {
            Source::Streamed(fed) => std::mem::take(&mut fed.printed),
            Source::Driven(_) => Vec::new(),
        }
    }

    /// What was known of the run before it began.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        match &self.source {
            Source::Driven(run) => run.facts(),
            Source::Streamed(fed) => &fed.facts,
        }
    }

    /// The index of the log.
    #[must_use]
    pub fn moments(&self) -> &LogMoments {
        &self.moments
    }

    /// The state of the run after the event at a position.
    #[must_use]
    pub fn state_at(&self, position: usize) -> Option<StateAtEvent> {
        state_at_event(self.log(), &self.moments, position)
    }

    /// The recording of the run. `None` while it can continue.
    #[must_use]
    pub fn recording(&self) -> Option<Recording> {
        let outcome = self.outcome.clone()?;
        match &self.source {
            Source::Driven(run) => {
                let mut recording = Run::clone(run).recording(outcome);
                if let Some(length) = self.length {
                    recording.cut(length);
                }
                Some(recording)
            }
            Source::Streamed(fed) => Some(fed.facts.recording(fed.log.clone(), outcome)),
        }
    }
}

impl Drop for StreamedRun {
    fn drop(&mut self) {
        self.feed.leave();
    }
}
