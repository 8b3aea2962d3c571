//! `cargo xtask test`: every check of the project, as named steps.
//!
//! Input is the checkout, what of it exists so far, and whether this is a continuous integration
//! run; output is each step with its duration, then `N passed, N failed` and the failed steps by
//! name. Invariant: one failing step never keeps the others from running.

mod builds;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;

use crate::oracle;
use crate::repository::cargo;

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
    /// The comparison of the debug build with the release build.
    Builds,
    /// The comparison with the published packages.
    Oracle { cases: u64 },
    /// Not run, which is fine.
    Skip { reason: String },
    /// Not run, which is a failure.
    Missing { reason: String },
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

/// Runs every step; `false` when one of them failed.
pub(crate) fn run(root: &Path, is_ci: bool) -> Result<bool> {
    let started = Instant::now();
    let mut passed = 0;
    let mut skipped = 0;
    let mut failures = Vec::new();
    for step in plan(&look_around(root, is_ci)) {
        println!("==> {}", step.name);
        let step_started = Instant::now();
        let outcome = execute(root, is_ci, &step.work)?;
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
        cargo_step("release build", &["build", "--release"]),
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
        Step { name: "YAML conformance", work: conformance(surroundings) },
        Step { name: "comparison with the published packages", work: Work::Oracle { cases: ORACLE_CASES } },
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
        true => Work::Builds,
        false => Work::Skip { reason: format!("{EXAMPLES} is not there") },
    }
}

fn conformance(surroundings: &Surroundings) -> Work {
    let reason = || format!("{YAML_TEST_SUITE} is not in the folder that {SHARED_VARIABLE} names");
    match (surroundings.has_yaml_test_suite, surroundings.is_ci) {
        (true, _) => Work::Cargo {
            arguments: &[
                "test",
                "--package",
                "nodewise-syntax",
                "--test",
                "suite",
                "yaml_test_suite::",
                "--",
                "--nocapture",
            ],
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
        Work::Oracle { cases } => compare_with_packages(root, is_ci, *cases),
        Work::Builds => Ok(builds::compare(root)?.map_or(Outcome::Passed, Outcome::Failed)),
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

fn compare_with_packages(root: &Path, is_ci: bool, cases: u64) -> Result<Outcome> {
    let options = oracle::Options { cases: Some(cases), ..oracle::Options::default() };
    match oracle::install_all(root, &options) {
        Err(error) if is_ci => Ok(Outcome::Failed(format!("the packages cannot be installed: {error:#}"))),
        Err(error) => {
            println!("    skipped: the packages cannot be installed: {error:#}");
            Ok(Outcome::Skipped)
        }
        Ok(()) if oracle::run(root, &options)? => Ok(Outcome::Passed),
        Ok(()) => Ok(Outcome::Failed("our answers differ from the packages'".to_owned())),
    }
}
