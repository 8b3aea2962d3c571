//! Checks the GitHub workflows and the action with two programs: actionlint checks the syntax, and the scripts with
//! shellcheck. zizmor checks the security.
//!
//! Input is `.github`, `action.yml` and the hooks. Output is the verdict. Invariant: after the programs are installed,
//! there is no network access.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::Verdict;
use crate::installs::python_packages;

const LIST: &str = "tests/workflows/requirements.txt";
const FOLDER: &str = "target/workflows";
const WORKFLOWS: &str = ".github/workflows";

/// Runs both programs, which print their findings.
pub(super) fn check(root: &Path) -> Result<Verdict> {
    let programs = match install(root) {
        Ok(programs) => programs,
        Err(error) => {
            let reason = format!("actionlint and zizmor cannot be installed: {error:#}");
            return Ok(Verdict::Unavailable(reason));
        }
    };
    let workflows = workflows(root)?;
    if workflows.is_empty() {
        return Ok(Verdict::Failed(format!("{WORKFLOWS} contains no workflows")));
    }
    let mut actionlint = reader(root, &programs, "actionlint");
    // Otherwise it would also use pyflakes if it is installed.
    actionlint.arg("-shellcheck").arg(programs.join("shellcheck")).args(["-pyflakes", ""]).args(&workflows);
    let mut zizmor = reader(root, &programs, "zizmor");
    zizmor.args(["--offline", "--strict-collection", "--persona=pedantic", "--no-progress", "--quiet", "."]);
    let mut displeased = Vec::new();
    for (name, mut reader) in [("actionlint", actionlint), ("zizmor", zizmor)] {
        let status = reader.status().with_context(|| format!("cannot start {name}"))?;
        displeased.extend((!status.success()).then_some(name));
    }
    Ok(match displeased.as_slice() {
        [] => Verdict::Passed,
        names => Verdict::Failed(format!("{} reported the problems above", names.join(" and "))),
    })
}

fn install(root: &Path) -> Result<PathBuf> {
    let python = python_packages(&root.join(FOLDER), &std::fs::read_to_string(root.join(LIST))?)?;
    Ok(python.parent().unwrap_or(&python).to_owned())
}

fn reader(root: &Path, programs: &Path, name: &str) -> Command {
    let mut command = Command::new(programs.join(name));
    command.current_dir(root);
    command
}

/// The workflows in the order of their names, relative to the checkout.
fn workflows(root: &Path) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(root.join(WORKFLOWS)).with_context(|| format!("no {WORKFLOWS}"))? {
        let path = Path::new(WORKFLOWS).join(entry?.file_name());
        paths.extend(
            path.extension().is_some_and(|ending| ending == "yml" || ending == "yaml").then_some(path),
        );
    }
    paths.sort();
    Ok(paths)
}
