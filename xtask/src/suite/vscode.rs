//! The VS Code extension: its types and parts, then its package in a real workbench.
//!
//! Input is the checkout and the server of the release build. Output is a verdict. Invariant: the end-to-end tests use
//! the package that people would install, including the server.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};

use super::{Options, Verdict};
use crate::checkout::{self, Profile};
use crate::installs::{debian_program, node, npm_application, npm_locked, succeed};
use crate::wasm::{self, Module, Purpose};

const EXTENSION: &str = "editors/vscode";
/// The folders of the tests that need a workbench.
const TESTS: [&str; 2] = ["test/host", "test/workbench"];
/// The tests that need the host of web extensions.
const WEB_TESTS: &str = "test/web";
const NOT_PACKED: &str = "the extension cannot be packed; the lines above say why";
/// The reporter that lists what failed.
const FAILURES: &str = "./test/failures.ts";
const RESULTS: &str = "target/vscode/results";
/// The release of VS Code for the tests: a server with its workbench in a browser.
const CODE_SERVER: (&str, &str) = ("code-server", "4.139.1");
const CODE_SERVER_FOLDER: &str = "target/tools/code-server";
/// Folders of the application whose packages are installed separately.
const CODE_SERVER_PARTS: [&str; 2] = ["lib/vscode", "lib/vscode/extensions"];
/// This suite is newer than the Debian release that may run the tests, because its packages have all libraries below
/// one folder.
const CHROMIUM: (&str, &str) = ("chromium", "trixie");
const CHROMIUM_FOLDER: &str = "target/tools/chromium";
pub(super) const CHROMIUM_PROGRAM: &str = "usr/lib/chromium/chromium";

/// Runs the type checker, and the tests that need no editor.
pub(super) fn check_parts(root: &Path) -> Result<Verdict> {
    let node = match prepare(root) {
        Ok(node) => node,
        Err(error) => {
            return Ok(Verdict::Unavailable(format!("the packages of npm cannot be installed: {error:#}")));
        }
    };
    let compiler = "node_modules/typescript/bin/tsc";
    for project in [".", "webview", "test"] {
        let checked = succeed(extension(root, &node).args([compiler, "--noEmit", "-p", project]));
        if checked.is_err() {
            return Ok(Verdict::Failed(format!("the type checker reports errors in {EXTENSION}/{project}")));
        }
    }
    let tests = extension(root, &node).args(["--test", "test/unit/*.test.ts"]).status()?;
    Ok(verdict(tests.success(), "tests of the extension's parts failed"))
}

/// Tests the package in the workbench, as a person sees it, and in the extension host.
pub(super) fn check_workbench(root: &Path) -> Result<Verdict> {
    let node = match prepare(root) {
        Ok(node) => node,
        Err(error) => {
            return Ok(Verdict::Unavailable(format!("the packages of npm cannot be installed: {error:#}")));
        }
    };
    let (code_server, chromium) = match install_workbench(root) {
        Ok(parts) => parts,
        Err(error) => return Ok(Verdict::Unavailable(format!("no VS Code to test in: {error:#}"))),
    };
    let server = checkout::build(root, Profile::Release)?;
    let target = if cfg!(target_arch = "aarch64") { "linux-arm64" } else { "linux-x64" };
    let Some(package) = pack(root, &node, target, &server)? else {
        return Ok(Verdict::Failed(NOT_PACKED.to_owned()));
    };
    let workbench = Workbench { node, code_server, chromium, package, server: Some(server) };
    workbench.run(root, &TESTS)
}

/// Tests the package for the web, whose server is a WebAssembly module, in the host of web extensions.
pub(super) fn check_web(root: &Path, options: Options<'_>) -> Result<Verdict> {
    let tools = wasm::install(root).and_then(|_| prepare(root)).and_then(|node| {
        let (code_server, chromium) = install_workbench(root)?;
        Ok((node, code_server, chromium))
    });
    let (node, code_server, chromium) = match tools {
        Ok(tools) => tools,
        Err(error) => return Ok(Verdict::Unavailable(format!("no VS Code to test in: {error:#}"))),
    };
    // The published module takes minutes to build. Before a merge, the package contains a quicker build.
    let purpose = if options.is_long { Purpose::Release } else { Purpose::Test };
    let module = wasm::build(root, Module::LanguageServer, purpose)?;
    let Some(package) = pack(root, &node, "web", &module)? else {
        return Ok(Verdict::Failed(NOT_PACKED.to_owned()));
    };
    Workbench { node, code_server, chromium, package, server: None }.run(root, &[WEB_TESTS])
}

