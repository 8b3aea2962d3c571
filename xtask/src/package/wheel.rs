//! The wheel, which contains the binary as a command.
//!
//! Input is `pyproject.toml` and the checkout. Output is one wheel for this platform. Invariant: files of an earlier
//! version are removed.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::{empty_folder, files_ending};
use crate::checkout::{Profile, forget_package};
use crate::delivery;
use crate::installs::succeed;

/// The features of published builds: all features of the command and the worker, which is not tested on Windows.
const PUBLISHED: &str = if cfg!(windows) { "default" } else { "default,worker" };
/// The features of the release build, so that nothing is compiled again.
const TESTED: &str = "default";

/// Builds the wheel into `wheel/` of the folder.
pub(super) fn pack(root: &Path, folder: &Path, profile: Profile) -> Result<Vec<PathBuf>> {
    let programs = delivery::install(root)?;
    let folder = empty_folder(folder.join("wheel"))?;
    let features = if profile == Profile::Dist { PUBLISHED } else { TESTED };
    let mut maturin = Command::new(programs.join("maturin"));
    maturin
        .args(["build", "--profile", profile.name(), "--features", features, "--quiet", "--out"])
        .arg(&folder)
        .current_dir(root);
    forget_package(&mut maturin);
    succeed(&mut maturin)?;
    files_ending(&folder, ".whl")
}
