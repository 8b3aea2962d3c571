//! `nodewise serve`: a worker for a durable engine, or a page on which people decide.
//!
//! Input: the configuration of a project. Output: a server that carries runs and calls models and tools for them, or one that people
//! use. Invariant: without an identity of the engine, a worker listens on loopback addresses only.

mod decisions;

#[cfg(feature = "worker")]
mod worker;

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::outcome::Outcome;
use crate::output::Output;

/// Carry runs of a durable engine as a worker; with `--decisions`, offer a page on which people decide.
///
/// The worker calls models, tools and functions with the configuration of its project (`[live]` in `nodewise.toml`) and the keys of its
/// environment. It answers only for runs that need nothing beyond `--allow`. It listens until SIGTERM or Ctrl-C, and ends
/// when the calls in progress are done.
///
/// With `--decisions`, it offers a web page instead, which lists the runs of the project that wait for people, and prints a link that is
/// valid for some days. A run that was decided continues here, if you have allowed what it starts and calls; otherwise the decision is
/// kept for `nodewise resume`.
#[derive(Args)]
#[group(skip)]
pub(crate) struct ServeOptions {
    /// Offer a page for decisions about the runs of the project.
    #[arg(long, conflicts_with_all = ["register", "force", "allow"])]
    decisions: bool,
    /// With `--decisions`: allow everything that the runs start and call, without asking you.
    #[arg(long, requires = "decisions")]
    trust: bool,
    /// The address to listen on, instead of `[serve] listen`; with `--decisions`, instead of 127.0.0.1:9081.
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
    /// The folder of the project whose configuration and code the worker uses, or whose runs are decided.
    ///
    /// Default: the current folder; with `--decisions`, the nearest parent folder with runs.
    #[arg(long, value_name = "FOLDER")]
    project: Option<PathBuf>,
}

/// Serves until it has to stop.
pub(crate) fn run(options: &ServeOptions, output: &mut Output) -> Result<Outcome> {
    if options.decisions {
        return decisions::serve(options);
    }
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
