//! Live runs before what is not ours: the reference server of the Model Context Protocol, and `kill -9` at 320 points.
//!
//! Input is the list of packages beside the tests; output is the tests' verdict. Invariant: nothing outside `target` and the folder
//! for temporary files is written.

use std::path::Path;

use anyhow::Result;

use super::Verdict;
use crate::installs::npm_packages;
use crate::repository::cargo;

const LIST: &str = "crates/live/tests/suite/tools/package.json";
const FOLDER: &str = "target/mcp";

/// Runs the tests that speak with servers of tools.
pub(super) fn tools(root: &Path) -> Result<Verdict> {
    let folder = root.join(FOLDER);
    let list = std::fs::read_to_string(root.join(LIST))?;
    if let Err(error) = npm_packages(&folder, &list) {
        return Ok(Verdict::Unavailable(format!("the servers of tools cannot be installed: {error:#}")));
    }
    let mut command = cargo(root);
    command.args(["test", "--test", "suite", "tools::everything::"]);
    command.env("NODEWISE_MCP_SERVERS", &folder);
    Ok(match command.status()?.success() {
        true => Verdict::Passed,
        false => Verdict::Failed("a server of tools answers otherwise; the test above shows what".to_owned()),
    })
}

/// How often a run is killed: about two of three times it is in its middle.
const CRASHES: &str = "320";

/// Kills a run at many points of its way, and goes on with it.
pub(super) fn crashes(root: &Path) -> Result<Verdict> {
    let mut command = cargo(root);
    command.args(["test", "--test", "live", "crash::", "--", "--nocapture"]);
    command.env("NODEWISE_CRASHES", CRASHES);
    Ok(match command.status()?.success() {
        true => Verdict::Passed,
        false => Verdict::Failed(
            "an effect was lost, or done twice without a word; the test above shows where".to_owned(),
        ),
    })
}
