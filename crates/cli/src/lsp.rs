//! `nodewise lsp`: the language server.
//!
//! Input: messages of the Language Server Protocol on standard input. Output: messages on standard output, an exit
//! code. Invariant: nothing else is written to standard output.

use anyhow::{Context, Result};
use clap::Args;

use crate::outcome::Outcome;

/// Serve an editor, which speaks the Language Server Protocol on standard input and output.
///
/// Editors start this command by themselves. It ends with 0 when the editor said goodbye, else with 1.
#[derive(Args)]
pub(crate) struct Options {
    /// Standard input and output: the only way to talk, and what is done without the flag.
    #[arg(long)]
    stdio: bool,
}

/// Serves until the editor leaves.
pub(crate) fn run(_: &Options) -> Result<Outcome> {
    let was_orderly = nodewise_server::serve_stdio().context("the language server cannot start")?;
    Ok(if was_orderly { Outcome::Clean } else { Outcome::Deserted })
}
