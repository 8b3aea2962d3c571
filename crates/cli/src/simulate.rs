//! `nodewise simulate`: runs a graph without models, tools and people.
//!
//! Input: what to run, perhaps a script. Output: the run as a timeline, a trace or a picture, and an exit code.
//! Invariant: the same files, script and seed give the same bytes.

mod many;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use nodewise_simulation::dry_run::driven;
use nodewise_simulation::render::{json, mermaid, svg, text};
use nodewise_simulation::{prepare, recording::Recording};

use crate::outcome::Outcome;
use crate::output::Output;
use crate::subject::RunTarget;

/// Run a graph with scripted answers and virtual time.
///
/// No model and no tool is called: a script answers in their place. Without a script, a model answers
/// `echo of NODE`, a tool returns its arguments, and the host program provides everything that the graph names.
///
/// Ends with 0 when the run completes, and with 1 when it does not. With `--explore`, ends with 1 when it finds a problem.
/// With `--runs` or `--merge`, ends with 1 when a run does not complete.
#[derive(Args)]
pub(crate) struct SimulateOptions {
    #[command(flatten)]
    subject: RunTarget,
    /// Output format of the run.
    #[arg(long, value_enum, default_value_t)]
    format: SimulateFormat,
    #[command(flatten)]
    many: many::ManyRunsOptions,
}

/// The output format of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum SimulateFormat {
    /// A timeline with source lines, reads, writes, and why edges were followed.
    #[default]
    Text,
    /// The trace as JSON, with a version.
    Json,
    /// A Mermaid flowchart with the path of the run.
    Mermaid,
    /// An SVG picture with the path of the run.
    Svg,
}

impl SimulateFormat {
    /// A run in this format.
    pub(crate) fn rendered(self, recording: &Recording) -> String {
        match self {
            SimulateFormat::Text => crate::screen::lines(&text(recording)).into_owned(),
            SimulateFormat::Json => json::trace_text(recording),
            SimulateFormat::Mermaid => mermaid(recording),
            SimulateFormat::Svg => svg(recording),
        }
    }

    /// Whether a report about many runs is JSON, in the formats that it can have.
    fn is_json_of_many(self) -> Result<bool> {
        match self {
            SimulateFormat::Text => Ok(false),
            SimulateFormat::Json => Ok(true),
            SimulateFormat::Mermaid | SimulateFormat::Svg => {
                bail!(
                    "`--explore` and `--runs` cannot be drawn\n  help: use `--format text` or `--format json`"
                )
            }
        }
    }
}

/// Simulates a graph.
pub(crate) fn run(options: &SimulateOptions, output: &mut Output) -> Result<Outcome> {
    let shards = options.many.shards();
    if !shards.is_empty() {
        return many::merge_shards(shards, options.format.is_json_of_many()?, output);
    }
    let found = options.subject.find()?;
    let (opened, scenario) = (&found.opened, &found.scenario);
    let ended_with = |outcome| if opened.has_failed { Outcome::Failed } else { outcome };
    if options.many.is_wanted() {
        let is_json = options.format.is_json_of_many()?;
        let subject = many::ManyRuns {
            snapshot: &opened.snapshot,
            target: &found.target,
            scenario,
            uses: found.uses(),
        };
        return options.many.run(&subject, is_json, output).map(ended_with);
    }
    let mut run = prepare(&opened.snapshot, &found.target, scenario)?;
    let recording = driven(&mut run, &opened.snapshot, scenario);
    output.write(&options.format.rendered(&recording))?;
    let is_completed = recording.outcome.status == nodewise_engine::outcome::Status::Completed;
    Ok(ended_with(if is_completed { Outcome::Clean } else { Outcome::Findings }))
}
