//! `nodewise runs cancel`: ends runs that another terminal drives, or that wait.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::Args;
use nodewise_live::store::{Cancelled, RunId, RunStatus, Store};

use super::StoreOptions;
use crate::outcome::Outcome;
use crate::output::remark;

/// Cancel runs, also those that another terminal is running.
///
/// Calls that are in progress are given up. `nodewise resume` can still continue a cancelled run.
#[derive(Args)]
#[group(skip)]
pub(super) struct CancelOptions {
    /// The runs to cancel.
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<String>,
    #[command(flatten)]
    place: StoreOptions,
}

/// How long the other process may take to end a run.
const PATIENCE: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(50);

/// Cancels the runs.
pub(super) fn run(options: &CancelOptions) -> Result<Outcome> {
    if let Some(engine) = options.place.wanted_engine()? {
        for name in &options.runs {
            let run = engine.find(name)?;
            engine.cancel(&run)?;
            remark(&format!("cancelled {run}"));
        }
        return Ok(Outcome::Clean);
    }
    let (mut store, _) = options.place.store()?;
    let runs = options.runs.iter().map(|name| store.find(name)).collect::<Result<Vec<RunId>>>()?;
    for run in &runs {
        if store.cancel(run)? == Cancelled::Asked {
            wait(&mut store, run)?;
        }
        remark(&format!("cancelled {run}"));
    }
    Ok(Outcome::Clean)
}

/// Waits until the process that drives a run has ended it.
fn wait(store: &mut Store, run: &RunId) -> Result<()> {
    let begin = Instant::now();
    while begin.elapsed() < PATIENCE {
        match store.read(run)?.status {
            RunStatus::Ended { .. } => return Ok(()),
            RunStatus::Running => std::thread::sleep(LOOK),
            // It let go of the run before it saw the request.
            RunStatus::Interrupted | RunStatus::Waiting(_) => {
                store.cancel(run)?;
                return Ok(());
            }
        }
    }
    bail!(
        "the process that drives `{run}` has not ended it within {} seconds\n  help: it ends the run when it looks next; \
         `nodewise runs` shows the status",
        PATIENCE.as_secs()
    )
}
