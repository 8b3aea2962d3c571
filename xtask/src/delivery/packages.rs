//! The wheel, the npm packages and the mirror of the hooks, installed as users do.
//!
//! Input is the result of `cargo xtask package`. Output is that of the installed command. Invariant: the wheel and the
//! npm packages are installed without a network.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::folder::{Folder, check_shown};
use super::remote::Remote;
use super::{Case, FOLDER};
use crate::checkout::{self, Profile};
use crate::installs::succeed;
use crate::package::{self, Kind};

/// A project with one mistake, and the report of the command.
pub(super) const PROJECT: &str = "
#- nodewise.toml
# The folders below are one project.
#- agents/desk.yaml
kind: LLMNode
name: desk
prompts: {system: {en: You sell.}}
tools: [serch]
#- tools/search.yaml
kind: ToolNode
name: search
description: {en: \"Finds\"}
func: shop.search
";
const REPORT: &str = "
agents/desk.yaml:4:9: error[unknown-tool] no tool is named `serch`
1 error in 2 files (2 declarations)
exit 1
";
/// Lists the metadata of an installed wheel without its long description, and its files. Some releases of `pip show`
/// leave out fields.
const ABOUT: &str = "
from importlib.metadata import distribution
installed = distribution('nodewise')
fields = [f'{field}: {value}' for field, value in installed.metadata.items() if field != 'Description']
print(*fields, *installed.files, sep='\\n')
";
/// Starts the language server from Node, ends it with a signal, and prints the result.
const SIGNAL: &str = "
const { spawn } = require('node:child_process');
const child = spawn('node_modules/.bin/nodewise', ['lsp'], { stdio: ['pipe', 'ignore', 'inherit'] });
child.on('exit', (code, signal) => console.log(`ended with ${code ?? signal}`));
setTimeout(() => child.kill('SIGTERM'), 1000);
";

/// The finished packages.
pub(super) struct Packages {
    root: PathBuf,
    programs: PathBuf,
    pub(super) version: String,
    wheel: PathBuf,
    /// npm's general package, and the one with the binary.
    general: PathBuf,
    binary: PathBuf,
}

pub(super) const CASES: &[Case<Packages>] = &[
    ("the wheel installs into an empty environment, and contains only the command", wheel),
    ("the npm packages install into an empty folder, and contain the command", npm),
    ("if npm has left out the binary, the command says what to do", npm_without_binary),
    ("the npm command passes signals on", npm_signal),
    ("pre-commit installs the hooks of the mirror as a wheel", mirror),
];

impl Packages {
    /// Packs the checkout.
    pub(super) fn pack(root: &Path, programs: &Path, profile: Profile) -> Result<Packages> {
        let wheel =
            package::pack(root, Kind::Wheel, profile)?.pop().context("maturin has written no wheel")?;
        let tarballs = package::pack(root, Kind::Npm, profile)?;
        let is_binary = |path: &&PathBuf| path.to_string_lossy().contains("-cli-");
        let binary = tarballs.iter().find(is_binary).context("npm has packed no binary")?.clone();
        let general = tarballs.iter().find(|path| !is_binary(path)).context("npm has packed no command")?;
        Ok(Packages {
            root: root.to_owned(),
            programs: programs.to_owned(),
            version: package::version(root)?,
            wheel,
            general: general.clone(),
            binary,
        })
    }

    /// The folder with the wheel.
    pub(super) fn wheels(&self) -> &Path {
        self.wheel.parent().unwrap_or(&self.wheel)
    }

    /// The folder with npm's tarballs.
    pub(super) fn tarballs(&self) -> &Path {
        self.general.parent().unwrap_or(&self.general)
    }

    fn folder(&self, name: &str, environment: Vec<(&'static str, OsString)>) -> Result<Folder> {
        let folder = Folder::new(self.root.join(FOLDER).join("cases").join(name), environment)?;
        folder.write(PROJECT)?;
        Ok(folder)
    }

    /// A folder with the npm packages installed, without what the options leave out.
    fn npm_folder(&self, name: &str, options: &[&str]) -> Result<Folder> {
        // Warnings about the settings of the machine are not part of the output.
        let folder = self.folder(name, vec![("npm_config_loglevel", "error".into())])?;
        folder.write_file("package.json", "{\"private\": true}\n")?;
        let (general, binary) = (self.general.to_string_lossy(), self.binary.to_string_lossy());
        let mut arguments = vec!["install", "--offline", "--no-audit", "--no-fund", "--silent"];
        arguments.extend(options);
        arguments.push(&general);
        if options.is_empty() {
            arguments.push(&binary);
        }
        let installed = folder.show("npm", &arguments)?;
        ensure!(installed == "exit 0\n", "npm does not install the tarballs:\n{installed}");
        Ok(folder)
    }
}

fn wheel(packages: &Packages) -> Result<()> {
    let folder = packages.folder("wheel", Vec::new())?;
    succeed(&mut folder.command("python3", &["-m", "venv", "environment"]))?;
    let python = folder.path.join("environment/bin/python");
    let wheel = packages.wheel.to_string_lossy();
    succeed(&mut folder.command(&python, &["-m", "pip", "install", "--quiet", "--no-index", &wheel]))?;
    let program = folder.path.join("environment/bin/nodewise");
    let version = &packages.version;
    check_shown(&folder.show(&program, &["--version"])?, &format!("nodewise {version}\nexit 0\n"))?;
    check_shown(&folder.show(&program, &["check", "--format", "concise", "agents", "tools"])?, REPORT)?;
    for command in ["mcp", "run", "man"] {
        let help = folder.show(&program, &[command, "--help"])?;
        ensure!(help.ends_with("exit 0\n"), "the wheel lacks `nodewise {command}`:\n{help}");
    }
    let about = folder.show(&python, &["-c", ABOUT])?;
    for line in ["License-Expression: MIT OR Apache-2.0\n", "Description-Content-Type: text/markdown"] {
        ensure!(about.contains(line), "no line `{}` in:\n{about}", line.trim_end());
    }
    ensure!(!about.contains("Requires-Dist"), "the wheel requires other packages:\n{about}");
    ensure!(!about.contains(".py\n"), "the wheel contains Python code:\n{about}");
    Ok(())
}

fn npm(packages: &Packages) -> Result<()> {
    let folder = packages.npm_folder("npm", &[])?;
    let version = &packages.version;
    let npx = |arguments: &[&str]| folder.show("npx", &[&["--no", "--", "nodewise"], arguments].concat());
    check_shown(&npx(&["--version"])?, &format!("nodewise {version}\nexit 0\n"))?;
    check_shown(&npx(&["check", "--format", "concise", "agents", "tools"])?, REPORT)?;
    ensure!(npx(&["check", "nowhere"])?.ends_with("exit 2\n"), "the exit code is lost");
    Ok(())
}

fn npm_without_binary(packages: &Packages) -> Result<()> {
    let folder = packages.npm_folder("npm-without-binary", &["--omit=optional"])?;
    let shown = folder.show("node_modules/.bin/nodewise", &["--version"])?;
    ensure!(shown.starts_with("error: @nodewise/cli-") && shown.ends_with("exit 2\n"), "{shown}");
    let binary = checkout::build(&packages.root, Profile::Release)?;
    let mut command = folder.command("node_modules/.bin/nodewise", &["--version"]);
    let output = command.env("NODEWISE_BINARY", binary).output()?;
    ensure!(output.status.success(), "NODEWISE_BINARY is not started");
    Ok(())
}

/// A language server ends properly after a signal: the signal reaches it, and no process remains.
fn npm_signal(packages: &Packages) -> Result<()> {
    let folder = packages.npm_folder("npm-signal", &[])?;
    check_shown(&folder.show("node", &["--eval", SIGNAL])?, "ended with 143\nexit 0\n")
}

fn mirror(packages: &Packages) -> Result<()> {
    let files = package::pack(&packages.root, Kind::Mirror, Profile::Release)?;
    let remote = Folder::new(packages.root.join(FOLDER).join("mirror"), Vec::new())?;
    for file in &files {
        let name = file.file_name().context("a file has a name")?.to_string_lossy();
        remote.write_file(&name, std::fs::read(file)?)?;
    }
    let remote = Remote::of(remote, &packages.root)?;
    let home = Folder::new(packages.root.join(FOLDER).join("mirror-home"), Vec::new())?;
    let environment =
        vec![("PRE_COMMIT_HOME", home.path.into()), ("PIP_FIND_LINKS", packages.wheels().into())];
    let folder = packages.folder("mirror", environment)?;
    let hooks = "[{id: nodewise-check, args: [--format, concise]}, {id: nodewise-fmt}]";
    let config = format!("repos:\n- {{repo: {}, rev: {}, hooks: {hooks}}}\n", remote.url(), remote.tag);
    folder.write_file(".pre-commit-config.yaml", config)?;
    folder.commit("Begin")?;
    let found =
        folder.show(packages.programs.join("pre-commit"), &["run", "--all-files", "--color", "never"])?;
    let (installation, result) = found.split_at(found.find("nodewise check").unwrap_or(0));
    let expected = "
nodewise check...Failed
- hook id: nodewise-check
- exit code: 1
agents/desk.yaml:4:9: error[unknown-tool] no tool is named `serch`
1 error in 2 files (2 declarations), 1 other file skipped
nodewise fmt...Passed
exit 1
";
    check_shown(result, expected).with_context(|| format!("after the installation:\n{installation}"))
}
