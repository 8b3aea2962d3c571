//! `cargo xtask test`: every check of the project, as named steps.
//!
//! Input is the checkout, what of it exists so far, and whether this is a continuous integration
//! run; output is each step with its duration, then `N passed, N failed` and the failed steps by
//! name. Invariant: one failing step never keeps the others from running.

mod builds;
mod editors;
mod live;
mod outputs;
mod pictures;
mod shells;
#[cfg(test)]
mod tests;
mod validators;
mod vscode;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Result, ensure};

use crate::delivery::{self, Part};
use crate::repository::{RELEASE_BUILD, cargo};
use crate::{grammars, oracle};

const EXAMPLES: &str = "examples";
const BROKEN_EXAMPLES: [&str; 3] =
    ["examples/liman-broken", "examples/cycgraph-broken", "examples/agentos-broken"];
const BROKEN_CHECKS: [[&str; 6]; 3] = [
    ["run", "--release", "--quiet", "--", "check", BROKEN_EXAMPLES[0]],
    ["run", "--release", "--quiet", "--", "check", BROKEN_EXAMPLES[1]],
    ["run", "--release", "--quiet", "--", "check", BROKEN_EXAMPLES[2]],
];
/// Names the folder of data that is not ours to publish.
const SHARED_VARIABLE: &str = "NODEWISE_SHARED";
const YAML_TEST_SUITE: &str = "data/yaml-test-suite.json";
/// How many random edits the language server's texts and diagnostics must survive.
const SOAK_EDITS: (&str, &str) = ("NODEWISE_SOAK_EDITS", "100000");
/// Cases of each subject that are compared with the published packages.
const ORACLE_CASES: u64 = 2_000;

/// Some twenty seconds of the formatter's fuzzer, as the tests' build left it; whole hours are for people, and for a release build.
const FUZZING: &[&str] = &["run", "--quiet", "--example", "fuzz", "--", "--cases", "200000"];

/// A build of its own, in which a rule can be made to hang.
const HANG: &[&str] = &["test", "--quiet", "--features", "planted-hang", "--test", "lsp", "hang::"];

/// What the plan depends on.
#[derive(Clone, Default)]
struct Surroundings {
    is_ci: bool,
    /// Whether the README sends its reader to the examples.
    readme_names_examples: bool,
    has_examples: bool,
    has_broken_examples: bool,
    has_yaml_test_suite: bool,
}

struct Step {
    name: &'static str,
    work: Work,
}

enum Work {
    /// A cargo command, and the exit code that it must end with.
    Cargo { arguments: &'static [&'static str], exit_code: i32 },
    /// A check of its own.
    Check(Check),
    /// Not run, which is fine.
    Skip { reason: String },
    /// Not run, which is a failure.
    Missing { reason: String },
}

/// A check that is more than one cargo command. An error is a failure too.
type Check = fn(&Path) -> Result<Verdict>;

pub(crate) enum Verdict {
    Passed,
    /// Something that is not ours cannot be had on this machine: skipped, and a failure in continuous integration.
    Unavailable(String),
    Failed(String),
}

enum Outcome {
    Passed,
    Skipped,
    Failed(String),
}

/// Whether the environment says that this is a continuous integration run.
pub(crate) fn is_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| value == "true")
}

/// Runs every step whose name contains some words; `false` when one of them failed.
pub(crate) fn run(root: &Path, is_ci: bool, words: &str) -> Result<bool> {
    let started = Instant::now();
    let mut passed = 0;
    let mut skipped = 0;
    let mut failures = Vec::new();
    let mut steps = plan(&look_around(root, is_ci));
    steps.retain(|step| step.name.to_lowercase().contains(&words.to_lowercase()));
    ensure!(!steps.is_empty(), "no step is called `{words}`, or a part of it");
    for step in steps {
        println!("==> {}", step.name);
        let step_started = Instant::now();
        let outcome =
            execute(root, is_ci, &step.work).unwrap_or_else(|error| Outcome::Failed(format!("{error:#}")));
        let seconds = step_started.elapsed().as_secs_f64();
        match outcome {
            Outcome::Passed => {
                passed += 1;
                println!("    passed: {} ({seconds:.1} s)", step.name);
            }
            Outcome::Skipped => skipped += 1,
            Outcome::Failed(reason) => {
                println!("    FAILED: {} ({seconds:.1} s): {reason}", step.name);
                failures.push((step.name, reason));
            }
        }
    }
    println!(
        "\n{} steps in {:.1} s, {skipped} skipped",
        passed + skipped + failures.len(),
        started.elapsed().as_secs_f64()
    );
    for (name, reason) in &failures {
        println!("failed: {name}: {reason}");
    }
    println!("{passed} passed, {} failed", failures.len());
    Ok(failures.is_empty())
}

