//! Runs on a real durable engine: one node and three nodes, with workers and nodes that are killed.
//!
//! Input is the list of the engine's packages. Output is the result of the tests. Invariant: the engine is installed without
//! running scripts of its packages, and its servers end with the tests.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::{Options, Verdict, failures};
use crate::checkout::cargo;
use crate::installs::{debian_program, npm_locked, python_packages};

const LIST: &str = "tests/durable";
const FOLDER: &str = "target/durable";
const FILES: [&str; 2] = ["package.json", "package-lock.json"];
/// The programs that check the configuration files for the engine and its workers.
const CHECKERS: &str = "tests/durable/requirements.txt";
const CHECKERS_FOLDER: &str = "target/durable-files";
const FILES_OF_USERS: [(&str, &[&str], &str); 2] = [
    ("check-jsonschema", &["--builtin-schema", "vendor.compose-spec"], "examples/durable/compose.yaml"),
    ("kubernetes-validate", &["--strict", "--quiet"], "examples/durable/kubernetes.yaml"),
];
/// The library that sets the clock of one worker. It is loaded before the others.
const CLOCK: [&str; 2] = ["libfaketime", "bookworm"];
const CLOCK_FOLDER: &str = "target/libfaketime";
/// Tests the whole workspace, because it is already compiled with these features. The tests mostly wait for servers,
/// so they can run in parallel.
const TESTS: [&str; 5] = ["test", "--workspace", "--test=durable", "--", "--test-threads=4"];

/// Installs the engine, and runs the tests.
pub(super) fn test(root: &Path, options: Options<'_>) -> Result<Verdict> {
    if cfg!(windows) {
        return Ok(Verdict::Unavailable("the engine does not run on Windows".to_owned()));
    }
    let folder = root.join(FOLDER);
    if let Err(error) = install(root, &folder) {
        return Ok(Verdict::Unavailable(format!("the engine cannot be installed: {error:#}")));
    }
    let files = check_files(root)?;
    if !matches!(files, Verdict::Passed) {
        return Ok(files);
    }
    let mut tests = cargo(root);
    tests.env("NODEWISE_RESTATE", &folder);
    match clock(root) {
        Ok(library) => drop(tests.env("NODEWISE_FAKETIME", library)),
        Err(error) => println!("    the clocks of all workers are the same: {error:#}"),
    }
    tests.env("NODEWISE_DURABLE_RUNS", options.sizes().durable_runs);
    failures::test(&mut tests, &options.with_features(&TESTS))
}

/// Checks the configuration files of the examples with the schemas of the programs that read them.
fn check_files(root: &Path) -> Result<Verdict> {
    let list = std::fs::read_to_string(root.join(CHECKERS))?;
    let python = match python_packages(&root.join(CHECKERS_FOLDER), &list) {
        Ok(python) => python,
        Err(error) => return Ok(Verdict::Unavailable(format!("{CHECKERS} cannot be installed: {error:#}"))),
    };
    for (program, options, file) in FILES_OF_USERS {
        let mut checker = Command::new(python.with_file_name(program));
        let status = checker.args(options).arg(file).current_dir(root).status();
        if !status.with_context(|| format!("cannot start {program}"))?.success() {
            return Ok(Verdict::Failed(format!("{program} reports problems of {file}")));
        }
    }
    Ok(Verdict::Passed)
}

/// The library that sets the clock of a program.
fn clock(root: &Path) -> Result<PathBuf> {
    let [package, suite] = CLOCK;
    debian_program(root, package, suite, CLOCK_FOLDER, "-")?;
    let libraries = root.join(CLOCK_FOLDER).join("usr/lib");
    for entry in std::fs::read_dir(&libraries)? {
        let library = entry?.path().join("faketime/libfaketime.so.1");
        if library.is_file() {
            return Ok(library);
        }
    }
    bail!("{package} has no library in {}", libraries.display())
}

fn install(root: &Path, folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    for file in FILES {
        std::fs::copy(root.join(LIST).join(file), folder.join(file))?;
    }
    npm_locked(folder)
}
