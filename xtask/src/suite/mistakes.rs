//! The benchmark of beginners' mistakes: each case has one mistake, and the expected content of the answer.
//!
//! Input is the checkout. Output is how many mistakes have a good answer, and what an agent reads to find them. Invariant: the scripts
//! next to the cases decide. They use only the command line.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::{Options, Verdict};
use crate::checkout::{self, Profile};

const FOLDER: &str = "tests/mistakes";

/// The scripts, and what a failure of each means.
const SCRIPTS: [(&str, &[&str], &str); 2] = [
    ("score.py", &["--details"], "a mistake has no good answer"),
    ("tokens.py", &[], "a report for agents does not name every cause in fewer tokens"),
];

/// Scores the release build.
pub(super) fn score(root: &Path, _options: Options<'_>) -> Result<Verdict> {
    let program = checkout::build(root, Profile::Release)?;
    let mut failures = Vec::new();
    for (script, words, meaning) in SCRIPTS {
        let mut python = Command::new("python3");
        python.args(["-B", script]).args(words).env("NODEWISE", &program).current_dir(root.join(FOLDER));
        let scored = match python.output() {
            Ok(scored) => scored,
            Err(error) => return Ok(Verdict::Unavailable(format!("python3 does not start: {error}"))),
        };
        let lines = String::from_utf8_lossy(&scored.stdout);
        let is_reported = |line: &&str| !line.starts_with("pass ");
        lines.lines().filter(is_reported).for_each(|line| println!("    {line}"));
        failures.extend((!scored.status.success()).then_some(meaning));
    }
    Ok(match failures.as_slice() {
        [] => Verdict::Passed,
        failures => Verdict::Failed(format!("{}; see the lines above", failures.join(", "))),
    })
}
