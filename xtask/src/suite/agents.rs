//! The server for coding agents in the official client and inspector.
//!
//! Input is the checkout. Output is a verdict. Invariant: the server is the command of the release build.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::Verdict;
use crate::checkout::{self, Profile};
use crate::installs;

const TESTS: &str = "tests/agents";
/// What the tests have in common, and the tests.
const SCRIPTS: [&str; 3] = ["calls.mjs", "client.mjs", "inspector.mjs"];
const INSTALLED: &str = "target/tools/agents";

/// Calls each tool.
pub(super) fn call(root: &Path) -> Result<Verdict> {
    let installed = root.join(INSTALLED);
    let manifest = std::fs::read_to_string(root.join(TESTS).join("package.json"))?;
    let tools = installs::npm_packages(&installed, &manifest).and_then(|()| installs::node(root));
    let node = match tools {
        Ok(node) => node,
        Err(error) => return Ok(Verdict::Unavailable(format!("no client to test in: {error:#}"))),
    };
    let program = checkout::build(root, Profile::Release)?;
    for script in SCRIPTS {
        std::fs::copy(root.join(TESTS).join(script), installed.join(script))?;
    }
    let mut tests = Command::new(node);
    tests.arg("--test").args(&SCRIPTS[1..]).current_dir(&installed);
    tests.env("NODEWISE_SERVER", program).env("NODEWISE_EXAMPLES", root.join("examples"));
    Ok(match tests.status()?.success() {
        true => Verdict::Passed,
        false => Verdict::Failed("a tool for agents fails in the client; see the lines above".to_owned()),
    })
}
