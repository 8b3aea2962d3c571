//! `cargo xtask bench [server|engine|format|live|debugger|modules]`: measures nodewise, a comparable tool and a parser on the same files.
//!
//! Input is the number of files. Output is a Markdown table of the best of several runs. Invariant: everything that is
//! compared runs in turns in one process, on the same files.

mod client;
mod debugger;
mod engine;
mod format;
mod live;
mod measure;
mod modules;
mod server;
mod workspace;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use measure::{Measured, best_of};
use workspace::Kind;
use xtask::checkout::{Profile, build, cargo};

const RUNS: usize = 7;
const FILES: usize = 10_000;
/// The comparable tool: a YAML linter in Rust, which checks only syntax and layout.
const PEER: &str = "ryl";
/// The tool's smallest preset. Without one, it checks nothing.
const PEER_RULES: &str = "extends: relaxed";

/// Measures the language server and prints the result.
pub(crate) fn run_server(root: &Path) -> Result<()> {
    server::run(root)
}

/// Measures the debug adapter, and prints the result.
pub(crate) fn run_debugger(root: &Path) -> Result<()> {
    debugger::run(root)
}

/// Measures how fast graphs run, and prints the result.
pub(crate) fn run_engine(root: &Path) -> Result<()> {
    engine::run(root)
}

/// Measures how fast many files are formatted, and prints the result.
pub(crate) fn run_format(root: &Path) -> Result<()> {
    format::run(root)
}

/// Measures what a step of a live run costs, and prints the result.
pub(crate) fn run_live(root: &Path) -> Result<()> {
    live::run(root)
}

/// Measures modules among many programs, and prints the result. `nodewise` is built if it is not given.
pub(crate) fn run_modules(root: &Path, nodewise: Option<&Path>) -> Result<()> {
    modules::run(root, nodewise)
}

/// Measures `check` and prints the result.
pub(crate) fn run(root: &Path) -> Result<()> {
    let folder = root.join("target/bench");
    let nodewise = build(root, Profile::Dist)?;
    let project = folder.join(format!("liman-{FILES}"));
    let bytes = workspace::write(&project, Kind::Liman, FILES)?;
    let mixed = folder.join(format!("mixed-{FILES}"));
    let mixed_bytes = workspace::write(&mixed, Kind::Mixed, FILES)?;
    let single = folder.join("single/flows.yaml");
    workspace::write_single(&single)?;
    let peer = install_peer(&folder)?;

    let check: [&str; 4] = ["check", "--format", "concise", "--no-progress"];
    let [ours, theirs, ours_mixed, theirs_mixed] = best_of(
        RUNS,
        [
            (&nodewise, [&check[..], &[path(&project)?]].concat()),
            (&peer, vec!["check", "--no-cache", "-d", PEER_RULES, path(&project)?]),
            (&nodewise, [&check[..], &[path(&mixed)?]].concat()),
            (&peer, vec!["check", "--no-cache", "-d", PEER_RULES, path(&mixed)?]),
        ],
    )?;
    let [file] = best_of(RUNS, [(&nodewise, [&check[..], &[path(&single)?]].concat())])?;

    println!("| what | wall | peak memory |\n|---|---|---|");
    row(&format!("`nodewise check`, {FILES} files, {:.1} MB", megabytes(bytes)), ours);
    row(&format!("`{PEER} check --no-cache`, the same files"), theirs);
    row(
        &format!("`nodewise check`, {FILES} files of three systems, {:.1} MB", megabytes(mixed_bytes)),
        ours_mixed,
    );
    row(&format!("`{PEER} check --no-cache`, the same files"), theirs_mixed);
    row("`nodewise check`, one file of 100 lines", file);
    println!();
    let speed =
        ["run", "--release", "--quiet", "--package", "nodewise-syntax", "--example", "parse_speed", "--"];
    status(cargo(root).args(speed).arg(&project).arg("3"))
}

fn row(what: &str, measured: Measured) {
    println!("| {what} | {:.0} ms | {:.0} MB |", measured.wall_ms, megabytes(measured.peak_bytes));
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

fn path(path: &Path) -> Result<&str> {
    path.to_str().context("the checkout's path is not UTF-8")
}

/// Installs the tool from PyPI in a separate Python environment.
fn install_peer(folder: &Path) -> Result<PathBuf> {
    let environment = folder.join("python");
    let program = environment.join("bin").join(PEER);
    if !program.exists() {
        status(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
        status(Command::new(environment.join("bin/pip")).args(["install", "--quiet", PEER]))?;
    }
    Ok(program)
}

fn status(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {:?}", command.get_program()))?;
    if !status.success() {
        bail!("{:?} ended with {status}", command.get_program());
    }
    Ok(())
}
