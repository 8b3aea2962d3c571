//! The commands that need the product: comparisons with published packages, and generated files.
//!
//! Input is the arguments. Output is that of the other program. Invariant: that program is built only when such a
//! command runs, so the other commands start sooner.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::checkout::cargo;

/// The exit code if something that has to be installed is not available on this machine.
pub const UNAVAILABLE: i32 = 3;

/// The program for `oracle`, `replay` and `bench`.
pub(crate) const COMPARE: &str = "nodewise-compare";
/// The program for `generate` and `grammars`.
pub(crate) const GENERATE: &str = "nodewise-generate";

/// The command that runs a program with arguments. Without `--package`, the features are those of the whole workspace and
/// the given ones, so what the tests have compiled is not compiled again.
pub(crate) fn command(root: &Path, features: &[&str], program: &str, words: &[&str]) -> Command {
    let mut command = cargo(root);
    command.args(["run", "--quiet"]).args(features).args(["--bin", program, "--"]).args(words);
    command
}

/// The `main` of such a program: `run` gets the arguments, and returns the exit code.
#[must_use]
pub fn main(run: fn(&[&str]) -> Result<u8>) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(code) => ExitCode::from(code),
        Err(error) => crate::failed(&error),
    }
}

/// Runs it, and returns the exit code.
pub(crate) fn run(root: &Path, program: &str, words: &[&str]) -> Result<u8> {
    let code = command(root, &[], program, words).status()?.code();
    Ok(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}
