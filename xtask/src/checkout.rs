//! The checkout, and cargo in it.
//!
//! Input is the folder that this crate was built in; output is commands of the same toolchain. Invariant: what one command of
//! the project compiles, another does not compile again.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};

/// How the command `nodewise` is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// As people build it who have the source: quick to build.
    Release,
    /// As it is published and measured: optimised as a whole.
    Dist,
}

impl Profile {
    /// The name, for `--profile` and as the folder below `target`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Profile::Release => "release",
            Profile::Dist => "dist",
        }
    }

    /// Where the build leaves the command, below the checkout.
    #[must_use]
    pub fn program(self) -> PathBuf {
        Path::new("target").join(self.name()).join(format!("nodewise{}", std::env::consts::EXE_SUFFIX))
    }

    /// The arguments with which cargo builds the command. `--package` would choose other features of what is below, and compile
    /// most of it once more.
    #[must_use]
    pub fn build(self) -> [&'static str; 5] {
        ["build", "--profile", self.name(), "--bin", "nodewise"]
    }
}

/// Builds the command, and says where it is.
///
/// # Errors
/// When cargo does not start, or the build fails.
pub fn build(root: &Path, profile: Profile) -> Result<PathBuf> {
    let status = cargo(root).args(profile.build()).status()?;
    ensure!(status.success(), "the {} build fails", profile.name());
    Ok(root.join(profile.program()))
}

/// The folder of the checkout that this program was built from.
#[must_use]
pub fn checkout_root() -> PathBuf {
    let manifest_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest_folder.parent().unwrap_or(manifest_folder).to_path_buf()
}

/// A cargo command in the checkout, of the toolchain that runs this program.
#[must_use]
pub fn cargo(root: &Path) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.current_dir(root);
    forget_package(&mut command);
    command
}

/// Keeps from a command what `cargo run` tells this program of its package. Build scripts watch it: with it cargo would compile
/// again what it compiled for people who call it themselves.
pub(crate) fn forget_package(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        let is_own = name
            .to_str()
            .is_some_and(|name| name.starts_with("CARGO_MANIFEST_") || name.starts_with("CARGO_PKG_"));
        if is_own {
            command.env_remove(name);
        }
    }
}
