//! The npm packages: a general one that users install, and one with the binary for each platform.
//!
//! Input is `npm/` and binaries, of this machine or of every platform. Output is tarballs, the general one and those of
//! the platforms. Invariant: the general package requires exactly the platforms' packages of the same version.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::{empty_folder, files_ending, version, workspace_field};
use crate::checkout::{self, Profile};
use crate::installs::succeed;

/// The folder of the general package.
const GENERAL: &str = "npm";
const GENERAL_FILES: &[&str] = &["README.md", "bin/nodewise.js"];
const LICENSES: &[&str] = &["LICENSE-APACHE", "LICENSE-MIT"];

/// A platform with a package.
struct Platform {
    /// The system and processor, as Rust names them.
    rust: (&'static str, &'static str),
    /// The system and processor, as Node names them.
    node: (&'static str, &'static str),
}

const PLATFORMS: &[Platform] = &[
    Platform { rust: ("linux", "x86_64"), node: ("linux", "x64") },
    Platform { rust: ("linux", "aarch64"), node: ("linux", "arm64") },
    Platform { rust: ("macos", "x86_64"), node: ("darwin", "x64") },
    Platform { rust: ("macos", "aarch64"), node: ("darwin", "arm64") },
    Platform { rust: ("windows", "x86_64"), node: ("win32", "x64") },
    Platform { rust: ("windows", "aarch64"), node: ("win32", "arm64") },
];

impl Platform {
    fn of_this_machine() -> Result<&'static Platform> {
        let machine = (std::env::consts::OS, std::env::consts::ARCH);
        let platform = PLATFORMS.iter().find(|platform| platform.rust == machine);
        platform.with_context(|| format!("{} {} has no package", machine.0, machine.1))
    }

    /// The name in folders of binaries and in packages.
    fn name(&self) -> String {
        format!("{}-{}", self.node.0, self.node.1)
    }

    fn package(&self) -> String {
        format!("@nodewise/cli-{}", self.name())
    }

    fn program(&self) -> &'static str {
        if self.node.0 == "win32" { "nodewise.exe" } else { "nodewise" }
    }
}

/// Packs the general package and that of this machine into `npm/` of the folder.
pub(super) fn pack(root: &Path, folder: &Path, profile: Profile) -> Result<Vec<PathBuf>> {
    let platform = Platform::of_this_machine()?;
    pack_platforms(root, folder, &[(platform, checkout::build(root, profile)?)])
}

/// Packs the general package and those of all platforms. Each platform has a folder with its binary.
pub(super) fn pack_all(root: &Path, folder: &Path, binaries: &Path) -> Result<Vec<PathBuf>> {
    let platforms = PLATFORMS.iter().map(|platform| {
        let binary = binaries.join(platform.name()).join(platform.program());
        ensure!(binary.is_file(), "{} is missing", binary.display());
        Ok((platform, binary))
    });
    pack_platforms(root, folder, &platforms.collect::<Result<Vec<_>>>()?)
}

fn pack_platforms(root: &Path, folder: &Path, platforms: &[(&Platform, PathBuf)]) -> Result<Vec<PathBuf>> {
    let folder = empty_folder(folder.join("npm"))?;
    let mut packages = vec![general_package(root, &folder)?];
    for (platform, binary) in platforms {
        packages.push(platform_package(root, &folder, platform, binary)?);
    }
    for package in packages {
        pack_folder(&package, &folder)?;
    }
    files_ending(&folder, ".tgz")
}

/// Writes the tarball of a package.
pub(super) fn pack_folder(package: &Path, folder: &Path) -> Result<()> {
    let mut npm = Command::new("npm");
    npm.args(["pack", "--silent", "--pack-destination"]).arg(folder).current_dir(package);
    succeed(npm.stdout(std::process::Stdio::null()))
}

fn general_package(root: &Path, folder: &Path) -> Result<PathBuf> {
    let (from, to) = (root.join(GENERAL), folder.join("nodewise"));
    std::fs::create_dir_all(to.join("bin"))?;
    for file in GENERAL_FILES {
        std::fs::copy(from.join(file), to.join(file))?;
    }
    let version = version(root)?;
    let mut manifest: Value = serde_json::from_str(&std::fs::read_to_string(from.join("package.json"))?)?;
    let packages = PLATFORMS.iter().map(|platform| (platform.package(), json!(version)));
    let fields = manifest.as_object_mut().context("package.json is not an object")?;
    fields.insert("version".to_owned(), json!(version));
    fields.insert("optionalDependencies".to_owned(), Value::Object(packages.collect()));
    finish(root, &to, manifest)?;
    Ok(to)
}

fn platform_package(root: &Path, folder: &Path, platform: &Platform, binary: &Path) -> Result<PathBuf> {
    let to = folder.join(platform.name());
    std::fs::create_dir_all(to.join("bin"))?;
    let program = to.join("bin").join(platform.program());
    std::fs::copy(binary, program)?;
    let (system, processor) = platform.node;
    let mut manifest = json!({
        "name": platform.package(),
        "version": version(root)?,
        "description": format!("The binary of nodewise for {system} {processor}"),
        "license": "MIT OR Apache-2.0",
        "files": ["bin"],
        "os": [system],
        "cpu": [processor],
        "preferUnplugged": true,
    });
    if system == "linux" {
        // The build is linked with glibc.
        manifest["libc"] = json!(["glibc"]);
    }
    finish(root, &to, manifest)?;
    Ok(to)
}

/// Writes the manifest, with the repository and the licences.
pub(super) fn finish(root: &Path, package: &Path, mut manifest: Value) -> Result<()> {
    // npm accepts a package from a workflow only if it names the repository of the workflow.
    let url = format!("git+{}.git", workspace_field(root, "repository")?);
    manifest["repository"] = json!({"type": "git", "url": url});
    for license in LICENSES {
        std::fs::copy(root.join(license), package.join(license))?;
    }
    // npm includes a file named `LICENSE` automatically, but these files have to be listed.
    if let Some(files) = manifest["files"].as_array_mut() {
        files.extend(LICENSES.iter().map(|license| json!(license)));
    }
    std::fs::write(package.join("package.json"), format!("{manifest:#}\n"))?;
    Ok(())
}
