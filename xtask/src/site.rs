//! `cargo xtask site`: the documentation as a folder of static pages, with the playground.
//!
//! Input is the checkout. Output is the folder. Invariant: the text of a page is that of `docs`; any server of files can offer the
//! folder.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::installs::{node, npm_locked, succeed};
use crate::playground;

/// The folder of the generator.
pub(crate) const SOURCE: &str = "site";
const BUILT: &str = "target/site";
const PLAYGROUND: &str = "playground";
/// The address of the documentation on the pages of the playground.
const DOCUMENTATION: &str = "../";

/// Builds the pages without the playground, and returns their folder.
///
/// # Errors
/// If something is not available on this machine, or a link of a page leads nowhere.
pub(crate) fn build_pages(root: &Path) -> Result<PathBuf> {
    npm_locked(&root.join(SOURCE))?;
    let folder = root.join(BUILT);
    let mut command = Command::new(node(root)?);
    command.arg("build.mjs").arg(&folder).current_dir(root.join(SOURCE));
    succeed(&mut command).context("the pages cannot be built")?;
    Ok(folder)
}

/// Builds the pages and the playground that their examples open, and returns their folder.
///
/// # Errors
/// As `build_pages`, and if the playground cannot be built.
pub(crate) fn build(root: &Path) -> Result<PathBuf> {
    let folder = build_pages(root)?;
    playground::build_in(root, &folder.join(PLAYGROUND), Some(DOCUMENTATION))?;
    Ok(folder)
}
