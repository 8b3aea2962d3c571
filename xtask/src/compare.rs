//! The commands that need the whole product: comparisons with published packages, with recorded runs and with peers.
//!
//! Input is the words of the command line; output is the other program's. Invariant: it is built when somebody asks for it, so
//! that the commands of every day wait for less.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::checkout::cargo;

/// The exit code that says that something which is not ours cannot be had on this machine.
pub const UNAVAILABLE: i32 = 3;

/// The command that runs `nodewise-compare` with some words. Without `--package`: features are those of the whole workspace, and
/// what tests have compiled is not compiled again.
pub(crate) fn command(root: &Path, words: &[&str]) -> Command {
    let mut command = cargo(root);
    command.args(["run", "--quiet", "--bin", "nodewise-compare", "--"]).args(words);
    command
}

/// Runs it; the exit code.
pub(crate) fn run(root: &Path, words: &[&str]) -> Result<u8> {
    let code = command(root, words).status()?.code();
    Ok(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}
