//! `cargo xtask test`: every check of the project, as named steps.
//!
//! Input is the checkout, the parts of it that exist, and the wanted steps and their size. Output is each step with its
//! duration, then `N passed, N failed` and the failed steps by name. Invariant: a failing step does not stop the
//! others, and no step is repeated. If steps of two jobs are wanted, the jobs run at the same time.

mod agents;
mod beside;
mod browser;
mod builds;
mod dependencies;
mod durable;
mod editors;
mod failures;
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
use beside::Beside;
use plan::{Job, Step, Work, plan};

/// The variable for the folder of unpublished data.
const SHARED_VARIABLE: &str = "NODEWISE_SHARED";
/// What comes before the name of a step that starts.
const HEADING: &str = "==> ";

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
    /// The wanted job, or both.
    pub(crate) job: Option<Job>,
    /// The file for the results. Otherwise they are printed.
    pub(crate) results: Option<&'o str>,
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

#[derive(Debug, PartialEq)]
enum Outcome {
    Passed,
    Skipped,
    Failed(String),
}

/// A step that has ended.
#[derive(Debug, PartialEq)]
struct Ended {
    name: String,
    seconds: f64,
    outcome: Outcome,
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
                "--job" => match words.next() {
                    // The product has no step in the first tier.
                    Some(job) => (options.is_all, options.job) = (true, Some(Job::read(job)?)),
                    None => bail!("`--job` needs `source` or `product`"),
                },
                "--results" => match words.next() {
                    Some(file) => options.results = Some(file),
                    None => bail!("`--results` needs a file"),
                },
                other => bail!("`{other}` is not an option of `test`"),
            }
        }
        Ok(options)
    }

    /// The features of all builds for tests. Each choice of features compiles most crates again, so there is one for a
    /// tier: the default, or that of published builds, which the tests of the worker need.
    fn features(self) -> &'static [&'static str] {
        if self.is_all { checkout::PUBLISHED_FEATURES } else { &[] }
    }

    /// The words for cargo with these features. The first word is the command.
    fn with_features<'w>(self, words: &[&'w str]) -> Vec<&'w str> {
        let (command, rest) = words.split_at(1.min(words.len()));
        [command, self.features(), rest].concat()
    }

    /// The words on the command line for the same steps of a job.
    fn words(self) -> Vec<&'o str> {
        let flags = [("--all", self.is_all), ("--long", self.is_long), ("--ci", self.is_ci)];
        let mut words: Vec<&str> =
            flags.into_iter().filter_map(|(word, is_set)| is_set.then_some(word)).collect();
        if !self.only.is_empty() {
            words.extend(["--only", self.only]);
        }
        words
    }
}

/// Runs the wanted steps. `false` if one of them failed.
pub(crate) fn run(root: &Path, options: Options<'_>) -> Result<bool> {
    let started = Instant::now();
    let is_cold = !root.join(checkout::DEBUG).exists();
    let mut steps = plan(&plan::Surroundings::of(root, options));
    steps.retain(|step| {
        step.name.to_lowercase().contains(&options.only.to_lowercase())
            && options.job.is_none_or(|job| job == step.job)
    });
    let Some(first) = steps.first() else {
        let of_job = options.job.map(|job| format!(" of the job `{}`", job.word())).unwrap_or_default();
        bail!("no step{of_job} has `{}` in its name", options.only);
    };
    let (here, elsewhere): (Vec<&Step>, Vec<&Step>) = steps.iter().partition(|step| step.job == first.job);
    let mut beside = match elsewhere.first() {
        Some(step) => Some(Beside::start(root, options, step.job)?),
        None => None,
    };
    let mut ended = Vec::new();
    let parent = beside::parent();
    for step in here {
        // Nobody reads the results any more, and another run may use the same files.
        ensure!(options.results.is_none() || beside::parent() == parent, "the process that waits has ended");
        let step = run_step(root, options, step);
        if let Some(file) = options.results {
            beside::add(file, &step)?;
        }
        ended.push(step);
        if let Some(beside) = &mut beside {
            beside.print_ended()?;
        }
    }
    if let Some(beside) = beside {
        ended.extend(beside.wait()?);
    }
    let seconds = started.elapsed().as_secs_f64();
    if options.results.is_none() {
        report(&ended, seconds);
    }
    if options.writes_times {
        let is_whole = options.is_all && options.only.is_empty() && options.job.is_none();
        times::write(root, &ended, is_whole.then_some(seconds), is_cold)?;
    }
    Ok(!ended.iter().any(|step| matches!(step.outcome, Outcome::Failed(_))))
}

/// Runs a step, and prints its result.
fn run_step(root: &Path, options: Options<'_>, step: &Step) -> Ended {
    println!("{HEADING}{}", step.name);
    let started = Instant::now();
    let outcome =
        execute(root, options, &step.work).unwrap_or_else(|error| Outcome::Failed(format!("{error:#}")));
    let seconds = started.elapsed().as_secs_f64();
    match &outcome {
        Outcome::Passed => println!("    passed: {} ({seconds:.1} s)", step.name),
        Outcome::Skipped => {}
        Outcome::Failed(reason) => {
            // The list of failures at the end has all of it.
            let reason = reason.lines().next().unwrap_or_default();
            println!("    FAILED: {} ({seconds:.1} s): {reason}", step.name);
        }
    }
    Ended { name: step.name.to_owned(), seconds, outcome }
}

/// Prints the longest steps, then how many passed and which failed.
fn report(ended: &[Ended], seconds: f64) {
    let count = |outcome: &Outcome| ended.iter().filter(|step| step.outcome == *outcome).count();
    let (passed, skipped) = (count(&Outcome::Passed), count(&Outcome::Skipped));
    let mut longest: Vec<&Ended> = ended.iter().filter(|step| step.outcome == Outcome::Passed).collect();
    longest.sort_by(|one, other| other.seconds.total_cmp(&one.seconds));
    let longest: Vec<String> =
        longest.iter().take(5).map(|step| format!("{} {:.0} s", step.name, step.seconds)).collect();
    println!(
        "\nsteps: {} in {seconds:.1} s, {skipped} skipped; longest: {}",
        ended.len(),
        longest.join(", ")
    );
    for step in ended {
        if let Outcome::Failed(reason) = &step.outcome {
            println!("failed: {}: {reason}", step.name);
        }
    }
    println!("{passed} passed, {} failed", ended.len() - passed - skipped);
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
        Work::Workspace(arguments) => {
            let arguments = options.with_features(arguments);
            ended(test_command(root, options).args(&arguments), "cargo", &arguments, 0)
        }
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
