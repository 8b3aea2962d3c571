//! Runs on a real durable engine: one node and three nodes, with workers and nodes that are killed.
//!
//! Input is the list of the engine's packages. Output is the result of the tests. Invariant: the engine is installed without
//! running scripts of its packages, and its servers end with the tests.

use std::path::Path;

use anyhow::Result;

use super::{Options, Verdict};
use crate::checkout::cargo;
use crate::installs::npm_locked;

const LIST: &str = "tests/durable";
const FOLDER: &str = "target/durable";
const FILES: [&str; 2] = ["package.json", "package-lock.json"];
/// The worker is in none of the other builds.
const LINTS: [&str; 7] = [
    "clippy",
    "--package=nodewise",
    "--package=nodewise-durable",
    "--features=worker",
    "--all-targets",
    "--",
    "-Dwarnings",
];
/// The tests share the processors with the servers that they start.
const TESTS: [&str; 6] =
    ["test", "--package=nodewise", "--features=worker", "--test=durable", "--", "--test-threads=1"];

/// Lints the worker, installs the engine, and runs the tests.
pub(super) fn test(root: &Path, options: Options<'_>) -> Result<Verdict> {
    if cfg!(windows) {
        return Ok(Verdict::Unavailable("the engine does not run on Windows".to_owned()));
    }
    if !cargo(root).args(LINTS).status()?.success() {
        return Ok(Verdict::Failed(format!("`cargo {}` reports problems", LINTS.join(" "))));
    }
    let folder = root.join(FOLDER);
    if let Err(error) = install(root, &folder) {
        return Ok(Verdict::Unavailable(format!("the engine cannot be installed: {error:#}")));
    }
    let mut tests = cargo(root);
    tests.args(TESTS).env("NODEWISE_RESTATE", &folder);
    tests.env("NODEWISE_DURABLE_RUNS", options.sizes().durable_runs);
    Ok(match tests.status()?.success() {
        true => Verdict::Passed,
        false => Verdict::Failed(format!("`cargo {}` fails", TESTS.join(" "))),
    })
}

fn install(root: &Path, folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    for file in FILES {
        std::fs::copy(root.join(LIST).join(file), folder.join(file))?;
    }
    npm_locked(folder)
}
