//! The checkout, and cargo commands in it.
//!
//! Input is the folder in which this crate was built. Output is commands of the same toolchain. Invariant: what one
//! command of the project compiles, another one does not compile again.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};

/// Published builds have the worker for durable engines. It is not tested on Windows.
pub(crate) const PUBLISHED_FEATURES: &[&str] =
    if cfg!(windows) { &[] } else { &["--features", "nodewise/worker"] };

/// The command in the build of the tests.
pub(crate) const DEBUG: &str = "target/debug/nodewise";

/// The profile of a build of `nodewise`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// For people who build from source. It compiles quickly.
    Release,
    /// For releases and measurements. It is fully optimised.
    Dist,
}

impl Profile {
    /// The name of the profile, and of its folder below `target`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Profile::Release => "release",
            Profile::Dist => "dist",
        }
    }

    /// The path of the built command, relative to the checkout.
    #[must_use]
    pub fn program(self) -> PathBuf {
        Path::new("target").join(self.name()).join(format!("nodewise{}", std::env::consts::EXE_SUFFIX))
    }

    /// The arguments for cargo. `--package` would select other features of the dependencies, and compile most of them
    /// again.
    #[must_use]
    pub fn build(self) -> Vec<&'static str> {
        let mut arguments = vec!["build", "--profile", self.name(), "--bin", "nodewise"];
        if self == Profile::Dist {
            arguments.extend(PUBLISHED_FEATURES);
        }
        arguments
    }
}

/// Builds the command, and returns its path.
///
/// # Errors
/// If cargo does not start, or the build fails.
pub fn build(root: &Path, profile: Profile) -> Result<PathBuf> {
    let status = cargo(root).args(profile.build()).status()?;
    ensure!(status.success(), "the {} build fails", profile.name());
    Ok(root.join(profile.program()))
}

/// The folder of the checkout from which this program was built.
#[must_use]
pub fn checkout_root() -> PathBuf {
    let manifest_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest_folder.parent().unwrap_or(manifest_folder).to_path_buf()
}

/// A cargo command in the checkout, with the toolchain of this program.
#[must_use]
pub fn cargo(root: &Path) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.current_dir(root);
    forget_package(&mut command);
    command
}

/// Removes the variables about this package that `cargo run` sets. Build scripts watch them, so with these variables
/// cargo would compile again what the user's own cargo commands have compiled.
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
