//! `cargo xtask playground`: the page in which people try nodewise.
//!
//! Input is the checkout. Output is a folder of static files. Invariant: the folder is the whole page, so any server of files can
//! offer it.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::installs::{node, npm_locked, succeed};
use crate::wasm::{self, Module, Purpose};

/// The folder of the sources.
pub(crate) const SOURCE: &str = "playground";
const BUILT: &str = "target/playground";

/// Builds the page, and returns its folder.
///
/// # Errors
/// If something is not available on this machine, or the page cannot be built.
pub(crate) fn build(root: &Path) -> Result<PathBuf> {
    let folder = root.join(BUILT);
    build_in(root, &folder, None)?;
    Ok(folder)
}

/// Builds the page in a folder. `documentation` is the address of the documentation, for the page's links.
///
/// # Errors
/// As `build`.
pub(crate) fn build_in(root: &Path, folder: &Path, documentation: Option<&str>) -> Result<()> {
    let module = wasm::build(root, Module::Package, Purpose::Release)?;
    npm_locked(&root.join(SOURCE))?;
    let mut command = Command::new(node(root)?);
    command.arg("build.mjs").arg(module).arg(folder).args(documentation).current_dir(root.join(SOURCE));
    succeed(&mut command).context("the page cannot be built")
}
