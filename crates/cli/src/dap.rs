//! `nodewise dap`: the debug adapter.
//!
//! Input: messages of the Debug Adapter Protocol on standard input. Output: messages on standard output, an exit code.
//! Invariant: nothing else is written to standard output, and only live runs ask models or tools.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use clap::Args;
use nodewise_dap::launch::{LaunchArguments, Launched, Launcher, RunBeginning, RunSource};
use nodewise_dap::refusal::{Refusal, RefusalKind};
use nodewise_simulation::prepare;
use nodewise_simulation::render::json::{EventWriter, is_same_event};
use nodewise_simulation::trace::Replay;
use serde_json::Value as Json;

use crate::live;
use crate::outcome::Outcome;
use crate::subject::{FoundTarget, Limits, MoreInput, RunInput};

/// Start the debug adapter.
///
/// Your editor starts this command, and talks to it on standard input and output with the Debug Adapter Protocol. You can
/// set breakpoints on nodes, edges and graphs, and step forwards and backwards through simulated and stored runs. No model and no
/// tool is called, unless the editor debugs a live run that you allowed with `nodewise run` before. It ends with 0 when the editor
/// disconnects, and with 1 when the connection breaks.
#[derive(Args)]
pub(crate) struct DapOptions {
    /// Use standard input and output, which is the default.
    #[arg(long)]
    stdio: bool,
}

/// The number of events after which a debugged run ends, unless its configuration says another one.
const EVENTS_MAX: u64 = 100_000;

/// Serves until the editor disconnects.
pub(crate) fn run(_: &DapOptions) -> Result<Outcome> {
    let input = std::io::BufReader::new(std::io::stdin());
    let output = std::io::stdout().lock();
    let was_orderly =
        nodewise_dap::serve::serve(input, output, &Files).context("the debug adapter cannot start")?;
    Ok(if was_orderly { Outcome::Clean } else { Outcome::Deserted })
}

/// Finds what to debug as `nodewise simulate` does.
struct Files;

impl Launcher for Files {
    fn launch(&self, arguments: &LaunchArguments) -> Result<Launched, Refusal> {
        let limits = &arguments.limits;
        let trace = arguments.trace.as_ref().map(|path| RecordedTrace::read(Path::new(path))).transpose();
        let trace = trace.map_err(|error| no_target(&error))?;
        let recorded_seed = arguments.answers.as_ref().map(|answers| answers.seed);
        let given = RunInput {
            script: arguments.script.as_ref().map(PathBuf::from),
            start: arguments.node.clone(),
            seed: trace.as_ref().map(|trace| trace.replay.seed).or(recorded_seed).or(arguments.seed),
            profile: arguments.profile.clone(),
            as_documented: arguments.as_documented,
            limits: Limits {
                limit_visits: limits.visits,
                limit_run_time: limits.time_ms,
                limit_tokens: limits.tokens,
                limit_cost: limits.cost_usd,
            },
            more: MoreInput {
                scenario: arguments.scenario.map(|position| position as usize),
                input: arguments.input.clone(),
                memory: arguments.memory.iter().map(|(key, value)| (key.clone(), value.clone())).collect(),
                events: Some(limits.events.unwrap_or(EVENTS_MAX)),
            },
            ..RunInput::default()
        };
        launched(&given, arguments, trace)
    }

    fn attach(&self, arguments: &LaunchArguments) -> Result<Launched, Refusal> {
        live::debug_stored_run(&arguments.stored)
    }

    fn write(&self, path: &Path, text: &str) -> Result<(), Refusal> {
        let file = std::fs::OpenOptions::new().write(true).create_new(true).open(path);
        let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
        written.map_err(|error| {
            let message = match error.kind() {
                std::io::ErrorKind::AlreadyExists => {
                    format!("`{}` exists already: write another name", path.display())
                }
                _ => format!("`{}` cannot be written: {error}", path.display()),
            };
            Refusal::new(RefusalKind::BadArguments, message)
        })
    }

    fn text(&self, path: &Path) -> Option<String> {
        let bytes = std::fs::read(path).ok()?;
        nodewise_project::reading::text(&bytes).ok().map(|text| text.to_string())
    }

    fn canonical(&self, path: &Path) -> PathBuf {
        std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
    }
}

fn no_target(error: &anyhow::Error) -> Refusal {
    Refusal::new(RefusalKind::NoTarget, format!("{error:#}"))
}

/// What the configuration names, with the answers of a trace, or with the real world.
fn launched(
    given: &RunInput,
    arguments: &LaunchArguments,
    trace: Option<RecordedTrace>,
) -> Result<Launched, Refusal> {
    let found = given.find(&arguments.program).map_err(|error| no_target(&error))?;
    let root = std::path::absolute(&found.opened.project.root).context("the project's folder has no path");
    let root = root.map_err(|error| no_target(&error))?;
    if arguments.live {
        return live::debug_live_run(found, root, &arguments.program);
    }
    let uses = found.uses().map(str::to_owned).into_iter().collect();
    let FoundTarget { opened, target, mut scenario } = found;
    scenario.target.is_alone |= arguments.only;
    let snapshot = opened.snapshot;
    let run = prepare(&snapshot, &target, &scenario).map_err(|fault| no_target(&fault.into()))?;
    let beginning = Some(RunBeginning { target, scenario, uses });
    let source = RunSource::Simulated;
    let simulated = Launched { root, snapshot, run, source, beginning, stored: None, notes: Vec::new() };
    Ok(match trace {
        None => simulated,
        Some(trace) => trace.applied(simulated),
    })
}

/// A recorded trace.
struct RecordedTrace {
    shown: String,
    replay: Replay,
    events: Vec<Json>,
}

impl RecordedTrace {
    fn read(path: &Path) -> Result<RecordedTrace> {
        let shown = path.display().to_string();
        let text = std::fs::read_to_string(path).with_context(|| format!("`{shown}` cannot be read"))?;
        let replay = Replay::read(&text).with_context(|| format!("`{shown}` is not a trace"))?;
        let trace: Json = serde_json::from_str(&text)?;
        let events = trace.get("events").and_then(Json::as_array).cloned().unwrap_or_default();
        Ok(RecordedTrace { shown, replay, events })
    }

    /// The run with these answers. The files may have changed since, and then the run goes another way.
    fn applied(self, launched: Launched) -> Launched {
        let mut at_end = launched.run.clone();
        at_end.recall(self.replay);
        let outcome = at_end.drive(|_| true);
        let facts = at_end.facts();
        let mut writer =
            EventWriter::new(facts.system, Arc::clone(&facts.charts), facts.beside.clone(), facts.clock);
        let happened: Vec<Json> = at_end.log().iter().map(|event| writer.event(event)).collect();
        let differs = |position: &usize| match (happened.get(*position), self.events.get(*position)) {
            (Some(found), Some(recorded)) => !is_same_event(recorded, found),
            _ => true,
        };
        let first = (0..happened.len().max(self.events.len())).find(differs);
        let note = first.map(|position| {
            format!(
                "The files have changed since `{}` was recorded, or it is of another program: from event {position} on, \
                 the run is another one. What the trace does not answer is made up, or answered by the script.",
                self.shown
            )
        });
        let source = RunSource::Recorded(Box::new(at_end), outcome);
        Launched { source, notes: note.into_iter().collect(), ..launched }
    }
}
