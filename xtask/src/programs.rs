//! The commands that need the product: comparisons with published packages, and generated files.
//!
//! Input is the arguments. Output is that of the other program. Invariant: that program is built only when such a
//! command runs, so the other commands start sooner.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Result, ensure};

use crate::checkout::{self, cargo};

/// The exit code if something that has to be installed is not available on this machine.
pub const UNAVAILABLE: i32 = 3;

/// The program for `oracle`, `replay` and `bench`.
pub(crate) const COMPARE: &str = "nodewise-compare";
/// The program for `generate` and `grammars`.
pub(crate) const GENERATE: &str = "nodewise-generate";

/// A test of the workspace. Any run of the tests has compiled it.
const A_TEST: &str = "suite";

/// The command that starts a program in a run of the tests. The program is built together with a test: the
/// dev-dependencies of the tests enable more features of shared dependencies, and without them most crates would be
/// compiled again.
///
/// # Errors
/// If the build does not start, or fails.
pub(crate) fn command_beside_tests(root: &Path, features: &[&str], program: &str) -> Result<Command> {
    let mut build = cargo(root);
    build.args(["build", "--quiet"]).args(features).args(["--bin", program, "--test", A_TEST]);
    ensure!(build.status()?.success(), "the build of {program} fails");
    let mut command = Command::new(root.join(checkout::DEBUG).with_file_name(program));
    command.current_dir(root);
    Ok(command)
}

/// The `main` of such a program. `run` receives the arguments, and returns the exit code.
#[must_use]
pub fn main(run: fn(&[&str]) -> Result<u8>) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(code) => ExitCode::from(code),
        Err(error) => crate::failed(&error),
    }
}

/// Runs a program with arguments, and returns the exit code. Without `--package`, the features are those of the whole workspace.
pub(crate) fn run(root: &Path, program: &str, words: &[&str]) -> Result<u8> {
    let mut command = cargo(root);
    command.args(["run", "--quiet", "--bin", program, "--"]).args(words);
    let code = command.status()?.code();
    Ok(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}
