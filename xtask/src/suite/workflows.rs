//! The workflows that GitHub runs, and the action that others run, before two readers: actionlint knows what GitHub takes and
//! has shellcheck read the scripts, zizmor knows how workflows are attacked.
//!
//! Input is `.github`, `action.yml` and the hooks; output is the verdict. Invariant: nothing is asked of a network once the
//! programs are there.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::Verdict;
use crate::installs::python_packages;

const LIST: &str = "tests/workflows/requirements.txt";
const FOLDER: &str = "target/workflows";
const WORKFLOWS: &str = ".github/workflows";

/// Has both readers look; each says itself what it does not like.
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
        return Ok(Verdict::Failed(format!("{WORKFLOWS} holds no workflow")));
    }
    let mut actionlint = reader(root, &programs, "actionlint");
    // It would also ask a pyflakes that happens to be on the machine.
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
        names => Verdict::Failed(format!("{} found something, which stands above", names.join(" and "))),
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