/// The folder of data that is not ours to publish; without the variable, `shared` beside the checkout.
fn shared_folder(root: &Path) -> PathBuf {
    match std::env::var_os(SHARED_VARIABLE) {
        Some(folder) => root.join(folder),
        None => root.join("..").join("shared"),
    }
}

fn look_around(root: &Path, is_ci: bool) -> Surroundings {
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap_or_default();
    Surroundings {
        is_ci,
        readme_names_examples: readme.contains(EXAMPLES),
        has_examples: root.join(EXAMPLES).is_dir(),
        has_broken_examples: BROKEN_EXAMPLES.iter().all(|folder| root.join(folder).is_dir()),
        has_yaml_test_suite: shared_folder(root).join(YAML_TEST_SUITE).is_file(),
    }
}

fn plan(surroundings: &Surroundings) -> Vec<Step> {
    let cargo_step = |name, arguments| Step { name, work: Work::Cargo { arguments, exit_code: 0 } };
    vec![
        cargo_step("formatting", &["fmt", "--all", "--check"]),
        cargo_step("lints", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]),
        cargo_step("tests", &["test", "--workspace", "--no-fail-fast"]),
        cargo_step("release build", RELEASE_BUILD),
        Step {
            name: "check of the examples",
            work: examples(
                surroundings,
                surroundings.has_examples,
                EXAMPLES,
                &["run", "--release", "--quiet", "--", "check", EXAMPLES],
                0,
            ),
        },
        broken(surroundings, "check of the broken Liman example", BROKEN_EXAMPLES[0], &BROKEN_CHECKS[0]),
        broken(surroundings, "check of the broken cycgraph example", BROKEN_EXAMPLES[1], &BROKEN_CHECKS[1]),
        broken(surroundings, "check of the broken AgentOS example", BROKEN_EXAMPLES[2], &BROKEN_CHECKS[2]),
        Step { name: "the same bytes of debug and release builds", work: builds(surroundings) },
        Step { name: "the same bytes on every run", work: outputs(surroundings) },
        Step { name: "schemas and reports before other validators", work: Work::Check(validators::agree) },
        Step { name: "graph pictures in their real readers", work: pictures(surroundings) },
        Step { name: "completions and manual pages in their programs", work: Work::Check(shells::test) },
        cargo_step("fuzzing of the layout", FUZZING),
        cargo_step("the log names a rule that hangs", HANG),
        Step { name: "YAML conformance", work: conformance(surroundings) },
        Step { name: "grammars for editors", work: Work::Check(grammars::step) },
        Step { name: "comparison with the published packages", work: Work::Check(compare_with_packages) },
        Step { name: "servers of tools over their protocol", work: Work::Check(live::tools) },
        Step { name: "live runs killed at 320 points", work: Work::Check(live::crashes) },
        Step { name: "hooks in real pre-commit", work: Work::Check(|root| deliver(root, Part::Hooks)) },
        Step { name: "wheel and npm packages", work: Work::Check(|root| deliver(root, Part::Packages)) },
        Step { name: "action and recipes for CI", work: Work::Check(|root| deliver(root, Part::Recipes)) },
        Step { name: "Neovim 0.12", work: Work::Check(editors::newest_neovim) },
        Step { name: "Neovim 0.10", work: Work::Check(editors::oldest_neovim) },
        Step { name: "Helix", work: Work::Check(editors::helix) },
        Step { name: "Emacs", work: Work::Check(editors::emacs) },
        Step { name: "VS Code extension: types and parts", work: Work::Check(vscode::check_parts) },
        Step {
            name: "VS Code extension: package in the workbench",
            work: Work::Check(vscode::check_workbench),
        },
    ]
}

/// The check of one broken example, which must find something.
fn broken(
    surroundings: &Surroundings,
    name: &'static str,
    folder: &str,
    arguments: &'static [&'static str],
) -> Step {
    Step { name, work: examples(surroundings, surroundings.has_broken_examples, folder, arguments, 1) }
}

