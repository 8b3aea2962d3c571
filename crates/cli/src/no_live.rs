//! `nodewise run`, `resume` and `runs` in a build that leaves live runs out.
//!
//! Input: whatever such a command would take. Output: an error that says what is missing and how to get it.

use anyhow::{Result, bail};
use clap::Args;
use nodewise_server::NO_LIVE;

use crate::outcome::Outcome;
use crate::output::Output;

pub(crate) use self::{RunOptions as ResumeOptions, RunOptions as RunsOptions, run as resume, run as runs};

/// Not available: this build leaves out live runs.
#[derive(Args)]
#[group(skip)]
pub(crate) struct RunOptions {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// Refuses to do what is not there.
pub(crate) fn run(_options: &RunOptions, _output: &mut Output) -> Result<Outcome> {
    bail!(NO_LIVE)
}
