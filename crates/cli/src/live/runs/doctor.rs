//! `nodewise runs doctor`: finds runs of a durable engine that do not continue by themselves.

use anyhow::{Context, Result};
use clap::Args;

use super::StoreOptions;
use crate::outcome::Outcome;
use crate::output::{Output, remark};
use crate::screen;

/// Find runs on a durable engine that do not continue by themselves.
///
/// Ends with 1 if there are any.
#[derive(Args)]
#[group(skip)]
pub(super) struct DoctorOptions {
    #[command(flatten)]
    place: StoreOptions,
}

/// Reports what is stuck.
pub(super) fn run(options: &DoctorOptions, output: &mut Output) -> Result<Outcome> {
    let engine = options.place.wanted_engine()?;
    let engine = engine.context("no engine is named\n  help: name one with `--on ENGINE`; `nodewise runs check` checks the runs of a project")?;
    let stuck_items = engine.stuck_items()?;
    if stuck_items.is_empty() {
        remark(&format!("every run on `{}` continues by itself", engine.name()));
        return Ok(Outcome::Clean);
    }
    for stuck_item in &stuck_items {
        output.line(&screen::line(&format!("{}: {}", stuck_item.subject, stuck_item.reason)))?;
        output.line(&screen::line(&format!("  help: {}", stuck_item.help)))?;
    }
    Ok(Outcome::Findings)
}
