//! Schemas and reports before the validators that people run: they are installed, and the tests that ask them are run.
//!
//! Input is the lists of packages beside the tests; output is the tests' verdict. Invariant: nothing outside `target` is
//! written.

use std::path::Path;

use anyhow::Result;

use super::Verdict;
use crate::installs::{node, npm_packages, python_packages};
use crate::repository::cargo;

const LISTS: &str = "tests/schemas";
const FOLDER: &str = "target/validators";
/// Comes without the right to be run, since the packages' own scripts are not.
const EXECUTABLE: &str = "node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool";

/// Runs the tests that ask validators.
pub(super) fn agree(root: &Path) -> Result<Verdict> {
    let folder = root.join(FOLDER);
    let node = match install(root, &folder).and_then(|()| node(root)) {
        Ok(node) => node,
        Err(error) => {
            return Ok(Verdict::Unavailable(format!("the validators cannot be installed: {error:#}")));
        }
    };
    let mut command = cargo(root);
    command.args(["test", "--test", "suite", "schemas::"]);
    command.env("NODEWISE_VALIDATORS", &folder).env("NODEWISE_NODE", node);
    Ok(match command.status()?.success() {
        true => Verdict::Passed,
        false => Verdict::Failed("the validators say something else; the test above shows what".to_owned()),
    })
}

fn install(root: &Path, folder: &Path) -> Result<()> {
    let list = |name: &str| std::fs::read_to_string(root.join(LISTS).join(name));
    npm_packages(folder, &list("package.json")?)?;
    python_packages(&folder.join("python"), &list("requirements.txt")?)?;
    make_executable(&folder.join(EXECUTABLE))
}

#[cfg(unix)]
fn make_executable(program: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    Ok(std::fs::set_permissions(program, std::fs::Permissions::from_mode(0o755))?)
}

#[cfg(not(unix))]
fn make_executable(_program: &Path) -> Result<()> {
    Ok(())
}
