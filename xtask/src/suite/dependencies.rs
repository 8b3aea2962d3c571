//! The dependency tree, checked against `deny.toml`: licences, banned crates, sources; and what each build links.
//!
//! Input is the lock file and `deny.toml`. Output is the result of cargo-deny. Invariant: advisories are not checked
//! here, because their database changes even if this repository does not. A workflow checks them.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::Verdict;
use crate::checkout::{cargo, forget_package};
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

/// What the hooks of pre-commit do without: live runs and the language server.
const LEFT_OUT_OF_HOOKS: &[&str] = &[
    "restate-sdk",
    "nodewise-durable",
    "nodewise-live",
    "nodewise-server",
    "rustls",
    "rusqlite",
    "tower-lsp-server",
];
/// What a build does not link, by its features.
const LEFT_OUT: [(&[&str], &[&str]); 2] =
    [(&["--no-default-features"], LEFT_OUT_OF_HOOKS), (&[], &["restate-sdk"])];
/// The build that links all of it.
const EVERYTHING: &[&str] = &["--features=worker"];

/// Checks that builds without a feature do not link what it is for.
pub(super) fn links(root: &Path) -> Result<Verdict> {
    let everything = linked(root, EVERYTHING)?;
    for (features, left_out) in LEFT_OUT {
        let crates = linked(root, features)?;
        for name in left_out {
            ensure!(everything.iter().any(|linked| linked == name), "no build links `{name}` any more");
            if crates.iter().any(|linked| linked == name) {
                let build = features.first().copied().unwrap_or("the default features");
                return Ok(Verdict::Failed(format!("the build with {build} links `{name}`")));
            }
        }
    }
    Ok(Verdict::Passed)
}

/// The names of the crates that the command links.
fn linked(root: &Path, features: &[&str]) -> Result<Vec<String>> {
    let mut command = cargo(root);
    command.args(["tree", "--package=nodewise", "--edges=normal", "--prefix=none", "--format={p}"]);
    let output = command.args(features).output().context("cannot start cargo")?;
    ensure!(output.status.success(), "`cargo tree` fails: {}", String::from_utf8_lossy(&output.stderr));
    let names = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(names.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect())
}
