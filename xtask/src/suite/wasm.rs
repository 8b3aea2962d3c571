//! The module for JavaScript, compared with the command.
//!
//! Input is the checkout. Output is a verdict. Invariant: the module is that of the npm package, and the command is the release build.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::Verdict;
use crate::checkout::{self, Profile};
use crate::installs;
use crate::package::{self, Kind};
use crate::wasm;

const TESTS: &str = "tests/wasm";
const SCRIPT: &str = "compare.mjs";
const INSTALLED: &str = "target/tools/wasm";
const PACKAGE: &str = "target/packages/wasm/package";

/// Compares findings, texts, graphs and traces of the corpora.
pub(super) fn compare(root: &Path) -> Result<Verdict> {
    let installed = root.join(INSTALLED);
    let manifest = std::fs::read_to_string(root.join(TESTS).join("package.json"))?;
    let tools = wasm::install(root)
        .and_then(|_| installs::npm_packages(&installed, &manifest))
        .and_then(|()| installs::node(root));
    let node = match tools {
        Ok(node) => node,
        Err(error) => return Ok(Verdict::Unavailable(format!("nothing builds the module: {error:#}"))),
    };
    package::pack(root, Kind::Wasm, Profile::Release)?;
    let program = checkout::build(root, Profile::Release)?;
    std::fs::copy(root.join(TESTS).join(SCRIPT), installed.join(SCRIPT))?;
    let mut tests = Command::new(node);
    tests.args(["--test", SCRIPT]).current_dir(&installed);
    tests.env("NODEWISE_SERVER", program).env("NODEWISE_PACKAGE", root.join(PACKAGE));
    Ok(match tests.env("NODEWISE_ROOT", root).status()?.success() {
        true => Verdict::Passed,
        false => Verdict::Failed("the module differs from the command; see the lines above".to_owned()),
    })
}
