//! `cargo xtask test`: every check of the project, as named steps.
//!
//! Input is the checkout, the parts of it that exist, and the wanted steps and their size. Output is each step with its
//! duration, then `N passed, N failed` and the failed steps by name. Invariant: a failing step does not stop the
//! others, and no step is repeated.

mod agents;
mod browser;
mod builds;
mod dependencies;
mod durable;
mod editors;
mod mistakes;
mod outputs;
mod pictures;
mod plan;
mod programs;
#[cfg(test)]
mod tests;
mod times;
mod vscode;
mod wasm;
mod workflows;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Result, bail, ensure};

use crate::checkout::{self, cargo};
use plan::{Step, Work, plan};

/// The variable for the folder of unpublished data.
const SHARED_VARIABLE: &str = "NODEWISE_SHARED";

/// The wanted steps, and their size.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Options<'o> {
    /// Whether to include steps that install something first: editors, packages, validators and others.
    pub(crate) is_all: bool,
    /// Whether to use the size for nightly runs.
    pub(crate) is_long: bool,
    /// Whether an unavailable program is a failure.
    pub(crate) is_ci: bool,
    /// Words in the names of the wanted steps.
    pub(crate) only: &'o str,
    /// Whether to write the durations to the table in the documentation.
    pub(crate) writes_times: bool,
}

/// A check that is more than one command. An error is a failure.
type Check = fn(&Path, Options<'_>) -> Result<Verdict>;

pub(crate) enum Verdict {
    Passed,
    /// A program is not available on this machine. The step is skipped, which is a failure in continuous integration.
    Unavailable(String),
    Failed(String),
}

enum Outcome {
    Passed,
    Skipped,
    Failed(String),
}

impl<'o> Options<'o> {
    /// Reads the arguments after `test`. An error is wrong usage.
    pub(crate) fn read(words: &[&'o str]) -> Result<Options<'o>> {
        let is_ci = std::env::var_os("CI").is_some_and(|value| value == "true");
        let mut options = Options { is_ci, ..Options::default() };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "--all" => options.is_all = true,
                "--long" => (options.is_all, options.is_long) = (true, true),
                "--ci" => options.is_ci = true,
                "--write-times" => options.writes_times = true,
                "--only" => match words.next() {
                    // A step that is named runs in any tier.
                    Some(only) => (options.is_all, options.only) = (true, only),
                    None => bail!("`--only` needs words in the names of steps"),
                },
                other => bail!("`{other}` is not an option of `test`"),
            }
        }
        Ok(options)
    }
}

/// Runs the wanted steps. `false` if one of them failed.
pub(crate) fn run(root: &Path, options: Options<'_>) -> Result<bool> {
    let started = Instant::now();
    let is_cold = !root.join(checkout::DEBUG).exists();
    let mut skipped = 0;
    let mut failures = Vec::new();
    let mut durations = Vec::new();
    let mut steps = plan(&plan::Surroundings::of(root, options));
    steps.retain(|step| step.name.to_lowercase().contains(&options.only.to_lowercase()));
    ensure!(!steps.is_empty(), "no step has `{}` in its name", options.only);
    for step in &steps {
        println!("==> {}", step.name);
        let step_started = Instant::now();
        let outcome =
            execute(root, options, &step.work).unwrap_or_else(|error| Outcome::Failed(format!("{error:#}")));
        let seconds = step_started.elapsed().as_secs_f64();
        match outcome {
            Outcome::Passed => {
                println!("    passed: {} ({seconds:.1} s)", step.name);
                durations.push((step, seconds));
            }
            Outcome::Skipped => skipped += 1,
            Outcome::Failed(reason) => {
                println!("    FAILED: {} ({seconds:.1} s): {reason}", step.name);
                failures.push((step.name, reason));
            }
        }
    }
    report(&steps, &durations, &failures, skipped, started);
    if options.writes_times {
        times::write(root, &durations, is_cold)?;
    }
    Ok(failures.is_empty())
}

/// Prints the longest steps, then how many passed and which failed.
fn report(
    steps: &[Step],
    durations: &[(&Step, f64)],
    failures: &[(&str, String)],
    skipped: usize,
    started: Instant,
) {
    let mut longest = durations.to_vec();
    longest.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    let longest: Vec<String> =
        longest.iter().take(5).map(|(step, seconds)| format!("{} {seconds:.0} s", step.name)).collect();
    let seconds = started.elapsed().as_secs_f64();
    println!(
        "\nsteps: {} in {seconds:.1} s, {skipped} skipped; longest: {}",
        steps.len(),
        longest.join(", ")
    );
    for (name, reason) in failures {
        println!("failed: {name}: {reason}");
    }
    println!("{} passed, {} failed", durations.len(), failures.len());
}

/// The folder of unpublished data. Without the variable, `shared` next to the checkout.
fn shared_folder(root: &Path) -> PathBuf {
    match std::env::var_os(SHARED_VARIABLE) {
        Some(folder) => root.join(folder),
        None => root.join("..").join("shared"),
    }
}

/// A cargo command that runs tests.
fn test_command(root: &Path, options: Options<'_>) -> Command {
    let mut command = cargo(root);
    // Tests run in the folder of their crate, so a relative path would be wrong.
    command.env(SHARED_VARIABLE, shared_folder(root));
    if options.is_ci {
        command.env("CI", "true");
    }
    command
}

fn execute(root: &Path, options: Options<'_>, work: &Work) -> Result<Outcome> {
    match work {
        Work::Skip { reason } => {
            println!("    skipped: {reason}");
            Ok(Outcome::Skipped)
        }
        Work::Missing { reason } => Ok(Outcome::Failed(reason.clone())),
        Work::Check(check) => Ok(outcome(check(root, options)?, options.is_ci)),
        Work::Cargo(arguments) => ended(test_command(root, options).args(*arguments), "cargo", arguments, 0),
        Work::Debug { arguments, exit_code } => {
            let mut command = Command::new(root.join(checkout::DEBUG));
            ended(command.current_dir(root).args(*arguments), "nodewise", arguments, *exit_code)
        }
    }
}

/// Runs a command that must end with an exit code.
fn ended(command: &mut Command, name: &str, arguments: &[&str], exit_code: i32) -> Result<Outcome> {
    let status = command.status()?;
    if status.code() == Some(exit_code) {
        return Ok(Outcome::Passed);
    }
    let ended = status.code().map_or("was killed".to_owned(), |code| format!("ended with {code}"));
    Ok(Outcome::Failed(format!("`{name} {}` {ended}, expected {exit_code}", arguments.join(" "))))
}

/// The result of a verdict. An unavailable program is a failure only in continuous integration.
fn outcome(verdict: Verdict, is_ci: bool) -> Outcome {
    match verdict {
        Verdict::Passed => Outcome::Passed,
        Verdict::Failed(reason) => Outcome::Failed(reason),
        Verdict::Unavailable(reason) if is_ci => Outcome::Failed(reason),
        Verdict::Unavailable(reason) => {
            println!("    skipped: {reason}");
            Outcome::Skipped
        }
    }
}
