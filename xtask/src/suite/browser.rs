//! The page for decisions and the playground in a real browser.
//!
//! Input is the checkout. Output is a verdict. Invariant: the page comes from the command of the release build, with runs that really
//! wait; the playground is the folder that is published.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::Verdict;
use super::vscode::{CHROMIUM_PROGRAM, install_chromium};
use crate::checkout::{self, Profile};
use crate::installs;
use crate::playground::{self, SOURCE};
use crate::wasm;

const TESTS: &str = "tests/browser";
const SCRIPT: &str = "decisions.mjs";
const INSTALLED: &str = "target/tools/browser";

/// Decides in a browser.
pub(super) fn decide(root: &Path) -> Result<Verdict> {
    let installed = root.join(INSTALLED);
    let manifest = std::fs::read_to_string(root.join(TESTS).join("package.json"))?;
    let tools = installs::npm_packages(&installed, &manifest)
        .and_then(|()| Ok((installs::node(root)?, install_chromium(root)?)));
    let (node, chromium) = match tools {
        Ok(tools) => tools,
        Err(error) => return Ok(Verdict::Unavailable(format!("no browser to test in: {error:#}"))),
    };
    let program = checkout::build(root, Profile::Release)?;
    std::fs::copy(root.join(TESTS).join(SCRIPT), installed.join(SCRIPT))?;
    let mut tests = Command::new(node);
    tests.args(["--test", SCRIPT]).current_dir(&installed);
    tests.env("NODEWISE_SERVER", program).env("NODEWISE_CHROMIUM", chromium.join(CHROMIUM_PROGRAM));
    tests.env("FONTCONFIG_SYSROOT", &chromium);
    Ok(match tests.status()?.success() {
        true => Verdict::Passed,
        false => Verdict::Failed("the page for decisions fails in a browser; see the lines above".to_owned()),
    })
}

/// Writes, fixes, simulates and shares in the playground.
pub(super) fn play(root: &Path) -> Result<Verdict> {
    let tools = wasm::install(root)
        .and_then(|_| installs::npm_locked(&root.join(SOURCE)))
        .and_then(|()| Ok((installs::node(root)?, install_chromium(root)?)));
    let (node, chromium) = match tools {
        Ok(tools) => tools,
        Err(error) => return Ok(Verdict::Unavailable(format!("no browser to test in: {error:#}"))),
    };
    let page = playground::build(root)?;
    let mut tests = Command::new(node);
    tests.args(["--test", "test/page.test.mjs"]).current_dir(root.join(SOURCE));
    tests.env("NODEWISE_PLAYGROUND", page).env("NODEWISE_CHROMIUM", chromium.join(CHROMIUM_PROGRAM));
    tests.env("FONTCONFIG_SYSROOT", &chromium);
    Ok(match tests.status()?.success() {
        true => Verdict::Passed,
        false => Verdict::Failed("the playground fails in a browser; see the lines above".to_owned()),
    })
}
