//! Our plugins and configurations in real editors, with the server of the release build.
//!
//! Input is the checkout. Output is a verdict. Invariant: the last line of the tests decides, never only an exit code.
//! Every test that needs the server must fail without it.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::Verdict;
use crate::checkout::{self, Profile};
use crate::{editor_parsers, installs};

const SERVER: &str = "target/release/nodewise";
const NEOVIM_TESTS: &str = "editors/nvim/test/run.lua";
const HELIX_TESTS: &str = "editors/helix/test.py";
const EMACS_FOLDER: &str = "editors/emacs";
const EMACS_TESTS: &str = "editors/emacs/test.el";
/// The parser of YAML in the packages from npm, because Neovim does not include one.
const YAML_PARSER: &str = "node_modules/@tree-sitter-grammars/tree-sitter-yaml";
/// Tells the tests that the server is absent, so each of them has to fail.
const CONTROL: &str = "NODEWISE_CONTROL";
/// The maximum time for all tests of an editor, in seconds.
const LIMIT: &str = "900";

/// An editor: a program of a Debian package, with packages that its tests need, in a separate folder, and the command for its tests.
struct Editor {
    package: &'static str,
    suite: &'static str,
    folder: &'static str,
    program: &'static str,
    /// Whether the tests read a screen.
    has_screen: bool,
    tests: fn(&Path, &Editor, &Path) -> Result<Command>,
}

const NEWEST_NEOVIM: Editor = Editor {
    package: "neovim",
    suite: "sid",
    folder: "target/tools/nvim-sid",
    program: "usr/bin/nvim",
    has_screen: true,
    tests: neovim_tests,
};
/// The oldest Neovim that the plugin supports. Its Debian suite no longer changes.
const OLDEST_NEOVIM: Editor = Editor { suite: "trixie", folder: "target/tools/nvim-trixie", ..NEWEST_NEOVIM };
const HELIX: Editor = Editor {
    package: "hx",
    suite: "sid",
    folder: "target/tools/helix",
    program: "usr/lib/hx/hx",
    has_screen: true,
    tests: helix_tests,
};
const EMACS: Editor = Editor {
    package: "emacs-nox elpa-dape",
    suite: "trixie",
    folder: "target/tools/emacs",
    program: "usr/bin/emacs-nox",
    has_screen: false,
    tests: emacs_tests,
};

/// The plugin in the newest Neovim.
pub(super) fn newest_neovim(root: &Path) -> Result<Verdict> {
    passes(root, &NEWEST_NEOVIM)
}

/// The plugin in the oldest Neovim that it supports.
pub(super) fn oldest_neovim(root: &Path) -> Result<Verdict> {
    passes(root, &OLDEST_NEOVIM)
}

/// The configuration in Helix.
pub(super) fn helix(root: &Path) -> Result<Verdict> {
    passes(root, &HELIX)
}

/// The configuration in Emacs.
pub(super) fn emacs(root: &Path) -> Result<Verdict> {
    passes(root, &EMACS)
}

/// Runs the tests of all editors without the server. Each of them has to fail, because it checks results of the server.
pub(super) fn controls(root: &Path) -> Result<Verdict> {
    for editor in [NEWEST_NEOVIM, OLDEST_NEOVIM, HELIX, EMACS] {
        let mut tests = match command(root, &editor) {
            Ok(tests) => tests,
            Err(error) => return Ok(Verdict::Unavailable(format!("{error:#}"))),
        };
        let result = last_line(tests.env(CONTROL, "1"))?;
        if !result.ends_with(" failed without a server, 0 passed") || result.starts_with("0 ") {
            let (package, suite) = (editor.package, editor.suite);
            return Ok(Verdict::Failed(format!(
                "without a server the tests in {package} of {suite} end with `{result}`, not with `… failed without a \
                 server, 0 passed`"
            )));
        }
    }
    Ok(Verdict::Passed)
}

