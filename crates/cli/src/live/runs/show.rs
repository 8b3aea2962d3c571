//! `nodewise runs show` and `nodewise runs replay`: a run as it was recorded, and as the simulator repeats it with the
//! recorded answers.

use anyhow::Result;
use clap::{Args, ValueEnum};
use nodewise_live::fork::steps;
use nodewise_live::restore::{Difference, RestoredRun};
use nodewise_live::store::{DecisionRecord, RunOrigin, StoredDecision};
use serde_json::Value;

use super::StoreOptions;
use crate::outcome::Outcome;
use crate::output::{Output, complain};
use crate::print::count;
use crate::screen;
use crate::simulate::SimulateFormat;

/// Show a run as it was recorded.
#[derive(Args)]
pub(super) struct Show {
    /// The run to show.
    run: String,
    /// Output format of the run.
    #[arg(long, value_enum, default_value_t = RecordFormat::Text)]
    format: RecordFormat,
    #[command(flatten)]
    place: StoreOptions,
}

/// Replay a run in the simulator, with the recorded answers.
///
/// Nothing is called. Ends with 1 if the replay differs from the recording.
#[derive(Args)]
pub(super) struct Replay {
    /// The run to replay.
    run: String,
    /// Output format of the run.
    #[arg(long, value_enum, default_value_t = SimulateFormat::Text)]
    format: SimulateFormat,
    #[command(flatten)]
    place: StoreOptions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RecordFormat {
    /// A timeline with source lines, reads, writes, and why edges were followed.
    Text,
    /// The trace as JSON, with a version.
    Json,
    /// A Mermaid flowchart with the path of the run.
    Mermaid,
    /// An SVG picture with the path of the run.
    Svg,
    /// The steps with their numbers, for `nodewise run --from RUN@STEP`.
    Steps,
    /// The stored events, each a line of JSON.
    Events,
}

/// Shows a run.
pub(super) fn show(options: &Show, output: &mut Output) -> Result<Outcome> {
    let (stored, _) = options.place.read(&options.run)?;
    let format = match options.format {
        RecordFormat::Text => SimulateFormat::Text,
        RecordFormat::Json => SimulateFormat::Json,
        RecordFormat::Mermaid => SimulateFormat::Mermaid,
        RecordFormat::Svg => SimulateFormat::Svg,
        RecordFormat::Steps => {
            for (number, step) in (1..).zip(steps(&stored)) {
                output.line(&screen::line(&format!("{number:>4}  {}", step.node)))?;
            }
            return Ok(Outcome::Clean);
        }
        RecordFormat::Events => {
            for stored in &stored.events {
                output.line(&stored.event.to_string())?;
            }
            return Ok(Outcome::Clean);
        }
    };
    if let (SimulateFormat::Text, Some(origin)) = (format, &stored.new.origin) {
        output.line(&screen::line(&began(origin)))?;
    }
    if format == SimulateFormat::Text {
        for decision in &stored.decisions {
            output.line(&screen::line(&said(decision)))?;
        }
    }
    let recording = RestoredRun::of(&stored)?.recorded(&stored)?;
    output.write(&format.rendered(&recording))?;
    Ok(Outcome::Clean)
}

/// From which run a run began.
fn began(origin: &RunOrigin) -> String {
    let mut line =
        format!("began from the run {} with {} of it", origin.run, count(origin.answers, "answer"));
    if let Some((visit, node)) = &origin.visit {
        line.push_str(&format!(", up to `{node}`"));
        for (key, value) in origin.changes.get(visit).into_iter().flatten() {
            line.push_str(&format!(", where `{key}` was set to {value}"));
        }
    }
    line
}

/// Who decided what. At a terminal or in an editor, nobody gives a name.
fn said(decision: &StoredDecision) -> String {
    let DecisionRecord { by, at, word } = &decision.record;
    let by = if by.is_empty() { "someone" } else { by };
    format!("{by} decided `{word}` at `{}`, {at} UTC", decision.node)
}

/// Replays a run.
pub(super) fn replay(options: &Replay, output: &mut Output) -> Result<Outcome> {
    let (stored, _) = options.place.read(&options.run)?;
    let replayed = RestoredRun::of(&stored)?.replayed(&stored)?;
    output.write(&options.format.rendered(&replayed.recording))?;
    match &replayed.difference {
        Some(difference) => {
            complain(&differing(difference));
            Ok(Outcome::Findings)
        }
        None => Ok(Outcome::Clean),
    }
}

/// The first difference of a replay from the recording.
fn differing(difference: &Difference) -> String {
    let event = |event: &Option<Value>| event.as_ref().map_or("nothing".to_owned(), Value::to_string);
    format!(
        "warning: the replay differs from the recording at event {}\n  recorded: {}\n  replayed: {}\n  help: another version of \
         nodewise recorded the run, or the recording was changed",
        difference.event,
        event(&difference.recorded),
        event(&difference.found)
    )
}