fn examples(
    surroundings: &Surroundings,
    exists: bool,
    folder: &str,
    arguments: &'static [&'static str],
    exit_code: i32,
) -> Work {
    match (exists, surroundings.readme_names_examples) {
        (true, _) => Work::Cargo { arguments, exit_code },
        (false, true) => Work::Missing {
            reason: format!("the README sends its reader to {EXAMPLES}, but {folder} is not there"),
        },
        (false, false) => Work::Skip { reason: format!("{folder} is not there") },
    }
}

fn builds(surroundings: &Surroundings) -> Work {
    match surroundings.has_examples {
        true => Work::Check(builds::compare),
        false => Work::Skip { reason: format!("{EXAMPLES} is not there") },
    }
}

fn outputs(surroundings: &Surroundings) -> Work {
    match surroundings.has_examples && surroundings.has_broken_examples {
        true => Work::Check(outputs::compare),
        false => Work::Skip { reason: format!("{EXAMPLES} is not there") },
    }
}

fn pictures(surroundings: &Surroundings) -> Work {
    match surroundings.has_examples {
        true => Work::Check(pictures::read),
        false => Work::Skip { reason: format!("{EXAMPLES} is not there") },
    }
}

fn conformance(surroundings: &Surroundings) -> Work {
    let reason = || format!("{YAML_TEST_SUITE} is not in the folder that {SHARED_VARIABLE} names");
    match (surroundings.has_yaml_test_suite, surroundings.is_ci) {
        (true, _) => Work::Cargo {
            arguments: &["test", "--test", "suite", "yaml_test_suite::", "--", "--nocapture"],
            exit_code: 0,
        },
        (false, true) => Work::Missing { reason: reason() },
        (false, false) => Work::Skip { reason: reason() },
    }
}

fn execute(root: &Path, is_ci: bool, work: &Work) -> Result<Outcome> {
    match work {
        Work::Skip { reason } => {
            println!("    skipped: {reason}");
            Ok(Outcome::Skipped)
        }
        Work::Missing { reason } => Ok(Outcome::Failed(reason.clone())),
        Work::Check(check) => Ok(outcome(check(root)?, is_ci)),
        Work::Cargo { arguments, exit_code } => {
            let mut command = cargo(root);
            // Tests run in their crate's folder, where a relative path would mean another place.
            command.args(*arguments).env(SHARED_VARIABLE, shared_folder(root));
            if is_ci {
                command.env("CI", "true").env(SOAK_EDITS.0, SOAK_EDITS.1);
            }
            let status = command.status()?;
            if status.code() == Some(*exit_code) {
                return Ok(Outcome::Passed);
            }
            let ended = status.code().map_or("was killed".to_owned(), |code| format!("ended with {code}"));
            Ok(Outcome::Failed(format!("`cargo {}` {ended}, expected {exit_code}", arguments.join(" "))))
        }
    }
}

/// What drives the screen of another program goes by time, and a machine that does much else may hold it up: a failure counts when
/// it comes twice, and the first one is told.
fn once_or_twice(what: &str, mut passes: impl FnMut() -> Result<bool>) -> Result<bool> {
    if passes()? {
        return Ok(true);
    }
    println!("    FAILED ONCE, and is tried again: {what}");
    passes()
}

/// What a verdict means here: what cannot be had is a failure in continuous integration alone.
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

fn deliver(root: &Path, part: Part) -> Result<Verdict> {
    if let Err(error) = delivery::install(root) {
        return Ok(Verdict::Unavailable(format!("the programs cannot be installed: {error:#}")));
    }
    if delivery::run(root, &[part])? {
        return Ok(Verdict::Passed);
    }
    let word = part.word();
    Ok(Verdict::Failed(format!("see above; `cargo xtask delivery {word}` tries these cases alone")))
}

fn compare_with_packages(root: &Path) -> Result<Verdict> {
    let options = oracle::Options { cases: Some(ORACLE_CASES), ..oracle::Options::default() };
    if let Err(error) = oracle::install_all(root, &options) {
        return Ok(Verdict::Unavailable(format!("the packages cannot be installed: {error:#}")));
    }
    Ok(match oracle::run(root, &options)? {
        true => Verdict::Passed,
        false => Verdict::Failed("our answers differ from the packages'".to_owned()),
    })
}
