//! `nodewise mcp`: a server of the Model Context Protocol on standard input and output.
//!
//! Input: requests of a coding agent. Output: answers. Invariant: the server asks this same program for each answer.

use std::path::PathBuf;

use anyhow::{Context, Result, anyhow};
use clap::Args;
use nodewise_dialect::tables::systems;
use nodewise_mcp::program::NodewiseProgram;
use nodewise_mcp::roots::Roots;
use nodewise_mcp::server::{ServerOptions, serve};
use nodewise_mcp::vocabulary::Vocabulary;

use crate::expr;
use crate::outcome::Outcome;
use crate::schema;

/// Run a server for coding agents (Model Context Protocol).
///
/// The server speaks on standard input and output. Its tools are commands of nodewise: `check`, `explain`, `fix`, `format`,
/// `graph`, `simulate`, `explore`, `test`, `evaluate`, `schema` and `runs`. An agent reads and changes files below the folders
/// only, and runs nothing that calls a model, a tool or the network, unless you add `--allow-runs`.
#[derive(Args)]
#[group(skip)]
pub(crate) struct McpOptions {
    /// The folders that the agent may use.
    ///
    /// By default, those that the client names, or else the current folder.
    folders: Vec<PathBuf>,
    /// Add a tool for live runs, which asks you before each run.
    ///
    /// The client must be able to ask (elicitation). The question shows what the run starts and calls.
    #[arg(long)]
    allow_runs: bool,
}

/// Runs the server until the client closes standard input.
pub(crate) fn run(options: &McpOptions) -> Result<Outcome> {
    let program = std::env::current_exe().context("the path of this program is not known")?;
    let has_fixed_roots = !options.folders.is_empty();
    let folders = match has_fixed_roots {
        true => options.folders.clone(),
        false => vec![std::env::current_dir().context("the current folder is not known")?],
    };
    if let Some(missing) = folders.iter().find(|folder| !folder.is_dir()) {
        return Err(anyhow!("`{}` is not a folder", missing.display()));
    }
    let roots = Roots::new(folders).context("the folders cannot be read")?;
    let served = ServerOptions {
        program: NodewiseProgram::new(program),
        version: env!("CARGO_PKG_VERSION"),
        roots,
        has_fixed_roots,
        allows_runs: options.allow_runs,
        vocabulary: vocabulary(),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime
        .context("the server cannot be started")?
        .block_on(serve(served))
        .map_err(|error| anyhow!(error))?;
    Ok(Outcome::Clean)
}

/// The names that texts for agents contain.
fn vocabulary() -> Vocabulary {
    let (languages, values) = expr::languages_and_values();
    Vocabulary {
        systems: systems().map(|dialect| dialect.title.to_owned()).collect(),
        dialects: systems().map(|dialect| dialect.id.to_owned()).collect(),
        schemas: schema::names().into_iter().map(str::to_owned).collect(),
        languages,
        values,
    }
}
