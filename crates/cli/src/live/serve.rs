//! `nodewise serve`: a worker for a durable engine, or a page on which people decide.
//!
//! Input: the configuration of a project. Output: a server that carries runs and calls models and tools for them, or one that people
//! use. Invariant: without an identity of the engine, a worker listens on loopback addresses only.

mod decisions;
mod stop;

#[cfg(feature = "worker")]
mod worker;

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::outcome::Outcome;
use crate::output::Output;

/// Carry the runs of a durable engine, or offer a page for decisions.
///
/// The worker calls models, tools and functions with the configuration of its project (`[live]` in `nodewise.toml`) and the keys of its
/// environment. It answers only for runs that need nothing beyond `--allow`. It listens until SIGTERM or Ctrl-C, and ends
/// when the calls in progress are done.
///
/// With `--decisions`, it offers a web page instead, which lists the runs of the project that wait for people, and prints a link that is
/// valid for some days. A run that was decided continues here, if you have allowed what it starts and calls; otherwise the decision is
/// kept for `nodewise resume`. With `--on`, the page lists the runs of a durable engine, whose workers continue them.
#[derive(Args)]
#[group(skip)]
pub(crate) struct ServeOptions {
    /// Offer a page for decisions about the runs of the project or an engine.
    #[arg(long, conflicts_with_all = ["register", "force", "allow"])]
    decisions: bool,
    /// With `--decisions`: allow all that runs start and call, unasked.
    #[arg(long, requires = "decisions")]
    trust: bool,
    /// With `--decisions`: show the runs of an engine.
    ///
    /// ENGINE is a name in `[live.engines]`, with an `admin` address.
    #[arg(long, value_name = "ENGINE", requires = "decisions", conflicts_with = "trust")]
    on: Option<String>,
    /// The address to listen on.
    ///
    /// Default: `listen` of `[serve]`; with `--decisions`, 127.0.0.1:9081.
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<String>,
    /// Register the worker at the admin API of an engine.
    ///
    /// For example http://localhost:9070.
    #[arg(long, value_name = "URL", requires = "as")]
    register: Option<String>,
    /// With `--register`: the address at which the engine calls the worker.
    ///
    /// For example http://worker:9080.
    #[arg(long = "as", id = "as", value_name = "URL")]
    reached_as: Option<String>,
    /// With `--register`: replace the version at that address.
    ///
    /// For development only: runs of the other version cannot continue.
    #[arg(long, requires = "register")]
    force: bool,
    /// A plan of what runs may start and call; can be repeated.
    ///
    /// `nodewise run --dry-run --format json` writes a plan. Without one, runs may do what you have allowed in this project (`nodewise trust`).
    #[arg(long, value_name = "FILE")]
    allow: Vec<PathBuf>,
    /// The folder of the project.
    ///
    /// The worker uses its configuration and code; the page shows its runs. Default: the current folder; with `--decisions`, the nearest parent folder with runs.
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
             --path . --features worker`; `--decisions` needs no worker"
        )
    }
}
