//! The npm package with the module for JavaScript.
//!
//! Input is `npm/wasm` and the module. Output is a folder that is the package, and its tarball. Invariant: the package has no
//! dependencies, and one module for every platform.

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde_json::{Value, json};

use super::npm::{finish, pack_folder};
use super::{empty_folder, files_ending, version};
use crate::wasm::{self, Module, Purpose};

const SOURCE: &str = "npm/wasm";
const FILES: &[&str] = &["README.md", "browser.js", "index.d.ts", "module.js", "node.js"];

/// Packs the package into `wasm/` of the folder.
pub(super) fn pack(root: &Path, folder: &Path) -> Result<Vec<PathBuf>> {
    let folder = empty_folder(folder.join("wasm"))?;
    let package = folder.join("package");
    std::fs::create_dir_all(&package)?;
    let source = root.join(SOURCE);
    for file in FILES {
        std::fs::copy(source.join(file), package.join(file))?;
    }
    std::fs::copy(wasm::build(root, Module::Package, Purpose::Release)?, package.join("nodewise.wasm"))?;
    let mut manifest: Value = serde_json::from_str(&std::fs::read_to_string(source.join("package.json"))?)?;
    manifest["version"] = json!(version(root)?);
    finish(root, &package, manifest)?;
    pack_folder(&package, &folder)?;
    files_ending(&folder, ".tgz")
}
