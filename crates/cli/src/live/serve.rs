//! `nodewise serve`: a worker for a durable engine.
//!
//! Input: the configuration of a project. Output: a server that carries runs and calls models and tools for them. Invariant: without
//! an identity of the engine, it listens on loopback addresses only.

#[cfg(feature = "worker")]
mod worker;

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::outcome::Outcome;
use crate::output::Output;

/// Carry runs of a durable engine as a worker.
///
/// The worker calls models, tools and functions with the configuration of its project (`[live]` in `nodewise.toml`) and the keys of its
/// environment. It answers only for runs that need nothing beyond `--allow`. It listens until SIGTERM or Ctrl-C, and ends
/// when the calls in progress are done.
#[derive(Args)]
#[group(skip)]
pub(crate) struct ServeOptions {
    /// The address to listen on, instead of `[serve] listen`.
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<String>,
    /// Register the worker at this admin API of an engine, for example http://localhost:9070.
    #[arg(long, value_name = "URL", requires = "as")]
    register: Option<String>,
    /// With `--register`: the address at which the engine reaches this worker, for example http://worker:9080.
    #[arg(long = "as", id = "as", value_name = "URL")]
    reached_as: Option<String>,
    /// With `--register`: replace a worker of another version at the same address. For development only.
    #[arg(long, requires = "register")]
    force: bool,
    /// What runs may start and call: a plan from `nodewise run --dry-run --format json`; can be repeated.
    ///
    /// Without it, runs may do what you have allowed in this project (`nodewise trust`).
    #[arg(long, value_name = "FILE")]
    allow: Vec<PathBuf>,
    /// The folder of the project whose configuration and code the worker uses.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    project: PathBuf,
}

/// Runs the worker until it has to stop.
pub(crate) fn run(options: &ServeOptions, output: &mut Output) -> Result<Outcome> {
    #[cfg(feature = "worker")]
    return worker::run(options, output);
    #[cfg(not(feature = "worker"))]
    {
        let _ = (options, output);
        anyhow::bail!(
            "this build does not include the worker for durable engines\n  help: install a published build, or run `cargo install \
             --path . --features worker`"
        )
    }
}
