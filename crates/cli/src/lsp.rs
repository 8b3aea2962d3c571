//! `nodewise lsp`: the language server.
//!
//! Input: messages of the Language Server Protocol on standard input. Output: messages on standard output, an exit
//! code. Invariant: nothing else is written to standard output.

use anyhow::{Context, Result};
use clap::Args;
use nodewise_project::cache::CheckCache;

use crate::outcome::Outcome;

/// Start the language server.
///
/// Your editor starts this command, and talks to it on standard input and output. It ends with 0 when the editor shuts it
/// down, and with 1 when the connection breaks.
#[derive(Args)]
pub(crate) struct LspOptions {
    /// Use standard input and output, which is the default.
    #[arg(long)]
    stdio: bool,

    /// Read all files at the start, and keep nothing for the next start.
    #[arg(long)]
    no_cache: bool,
}

/// Serves until the editor disconnects.
pub(crate) fn run(options: &LspOptions) -> Result<Outcome> {
    let cache = if options.no_cache { None } else { CheckCache::of_user() };
    let was_orderly = nodewise_server::serve_stdio(cache).context("the language server cannot start")?;
    Ok(if was_orderly { Outcome::Clean } else { Outcome::Deserted })
}
