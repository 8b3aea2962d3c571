//! The mirror: a repository of hooks for pre-commit that install the wheel instead of building the command.
//!
//! Input is `.pre-commit-hooks.yaml` and the version. Output is the repository's files. Invariant: the hooks are the
//! same as in this repository.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::{empty_folder, version};

const HOOKS: &str = ".pre-commit-hooks.yaml";

/// Writes the files into `pre-commit/` of the folder.
pub(super) fn write(root: &Path, folder: &Path) -> Result<Vec<PathBuf>> {
    let folder = empty_folder(folder.join("pre-commit"))?;
    let hooks = std::fs::read_to_string(root.join(HOOKS))?;
    let version = version(root)?;
    let files = [(HOOKS, hooks), ("pyproject.toml", project(&version)), ("README.md", readme(&version))];
    let mut written = Vec::new();
    for (name, text) in files {
        let path = folder.join(name);
        std::fs::write(&path, text)?;
        written.push(path);
    }
    Ok(written)
}

/// pre-commit installs the repository as a Python package. It contains nothing and depends on the wheel.
fn project(version: &str) -> String {
    format!(
        "[project]\nname = \"nodewise-pre-commit\"\nversion = \"{version}\"\n\
         dependencies = [\"nodewise=={version}\"]\n\n[tool.setuptools]\npy-modules = []\n"
    )
}

fn readme(version: &str) -> String {
    format!(
        "# nodewise for pre-commit\n\nThe hooks of nodewise {version}, installed as a wheel in seconds. Written by \
         `cargo xtask package mirror` in\nnodewise's repository, whose `docs/ci.md` says how the hooks are used.\n"
    )
}
