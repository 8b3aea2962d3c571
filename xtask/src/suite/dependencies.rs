//! The dependency tree, checked against `deny.toml`: licences, banned crates, sources.
//!
//! Input is the lock file and `deny.toml`. Output is the result of cargo-deny. Invariant: advisories are not checked
//! here, because their database changes even if this repository does not. A workflow checks them.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::Verdict;
use crate::checkout::forget_package;
use crate::installs::python_packages;

const LIST: &str = "tests/dependencies/requirements.txt";
const FOLDER: &str = "target/dependencies";

/// Runs cargo-deny, which prints its findings. Warnings are left out.
pub(super) fn check(root: &Path) -> Result<Verdict> {
    let list = std::fs::read_to_string(root.join(LIST))?;
    let python = match python_packages(&root.join(FOLDER), &list) {
        Ok(python) => python,
        Err(error) => return Ok(Verdict::Unavailable(format!("cargo-deny cannot be installed: {error:#}"))),
    };
    let mut command = Command::new(python.with_file_name("cargo-deny"));
    command.args(["--log-level", "error", "check", "licenses", "bans", "sources"]).current_dir(root);
    forget_package(&mut command);
    let status = command.status().context("cannot start cargo-deny")?;
    Ok(match status.success() {
        true => Verdict::Passed,
        false => Verdict::Failed("`cargo deny check` reports the problems above".to_owned()),
    })
}
