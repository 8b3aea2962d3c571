//! The page for decisions, the playground and the documentation in a real browser.
//!
//! Input is the checkout. Output is a verdict. Invariant: the page comes from the command of the release build, with runs that really
//! wait; the playground and the documentation are the folders that are published.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::Verdict;
use super::vscode::{CHROMIUM_PROGRAM, install_chromium};
use crate::checkout::{self, Profile};
use crate::installs;
use crate::{playground, site, wasm};

const TESTS: &str = "tests/browser";
const SCRIPT: &str = "decisions.mjs";
/// What the scripts share.
const SHARED: &str = "pages.mjs";
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
    for script in [SCRIPT, SHARED] {
        std::fs::copy(root.join(TESTS).join(script), installed.join(script))?;
    }
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
    let module = wasm::install(root).map(|_| ());
    published(root, module, playground::SOURCE, "test/page.test.mjs", playground::build)
}

/// Follows the links of the documentation, and searches in it.
pub(super) fn read(root: &Path) -> Result<Verdict> {
    published(root, Ok(()), site::SOURCE, "test/site.test.mjs", site::build_pages)
}

/// The same, and opens the examples of the pages in the playground.
pub(super) fn read_and_play(root: &Path) -> Result<Verdict> {
    let module = wasm::install(root).and_then(|_| installs::npm_locked(&root.join(playground::SOURCE)));
    published(root, module, site::SOURCE, "test/site.test.mjs", site::build)
}

/// Tests a folder of pages that is published. `installed` is what building it needs in addition to npm's packages and a browser.
fn published(
    root: &Path,
    installed: Result<()>,
    source: &str,
    script: &str,
    build: fn(&Path) -> Result<PathBuf>,
) -> Result<Verdict> {
    let tools = installed
        .and_then(|()| installs::npm_locked(&root.join(source)))
        .and_then(|()| Ok((installs::node(root)?, install_chromium(root)?)));
    let (node, chromium) = match tools {
        Ok(tools) => tools,
        Err(error) => return Ok(Verdict::Unavailable(format!("no browser to test in: {error:#}"))),
    };
    let pages = build(root)?;
    let mut tests = Command::new(node);
    tests.args(["--test", script]).current_dir(root.join(source));
    tests.env("NODEWISE_PAGES", pages).env("NODEWISE_CHROMIUM", chromium.join(CHROMIUM_PROGRAM));
    tests.env("FONTCONFIG_SYSROOT", &chromium);
    Ok(match tests.status()?.success() {
        true => Verdict::Passed,
        false => Verdict::Failed(format!("the pages of {source} fail in a browser; see the lines above")),
    })
}
