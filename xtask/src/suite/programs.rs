//! The tests, and the external programs that some of them need: validators, shells, servers of tools.
//!
//! Input is the checkout. Output is the result of the tests. Invariant: every test runs once. A test without its
//! program reports that it was skipped.

use std::ffi::OsString;
use std::path::Path;

use anyhow::Result;

use super::{Options, Verdict, failures, test_command};
use crate::installs::{debian_program, node, npm_packages, python_packages};

const TESTS: &[&str] = &["test", "--workspace", "--no-fail-fast"];

/// An environment variable for tests: the place of a program, or the size of a test.
type Variable = (&'static str, OsString);
/// Installs programs. An error if they are not available.
type Install = fn(&Path) -> Result<Vec<Variable>>;

/// The programs, and what they are called.
const PROGRAMS: [(&str, Install); 3] = [
    ("validators", validators),
    ("shells and readers of manual pages", shells),
    ("servers of tools", servers),
];

const VALIDATORS: (&str, &str) = ("tests/schemas", "target/validators");
/// This file is not executable after the installation, because the packages' own scripts are not run.
const EXECUTABLE: &str = "node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool";
const SHELLS: &str = "target/shells";
/// The shells and mandoc: the Debian suite, and the program that needs the libraries of its package. bash exists on
/// every machine that runs these tests.
const SHELL_PACKAGES: [(&str, &str, &str); 4] = [
    ("zsh", "trixie", "usr/bin/zsh"),
    ("fish", "trixie", "usr/bin/fish"),
    ("elvish", "bookworm", "-"),
    ("mandoc", "trixie", "usr/bin/mandoc"),
];
const SERVERS: (&str, &str) = ("crates/live/tests/suite/tools/package.json", "target/mcp");

/// Runs all tests of the workspace.
pub(super) fn test(root: &Path, options: Options<'_>) -> Result<Verdict> {
    let mut tests = test_command(root, options);
    let mut missing = None;
    if options.is_all {
        let sizes = options.sizes();
        tests.env("NODEWISE_SOAK_EDITS", sizes.soak_edits).env("NODEWISE_CRASHES", sizes.crashes);
        for (name, install) in PROGRAMS {
            match install(root) {
                Ok(variables) => drop(tests.envs(variables)),
                Err(error) => missing = Some(format!("{name} cannot be installed: {error:#}")),
            }
        }
    }
    Ok(match (failures::test(&mut tests, &options.with_features(TESTS))?, missing) {
        (Verdict::Passed, Some(reason)) => Verdict::Unavailable(reason),
        (verdict, _) => verdict,
    })
}

/// The validators for schemas and reports.
fn validators(root: &Path) -> Result<Vec<Variable>> {
    let (lists, folder) = VALIDATORS;
    let folder = root.join(folder);
    let list = |name: &str| std::fs::read_to_string(root.join(lists).join(name));
    npm_packages(&folder, &list("package.json")?)?;
    python_packages(&folder.join("python"), &list("requirements.txt")?)?;
    make_executable(&folder.join(EXECUTABLE))?;
    Ok(vec![("NODEWISE_VALIDATORS", folder.into()), ("NODEWISE_NODE", node(root)?.into())])
}

/// The readers of completions and manual pages, from Debian's packages.
fn shells(root: &Path) -> Result<Vec<Variable>> {
    for (program, release, patched) in SHELL_PACKAGES {
        debian_program(root, program, release, &format!("{SHELLS}/{program}"), patched)?;
    }
    Ok(vec![("NODEWISE_SHELLS", root.join(SHELLS).into())])
}

/// The reference server of the Model Context Protocol.
fn servers(root: &Path) -> Result<Vec<Variable>> {
    let (list, folder) = SERVERS;
    let folder = root.join(folder);
    npm_packages(&folder, &std::fs::read_to_string(root.join(list))?)?;
    Ok(vec![("NODEWISE_MCP_SERVERS", folder.into())])
}

#[cfg(unix)]
fn make_executable(program: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    Ok(std::fs::set_permissions(program, std::fs::Permissions::from_mode(0o755))?)
}

#[cfg(not(unix))]
fn make_executable(_program: &Path) -> Result<()> {
    Ok(())
}
