//! The benchmark of beginners' mistakes: each case has one mistake, and the expected content of the answer.
//!
//! Input is the checkout. Output is how many mistakes have a good answer. Invariant: the script next to the cases
//! decides. It uses only the command line.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::{Options, Verdict};
use crate::checkout::{self, Profile};

const FOLDER: &str = "tests/mistakes";

/// Scores the release build.
pub(super) fn score(root: &Path, _options: Options<'_>) -> Result<Verdict> {
    let program = checkout::build(root, Profile::Release)?;
    let scored = Command::new("python3")
        .args(["-B", "score.py", "--details"])
        .env("NODEWISE", program)
        .current_dir(root.join(FOLDER))
        .output();
    let scored = match scored {
        Ok(scored) => scored,
        Err(error) => return Ok(Verdict::Unavailable(format!("python3 does not start: {error}"))),
    };
    let lines = String::from_utf8_lossy(&scored.stdout);
    let is_told = |line: &&str| !line.starts_with("pass ");
    lines.lines().filter(is_told).for_each(|line| println!("    {line}"));
    Ok(match scored.status.success() {
        true => Verdict::Passed,
        false => Verdict::Failed("a mistake has no good answer; see the lines above".to_owned()),
    })
}
