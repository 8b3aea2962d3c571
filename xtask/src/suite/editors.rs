//! Our plugins and configurations in real editors, with the server that the release build made.
//!
//! Input is the checkout; output is a verdict. Invariant: what counts is the last line that the tests print, never an exit
//! code alone, and every test that needs the server has to fail where the server is absent.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::{Options, Verdict};
use crate::checkout::{self, Profile};
use crate::{grammars, installs};

const SERVER: &str = "target/release/nodewise";
const NEOVIM_TESTS: &str = "editors/nvim/test/run.lua";
const HELIX_TESTS: &str = "editors/helix/test.py";
const EMACS_FOLDER: &str = "editors/emacs";
const EMACS_TESTS: &str = "editors/emacs/test.el";
/// The parser of YAML among the packages from npm, which Neovim does not bring.
const YAML_PARSER: &str = "node_modules/@tree-sitter-grammars/tree-sitter-yaml";
/// Says that the server is absent, and that each test has to fail.
const CONTROL: &str = "NODEWISE_CONTROL";
/// No run of all tests of an editor takes longer than this many seconds.
const LIMIT: &str = "900";

/// A program of a Debian package, unpacked into a folder of its own.
struct Package {
    name: &'static str,
    suite: &'static str,
    folder: &'static str,
    program: &'static str,
}

const NEWEST_NEOVIM: Package =
    Package { name: "neovim", suite: "sid", folder: "target/tools/nvim-sid", program: "usr/bin/nvim" };
/// The oldest that the plugin supports; its suite is frozen.
const OLDEST_NEOVIM: Package =
    Package { name: "neovim", suite: "trixie", folder: "target/tools/nvim-trixie", program: "usr/bin/nvim" };

const HELIX: Package =
    Package { name: "hx", suite: "sid", folder: "target/tools/helix", program: "usr/lib/hx/hx" };
const EMACS: Package = Package {
    name: "emacs-nox",
    suite: "trixie",
    folder: "target/tools/emacs",
    program: "usr/bin/emacs-nox",
};

/// The plugin in the newest Neovim.
pub(super) fn newest_neovim(root: &Path) -> Result<Verdict> {
    neovim(root, &NEWEST_NEOVIM)
}

/// The plugin in the oldest Neovim that it supports.
pub(super) fn oldest_neovim(root: &Path) -> Result<Verdict> {
    neovim(root, &OLDEST_NEOVIM)
}

/// The configuration in Helix.
pub(super) fn helix(root: &Path) -> Result<Verdict> {
    with_screens(root, &HELIX, |program| {
        let mut command = limited("python3");
        command.arg(HELIX_TESTS).arg(program).arg(root.join(HELIX.folder).join("usr/lib/hx/runtime"));
        command.arg(root.join(SERVER));
        Ok(command)
    })
}

/// The configuration in Emacs.
pub(super) fn emacs(root: &Path) -> Result<Verdict> {
    with_program(root, &EMACS, |program| {
        let folder = root.join(EMACS.folder);
        let dump = only_file(&folder.join("usr/libexec/emacs"), "pdmp")?;
        // Beside the folder of a version stand those of packages.
        let versions = files_below(&folder.join("usr/share/emacs"), 3)?;
        let lisp = versions
            .iter()
            .find(|path| path.ends_with("lisp/subr.elc"))
            .and_then(|path| path.parent())
            .context("the package holds no Lisp")?;
        let mut command = limited(program);
        command.arg("--dump-file").arg(dump).args(["--batch", "-Q", "-L", EMACS_FOLDER, "-l", EMACS_TESTS]);
        command.arg("--").arg(root.join(SERVER));
        command.env("EMACSLOADPATH", format!("{}:", lisp.display()));
        command.env("EMACSDATA", lisp.with_file_name("etc"));
        Ok(command)
    })
}

fn neovim(root: &Path, package: &Package) -> Result<Verdict> {
    let packages = match grammars::packages(root) {
        Ok(packages) => packages,
        Err(error) => {
            return Ok(Verdict::Unavailable(format!("the packages cannot be installed: {error:#}")));
        }
    };
    with_screens(root, package, |program| {
        let folder = root.join(package.folder);
        let mut command = limited(program);
        command.args(["--clean", "-n", "-l", NEOVIM_TESTS]);
        command.env("VIMRUNTIME", folder.join("usr/share/nvim/runtime"));
        command.env("NVIM_PARSERS", folder.join("usr/lib/nvim"));
        command.env("NODEWISE_SERVER", root.join(SERVER));
        command.env("NODEWISE_YAML_PARSER", packages.join(YAML_PARSER));
        Ok(command)
    })
}

/// Tests that look at a screen.
fn with_screens(root: &Path, package: &Package, tests: impl Fn(&Path) -> Result<Command>) -> Result<Verdict> {
    if !Command::new("tmux").arg("-V").output().is_ok_and(|output| output.status.success()) {
        return Ok(Verdict::Unavailable(
            "what people see is tested through tmux, which is not installed".to_owned(),
        ));
    }
    with_program(root, package, tests)
}

/// Installs a program, and runs its tests, with a server and without.
fn with_program(root: &Path, package: &Package, tests: impl Fn(&Path) -> Result<Command>) -> Result<Verdict> {
    let Package { name, suite, folder, program } = package;
    let program = match installs::debian_program(root, name, suite, folder, program) {
        Ok(program) => program,
        Err(error) => return Ok(Verdict::Unavailable(format!("{error:#}"))),
    };
    checkout::build(root, Profile::Release)?;
    judge(tests(&program)?.current_dir(root), tests(&program)?.current_dir(root).env(CONTROL, "1"), options)
}

fn limited(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new("timeout");
    command.arg(LIMIT).arg(program);
    command
}

/// The one file below a folder with an extension.
fn only_file(folder: &Path, extension: &str) -> Result<PathBuf> {
    let found = files_below(folder, 3)?;
    let mut found = found.into_iter().filter(|path| path.extension().is_some_and(|known| known == extension));
    found.next().with_context(|| format!("{} holds no .{extension} file", folder.display()))
}

/// The files below a folder, down to a depth, in the order of their paths.
fn files_below(folder: &Path, depth: usize) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        match path.is_dir() {
            true if depth > 0 => files.extend(files_below(&path, depth - 1)?),
            true => {}
            false => files.push(path),
        }
    }
    files.sort();
    Ok(files)
}

/// Runs tests, and once more without a server.
fn judge(tests: &mut Command, control: &mut Command) -> Result<Verdict> {
    let mut said = String::new();
    let passed = once_or_twice("the tests in the editor", || {
        said = last_line(tests)?;
        Ok(said.ends_with(" passed, 0 failed") && !said.starts_with("0 "))
    })?;
    if !passed {
        return Ok(Verdict::Failed(format!("the tests end with `{said}`, not with `… passed, 0 failed`")));
    }
    let said = last_line(control)?;
    if !said.ends_with(" failed without a server, 0 passed") || said.starts_with("0 ") {
        return Ok(Verdict::Failed(format!(
            "without a server the tests end with `{said}`, not with `… failed without a server, 0 passed`"
        )));
    }
    Ok(Verdict::Passed)
}

/// Runs a command, shows what it says, and gives back its last line.
fn last_line(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot start {:?}", command.get_program()))?;
    let said = String::from_utf8_lossy(&output.stdout);
    for line in said.lines() {
        println!("    {line}");
    }
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
    Ok(said.lines().last().unwrap_or_default().to_owned())
}
