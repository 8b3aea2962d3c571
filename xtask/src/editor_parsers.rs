//! The packages from npm with which editors' grammars are tested: parsers of YAML and JSON, and readers of grammars.
//!
//! Input is the checkout. Output is the folder of the packages. Invariant: it is below `target/grammars`.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::installs::npm_packages;

/// The folder for the files of all checks of grammars.
pub const WORK: &str = "target/grammars";
/// The programs and lists of packages of the tests of grammars.
pub const TESTS: &str = "grammars/tests";

/// Installs the packages if they are missing, and returns their folder.
///
/// # Errors
/// If the list of packages cannot be read, or npm fails.
pub fn packages(root: &Path) -> Result<PathBuf> {
    let manifest = std::fs::read_to_string(root.join(TESTS).join("package.json"))?;
    let folder = root.join(WORK).join("packages");
    npm_packages(&folder, &manifest)?;
    Ok(folder)
}
