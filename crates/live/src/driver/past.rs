//! A run again up to where its record ends.
//!
//! Input: the events that are kept, a run at its beginning. Output: the run at the end of them, and what it asked and was never
//! shown. Invariant: the run's events are the recorded ones, but for the words that explain them, or it does not continue.

use std::sync::Arc;

use anyhow::{Result, bail};
use nodewise_engine::ask::Ask;
use nodewise_engine::event::AskId;
use nodewise_engine::kernel::Step;
use nodewise_engine::outcome::Outcome;
use nodewise_engine::time::Millis;
use nodewise_simulation::render::json::{EventWriter, is_same_event};
use nodewise_simulation::run::Run;
use nodewise_simulation::trace::Replay;
use serde_json::Value as Json;

/// What is recorded of a run.
#[derive(Debug, Clone)]
pub struct Past {
    events: Vec<Json>,
    replay: Replay,
}

/// What a run waits for where its record ends.
#[derive(Debug, Default)]
pub(super) struct Reached {
    /// What was asked and not answered, and when it was asked.
    pub(super) open: Vec<(AskId, Arc<Ask>, Millis)>,
    /// Why the run stopped.
    pub(super) pause: Option<Outcome>,
}

impl Past {
    /// Reads recorded events.
    ///
    /// # Errors
    /// Where one of them is not as this version writes it.
    pub fn read(seed: u64, events: Vec<Json>) -> Result<Past> {
        let replay = Replay::of_events(seed, &events)?;
        Ok(Past { events, replay })
    }

    /// The run at the end of the record.
    ///
    /// # Errors
    /// Where the run does not go as it is recorded.
    pub fn end(&self, mut run: Run) -> Result<Run> {
        let facts = run.facts();
        let mut writer =
            EventWriter::new(facts.system, Arc::clone(&facts.charts), facts.beside.clone(), facts.clock);
        self.replay(&mut run, &mut writer)?;
        Ok(run)
    }

    /// Runs up to the end of the record.
    pub(super) fn replay(&self, run: &mut Run, writer: &mut EventWriter) -> Result<Reached> {
        let mut answers = self.replay.answers.clone();
        let mut decisions = self.replay.decisions.iter();
        let mut reached = Reached::default();
        let mut seen = 0;
        while seen < self.events.len() {
            let goes_on = match run.step() {
                Step::Went => true,
                Step::Asked(id, ask) => {
                    match answers.remove(&id) {
                        Some(answer) => run.answer(id, answer),
                        None => reached.open.push((id, ask, run.now())),
                    }
                    true
                }
                Step::Paused(outcome) => match decisions.next() {
                    Some(decision) => {
                        run.resume(decision.clone());
                        true
                    }
                    None => {
                        reached.pause = Some(outcome);
                        false
                    }
                },
                Step::Ended(_) | Step::Blocked => false,
            };
            let new = run.log().get(seen..).unwrap_or_default();
            if new.is_empty() && !goes_on {
                bail!("the run ends after event {seen} of {}\n  help: {CHANGED}", self.events.len());
            }
            for event in new {
                let written = writer.event(event);
                if !self.events.get(seen).is_some_and(|recorded| is_same_event(recorded, &written)) {
                    bail!("event {seen} differs from the record\n  help: {CHANGED}");
                }
                seen += 1;
            }
        }
        Ok(reached)
    }
}

/// Why a run may go another way than it did.
const CHANGED: &str = "another version of nodewise wrote the record, or it was changed; start a new run";
