//! `nodewise dap`: the debug adapter.
//!
//! Input: messages of the Debug Adapter Protocol on standard input. Output: messages on standard output, an exit code.
//! Invariant: nothing else is written to standard output, and nothing is asked of models or tools.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use nodewise_dap::launch::{LaunchArguments, Launched, Launcher};
use nodewise_dap::refusal::{Refusal, RefusalKind};
use nodewise_simulation::prepare;

use crate::outcome::Outcome;
use crate::subject::{Limits, MoreInput, RunInput};

/// Start the debug adapter.
///
/// Your editor starts this command, and talks to it on standard input and output with the Debug Adapter Protocol. You can
/// set breakpoints on nodes, edges and graphs, and step forwards and backwards through a simulated run. No model and no
/// tool is called. It ends with 0 when the editor disconnects, and with 1 when the connection breaks.
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
        let given = RunInput {
            script: arguments.script.as_ref().map(PathBuf::from),
            start: arguments.node.clone(),
            seed: arguments.seed,
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
        launched(&given, &arguments.program)
            .map_err(|error| Refusal::new(RefusalKind::NoTarget, format!("{error:#}")))
    }

    fn text(&self, path: &Path) -> Option<String> {
        let bytes = std::fs::read(path).ok()?;
        nodewise_project::reading::text(&bytes).ok().map(|text| text.to_string())
    }

    fn canonical(&self, path: &Path) -> PathBuf {
        std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
    }
}

fn launched(given: &RunInput, program: &str) -> Result<Launched> {
    let found = given.find(program)?;
    let run = prepare(&found.opened.snapshot, &found.target, &found.scenario)?;
    let root = std::path::absolute(&found.opened.project.root).context("the project's folder has no path")?;
    Ok(Launched { root, snapshot: found.opened.snapshot, run })
}
