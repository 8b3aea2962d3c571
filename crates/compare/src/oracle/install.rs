//! Installs the upstream packages, each system in a separate folder below `target/oracle`.
//!
//! Input is the manifest or list of packages next to each oracle's programs. Output is the command that starts the
//! oracle. Invariant: the programs are those of the checkout, even if the packages are already installed.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use xtask::installs::{node, npm_packages, python_packages};

/// The folder of the programs, with a subfolder for each system.
const PROGRAMS: &str = "tests/oracles";
const INSTALLED: &str = "target/oracle";
/// The files that the programs of all systems use.
const SHARED_PROGRAMS: &[&str] = &["lines.mjs", "outline.mjs"];
const MANIFEST: &str = "package.json";

/// The environments of Liman's packages, each with its list of packages. One has the releases that read edges as 0.1.1
/// does. The other has those that read edges as in the specification.
const RELEASE: (&str, &str) = ("liman", "requirements.txt");
const CLASSIC: (&str, &str) = ("liman_classic", "requirements-classic.txt");
const LIMAN_PROGRAMS: &str = "liman";

/// The command that starts a system's oracle. Installs missing packages.
pub(super) fn oracle(root: &Path, system: &str) -> Result<Command> {
    if system != LIMAN_PROGRAMS {
        return node_program(root, system, "answer.mjs");
    }
    let mut command = Command::new(liman_python(root)?);
    command.arg(root.join(PROGRAMS).join(LIMAN_PROGRAMS).join("answer.py"));
    command.arg(python(root, CLASSIC)?);
    Ok(command)
}

/// The interpreter with the latest release of Liman.
pub(super) fn liman_python(root: &Path) -> Result<PathBuf> {
    python(root, RELEASE)
}

/// The interpreter of an environment.
fn python(root: &Path, (environment, requirements): (&str, &str)) -> Result<PathBuf> {
    let list = root.join(PROGRAMS).join(LIMAN_PROGRAMS).join(requirements);
    python_packages(&root.join(INSTALLED).join(environment), &std::fs::read_to_string(list)?)
}

/// The command that runs a program with a system's packages. Installs missing packages.
pub(crate) fn node_program(root: &Path, system: &str, program: &str) -> Result<Command> {
    let folder = root.join(INSTALLED).join(system);
    let manifest = std::fs::read_to_string(root.join(PROGRAMS).join(system).join(MANIFEST))?;
    npm_packages(&folder, &manifest)?;
    copy_programs(root, system)?;
    let mut command = Command::new(node(root)?);
    command.arg(program).current_dir(folder);
    Ok(command)
}

/// Node searches for modules next to the importing file, so the programs are copied to the packages.
fn copy_programs(root: &Path, system: &str) -> Result<()> {
    let (programs, installed) = (root.join(PROGRAMS), root.join(INSTALLED));
    for name in SHARED_PROGRAMS {
        std::fs::copy(programs.join(name), installed.join(name))?;
    }
    for entry in std::fs::read_dir(programs.join(system))? {
        let path = entry?.path();
        let name = path.file_name().context("a program has a name")?;
        std::fs::copy(&path, installed.join(system).join(name))?;
    }
    Ok(())
}
