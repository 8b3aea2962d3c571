//! What enters the dependency tree, as `deny.toml` allows it: licences, banned crates, sources.
//!
//! Input is the lock file and `deny.toml`; output is the verdict of cargo-deny. Invariant: the advisories are left to the
//! workflow, since their database is fetched anew each time, and changes when nothing here does.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::Verdict;
use crate::checkout::forget_package;
use crate::installs::python_packages;

const LIST: &str = "tests/dependencies/requirements.txt";
const FOLDER: &str = "target/dependencies";

/// Has cargo-deny look, which says itself what it does not like. Warnings are for people who call it.
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
        false => Verdict::Failed("`cargo deny check` refuses what stands above".to_owned()),
    })
}
