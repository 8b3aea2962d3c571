//! `nodewise runs show` and `nodewise runs replay`: a run as its record has it, and as the simulator runs it with the recorded
//! answers.

use anyhow::Result;
use clap::{Args, ValueEnum};
use nodewise_live::again::{Again, Difference};
use serde_json::Value;

use super::Place;
use crate::outcome::Outcome;
use crate::output::{Output, complain};
use crate::simulate::Format;

/// Show a run as it is recorded.
#[derive(Args)]
pub(super) struct Show {
    /// The run.
    run: String,
    /// How to print it.
    #[arg(long, value_enum, default_value_t = RecordFormat::Text)]
    format: RecordFormat,
    #[command(flatten)]
    place: Place,
}

/// Run a run again in the simulator, with the recorded answers.
///
/// Nothing is asked of the world. Ends with 1 where the run goes another way than it is recorded.
#[derive(Args)]
pub(super) struct Replay {
    /// The run.
    run: String,
    /// How to print the run.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    place: Place,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RecordFormat {
    /// A timeline with places, reads, writes, and why edges were followed.
    Text,
    /// The versioned trace.
    Json,
    /// A Mermaid flowchart with the path painted.
    Mermaid,
    /// The same as a picture.
    Svg,
    /// The stored events as they are, a line of JSON for each.
    Events,
}

/// Shows a run.
pub(super) fn show(options: &Show, output: &mut Output) -> Result<Outcome> {
    let (stored, _) = options.place.read(&options.run)?;
    let format = match options.format {
        RecordFormat::Text => Format::Text,
        RecordFormat::Json => Format::Json,
        RecordFormat::Mermaid => Format::Mermaid,
        RecordFormat::Svg => Format::Svg,
        RecordFormat::Events => {
            for stored in &stored.events {
                output.line(&stored.event.to_string())?;
            }
            return Ok(Outcome::Clean);
        }
    };
    let recording = Again::of(&stored)?.recorded(&stored)?;
    output.write(&format.rendered(&recording))?;
    Ok(Outcome::Clean)
}

/// Runs a run again.
pub(super) fn replay(options: &Replay, output: &mut Output) -> Result<Outcome> {
    let (stored, _) = options.place.read(&options.run)?;
    let replayed = Again::of(&stored)?.replayed(&stored)?;
    output.write(&options.format.rendered(&replayed.recording))?;
    match &replayed.difference {
        Some(difference) => {
            complain(&told(difference));
            Ok(Outcome::Findings)
        }
        None => Ok(Outcome::Clean),
    }
}

/// Where a run goes another way.
fn told(difference: &Difference) -> String {
    let event = |event: &Option<Value>| event.as_ref().map_or("nothing".to_owned(), Value::to_string);
    format!(
        "warning: the run goes another way at event {}\n  recorded: {}\n  now:      {}\n  help: the record is of another \
         version of nodewise, or was changed",
        difference.event,
        event(&difference.recorded),
        event(&difference.found)
    )
}