/// Packs the extension with a server. `None` if that fails.
fn pack(root: &Path, node: &Path, target: &str, server: &Path) -> Result<Option<PathBuf>> {
    let folder = root.join("target/vscode");
    let mut packing = extension(root, node);
    packing.args(["scripts/package.mjs", "--target", target, "--server"]).arg(server);
    packing.arg("--out").arg(&folder);
    let name = format!("nodewise-{}-{target}.vsix", env!("CARGO_PKG_VERSION"));
    Ok(succeed(&mut packing).is_ok().then(|| folder.join(name)))
}

/// A VS Code with the packaged extension.
struct Workbench {
    node: PathBuf,
    code_server: PathBuf,
    chromium: PathBuf,
    package: PathBuf,
    /// The program in the package, if it has one.
    server: Option<PathBuf>,
}

impl Workbench {
    /// Runs the tests in some folders, one workbench at a time, because two would slow each other down.
    fn run(&self, root: &Path, folders: &[&str]) -> Result<Verdict> {
        let mut failed = Vec::new();
        for file in workbench_tests(root, folders)? {
            if let Some(failures) = self.failures(root, &file)? {
                failed.push(format!("{} failed:\n{failures}", file.display()));
            }
        }
        let reason = format!("{}{RESULTS} contains screenshots", failed.concat());
        Ok(verdict(failed.is_empty(), &reason))
    }

    /// What failed in a file of tests, one line for each test. `None` if all passed.
    fn failures(&self, root: &Path, file: &Path) -> Result<Option<String>> {
        let list = root.join("target/vscode/failures.txt");
        let mut tests = extension(root, &self.node);
        tests.env("NODEWISE_CODE_SERVER", self.code_server.join("out/node/entry.js"));
        tests.env("NODEWISE_CHROMIUM", self.chromium.join(CHROMIUM_PROGRAM));
        tests.env("FONTCONFIG_SYSROOT", &self.chromium).env("NODEWISE_VSIX", &self.package);
        tests.env("NODEWISE_RESULTS", root.join(RESULTS));
        tests.envs(self.server.iter().map(|server| ("NODEWISE_SERVER", server)));
        tests.args(["--test", "--test-reporter=spec", "--test-reporter-destination=stdout"]);
        tests.arg(format!("--test-reporter={FAILURES}"));
        tests.arg(format!("--test-reporter-destination={}", list.display()));
        match tests.arg(file).status()?.success() {
            true => Ok(None),
            false => Ok(Some(std::fs::read_to_string(list).unwrap_or_default())),
        }
    }
}

/// The test files in some folders, in the order of their names.
fn workbench_tests(root: &Path, folders: &[&str]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for folder in folders {
        for entry in std::fs::read_dir(root.join(EXTENSION).join(folder))? {
            let path = Path::new(folder).join(entry?.file_name());
            files.extend(path.to_string_lossy().ends_with(".test.ts").then_some(path));
        }
    }
    files.sort();
    ensure!(!files.is_empty(), "{EXTENSION} contains no tests for the workbench");
    Ok(files)
}

fn verdict(passed: bool, reason: &str) -> Verdict {
    if passed { Verdict::Passed } else { Verdict::Failed(reason.to_owned()) }
}

/// Installs the extension's packages, and returns the Node that runs its scripts and tests.
fn prepare(root: &Path) -> Result<PathBuf> {
    npm_locked(&root.join(EXTENSION))?;
    node(root)
}

fn install_workbench(root: &Path) -> Result<(PathBuf, PathBuf)> {
    let code_server = npm_application(&root.join(CODE_SERVER_FOLDER), CODE_SERVER, &CODE_SERVER_PARTS)?;
    Ok((code_server, install_chromium(root)?))
}

/// Installs Chromium, and returns its folder.
pub(super) fn install_chromium(root: &Path) -> Result<PathBuf> {
    let (package, suite) = CHROMIUM;
    debian_program(root, package, suite, CHROMIUM_FOLDER, CHROMIUM_PROGRAM)?;
    Ok(root.join(CHROMIUM_FOLDER))
}

fn extension(root: &Path, node: &Path) -> Command {
    // A relative path to the program would be wrong in the extension's folder.
    let node = if node.components().count() > 1 { root.join(node) } else { node.to_path_buf() };
    let mut command = Command::new(node);
    command.current_dir(root.join(EXTENSION));
    command
}