/// Runs the tests of an editor.
fn passes(root: &Path, editor: &Editor) -> Result<Verdict> {
    let mut tests = match command(root, editor) {
        Ok(tests) => tests,
        Err(error) => return Ok(Verdict::Unavailable(format!("{error:#}"))),
    };
    checkout::build(root, Profile::Release)?;
    let result = last_line(&mut tests)?;
    Ok(match result.ends_with(" passed, 0 failed") && !result.starts_with("0 ") {
        true => Verdict::Passed,
        false => Verdict::Failed(format!("the tests end with `{result}`, not with `… passed, 0 failed`")),
    })
}

/// The command that runs the tests of an editor, after its installation. An error if the editor is not available.
fn command(root: &Path, editor: &Editor) -> Result<Command> {
    if editor.has_screen {
        let tmux = Command::new("tmux").arg("-V").output();
        ensure!(
            tmux.is_ok_and(|output| output.status.success()),
            "tests of the screen need tmux, which is not installed"
        );
    }
    let Editor { package, suite, folder, program, .. } = editor;
    let program = installs::debian_program(root, package, suite, folder, program)?;
    let mut command = (editor.tests)(root, editor, &program)?;
    command.current_dir(root);
    Ok(command)
}

fn neovim_tests(root: &Path, editor: &Editor, program: &Path) -> Result<Command> {
    let packages = editor_parsers::packages(root).context("the packages cannot be installed")?;
    let folder = root.join(editor.folder);
    let mut command = limited(program);
    command.args(["--clean", "-n", "-l", NEOVIM_TESTS]);
    command.env("VIMRUNTIME", folder.join("usr/share/nvim/runtime"));
    command.env("NVIM_PARSERS", folder.join("usr/lib/nvim"));
    command.env("NODEWISE_SERVER", root.join(SERVER));
    command.env("NODEWISE_YAML_PARSER", packages.join(YAML_PARSER));
    Ok(command)
}

fn helix_tests(root: &Path, editor: &Editor, program: &Path) -> Result<Command> {
    let mut command = limited("python3");
    command.arg(HELIX_TESTS).arg(program).arg(root.join(editor.folder).join("usr/lib/hx/runtime"));
    command.arg(root.join(SERVER));
    Ok(command)
}

fn emacs_tests(root: &Path, editor: &Editor, program: &Path) -> Result<Command> {
    let folder = root.join(editor.folder);
    let dump = only_file(&folder.join("usr/libexec/emacs"), "pdmp")?;
    // Next to the folder of a version, there are folders of packages.
    let versions = files_below(&folder.join("usr/share/emacs"), 3)?;
    let lisp = versions
        .iter()
        .find(|path| path.ends_with("lisp/subr.elc"))
        .and_then(|path| path.parent())
        .context("the package contains no Lisp files")?;
    let sources = files_below(&folder.join("usr/share/emacs/site-lisp/elpa-src"), 1)?;
    let dape = sources.iter().find(|path| path.ends_with("dape.el")).and_then(|path| path.parent());
    let mut command = limited(program);
    command.arg("--dump-file").arg(dump).args(["--batch", "-Q", "-L", EMACS_FOLDER, "-L"]);
    command.arg(dape.context("the packages contain no dape")?).args(["-l", EMACS_TESTS]);
    command.arg("--").arg(root.join(SERVER));
    command.env("EMACSLOADPATH", format!("{}:", lisp.display()));
    command.env("EMACSDATA", lisp.with_file_name("etc"));
    Ok(command)
}

fn limited(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new("timeout");
    command.arg(LIMIT).arg(program);
    command
}

/// The only file below a folder with an extension.
fn only_file(folder: &Path, extension: &str) -> Result<PathBuf> {
    let found = files_below(folder, 3)?;
    let mut found = found.into_iter().filter(|path| path.extension().is_some_and(|known| known == extension));
    found.next().with_context(|| format!("{} holds no .{extension} file", folder.display()))
}

/// The files below a folder, up to a depth, in the order of their paths.
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

/// Runs a command, prints its output, and returns its last line.
fn last_line(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot start {:?}", command.get_program()))?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    for line in stdout.lines() {
        println!("    {line}");
    }
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
    Ok(stdout.lines().last().unwrap_or_default().to_owned())
}
