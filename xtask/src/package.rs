//! `cargo xtask package wheel|npm|wasm|language-server|mirror`: the published packages, which users install without Rust.
//!
//! Input is the checkout. Output is files below `target/packages`. Invariant: only Cargo.toml contains the version.

mod mirror;
mod npm;
mod wasm;
mod wheel;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::checkout::Profile;
use crate::wasm::{Module, Purpose};

/// The folder of the packages.
pub(crate) const FOLDER: &str = "target/packages";

/// A published package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A wheel with the binary, for pip.
    Wheel,
    /// The package that users install from npm, and this platform's package with the binary.
    Npm,
    /// The package for npm with the module for JavaScript.
    Wasm,
    /// The WebAssembly module that is the language server in VS Code for the Web.
    LanguageServer,
    /// A repository of hooks that install the wheel, for pre-commit.
    Mirror,
}

impl Kind {
    /// The package with this name.
    pub(crate) fn read(word: &str) -> Result<Kind> {
        match word {
            "wheel" => Ok(Kind::Wheel),
            "npm" => Ok(Kind::Npm),
            "wasm" => Ok(Kind::Wasm),
            "language-server" => Ok(Kind::LanguageServer),
            "mirror" => Ok(Kind::Mirror),
            _ => bail!(
                "`{word}` is not a package: write `wheel`, `npm`, `wasm`, `language-server` or `mirror`"
            ),
        }
    }
}

/// Packs a build, and returns the written files.
pub(crate) fn pack(root: &Path, kind: Kind, profile: Profile) -> Result<Vec<PathBuf>> {
    let folder = root.join(FOLDER);
    std::fs::create_dir_all(&folder)?;
    match kind {
        Kind::Wheel => wheel::pack(root, &folder, profile),
        Kind::Npm => npm::pack(root, &folder, profile),
        Kind::Wasm => wasm::pack(root, &folder),
        Kind::LanguageServer => Ok(vec![crate::wasm::build(root, Module::LanguageServer, Purpose::Release)?]),
        Kind::Mirror => mirror::write(root, &folder),
    }
}

/// Packs the npm packages of all platforms, from binaries that were built on them.
pub(crate) fn pack_all_npm(root: &Path, binaries: &Path) -> Result<bool> {
    let written = npm::pack_all(root, &root.join(FOLDER), &root.join(binaries))?;
    written.iter().for_each(|path| println!("wrote {}", path.display()));
    Ok(true)
}

/// The version in the checkout.
pub(crate) fn version(root: &Path) -> Result<String> {
    workspace_field(root, "version")
}

/// A field of `[workspace.package]`.
fn workspace_field(root: &Path, name: &str) -> Result<String> {
    let manifest: toml::Table = std::fs::read_to_string(root.join("Cargo.toml"))?.parse()?;
    let package = manifest.get("workspace").and_then(|workspace| workspace.get("package"));
    let field = package.and_then(|package| package.get(name)).and_then(toml::Value::as_str);
    Ok(field.with_context(|| format!("Cargo.toml names no {name}"))?.to_owned())
}

/// A folder without the files of an earlier call.
fn empty_folder(folder: PathBuf) -> Result<PathBuf> {
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// The files in a folder with this name ending, in the order of their names.
fn files_ending(folder: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut paths = entries.collect::<Result<Vec<PathBuf>>>()?;
    paths.retain(|path| path.to_string_lossy().ends_with(ending));
    paths.sort();
    Ok(paths)
}
