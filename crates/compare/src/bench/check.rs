//! `cargo xtask bench check`: measures `check` of projects of several sizes, and a YAML linter on the same files.
//!
//! Input is the commands to compare. Output is a Markdown table. Invariant: a check that keeps its result has a folder for it that
//! no other command uses.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};

use super::measure::{Task, print_best_of, print_head};
use super::workspace::{self, Kind};
use super::{Build, FILES, RUNS, megabytes, path, status};
use xtask::checkout::cargo;

/// The numbers of files, and how often each command checks them.
const SIZES: [(usize, usize); 3] = [(1_000, RUNS), (FILES, RUNS), (100_000, 3)];
/// The number of declarations in files of about 100, 5,000 and 50,000 lines.
const FLOWS: [(&str, usize); 3] = [("100", 2), ("5,000", 93), ("50,000", 926)];
/// The comparable tool: a YAML linter in Rust, which checks only syntax and layout.
const PEER: &str = "ryl";
/// The tool's smallest preset. Without one, it checks nothing.
const PEER_RULES: &str = "extends: relaxed";
/// A file that changes between checks.
const CHANGING: &str = "kind: ToolNode\nname: changing\nfunc: tools.changing\n";
const CHECK: [&str; 4] = ["check", "--format", "concise", "--no-progress"];

/// Measures and prints the result.
pub(super) fn run(root: &Path, builds: &[Build]) -> Result<()> {
    let folder = root.join("target/bench");
    let peer = install_peer(&folder)?;
    print_head("files");
    for (files, runs) in SIZES {
        let project = folder.join(format!("liman-{files}"));
        let bytes = workspace::write(&project, Kind::Liman, files)?;
        let what = format!("Liman, {:.1} MB", megabytes(bytes));
        let mut tasks = uncached(&what, files, &project, builds, &peer)?;
        tasks.extend(kept(&what, files, &project, builds)?);
        print_best_of(runs, &tasks)?;
    }
    let mixed = folder.join(format!("mixed-{FILES}"));
    let bytes = workspace::write(&mixed, Kind::Mixed, FILES)?;
    let what = format!("three systems, {:.1} MB", megabytes(bytes));
    print_best_of(RUNS, &uncached(&what, FILES, &mixed, builds, &peer)?)?;
    for (lines, flows) in FLOWS {
        let single = folder.join(format!("single-{flows}/flows.yaml"));
        workspace::write_flows(&single, flows)?;
        print_best_of(RUNS, &uncached(&format!("a file of {lines} lines"), 1, &single, builds, &peer)?)?;
    }
    Ok(())
}

/// Checks that read every file, by nodewise and by the comparable tool.
pub(super) fn uncached(
    what: &str,
    files: usize,
    project: &Path,
    builds: &[Build],
    peer: &Path,
) -> Result<Vec<Task>> {
    let mut tasks = Vec::new();
    for Build { name, program } in builds {
        let arguments = [&CHECK[..], &["--no-cache", path(project)?]].concat();
        tasks.push(Task::new(&format!("{what}: {name} `check --no-cache`"), files, program, &arguments));
    }
    let arguments = ["check", "--no-cache", "-d", PEER_RULES, path(project)?];
    tasks.push(Task::new(&format!("{what}: `{PEER} check --no-cache`"), files, peer, &arguments));
    Ok(tasks)
}

/// The first check, which keeps its result, the second one, which prints it again, and one after a file has changed.
fn kept(what: &str, files: usize, project: &Path, builds: &[Build]) -> Result<Vec<Task>> {
    let mut tasks = Vec::new();
    for (number, Build { name, program }) in builds.iter().enumerate() {
        let results = project.with_extension(format!("results-{number}"));
        let arguments = [&CHECK[..], &[path(project)?]].concat();
        let task = |when: &str| {
            let task = Task::new(&format!("{what}: {name} `check`, {when}"), files, program, &arguments);
            task.with_environment("NODEWISE_CACHE_DIR", &results)
        };
        let (to_delete, to_find) = (results.clone(), results.clone());
        tasks.push(task("first time").after(move || delete(&to_delete)));
        tasks.push(task("second time").after(move || {
            ensure!(to_find.exists(), "the first check kept no result in {}", to_find.display());
            Ok(())
        }));
        let changing = project.to_owned();
        tasks.push(task("one file changed").after(move || change_one(&changing)));
    }
    Ok(tasks)
}

/// Adds a line to a file of a project that is not one of the generated files. It is new at first.
fn change_one(project: &Path) -> Result<()> {
    let file = project.join("changing.yaml");
    let text = std::fs::read_to_string(&file).unwrap_or_else(|_| CHANGING.to_owned());
    Ok(std::fs::write(file, text + "# Changed\n")?)
}

fn delete(folder: &Path) -> Result<()> {
    if folder.exists() {
        std::fs::remove_dir_all(folder)?;
    }
    Ok(())
}

/// Measures the parser and one of another project on the same files.
pub(super) fn run_parser(root: &Path) -> Result<()> {
    let project = root.join("target/bench").join(format!("liman-{FILES}"));
    workspace::write(&project, Kind::Liman, FILES)?;
    let speed =
        ["run", "--release", "--quiet", "--package", "nodewise-syntax", "--example", "parse_speed", "--"];
    status(cargo(root).args(speed).arg(project).arg("3"))
}

/// Installs the tool from PyPI in a separate Python environment.
pub(super) fn install_peer(folder: &Path) -> Result<PathBuf> {
    let environment = folder.join("python");
    let program = environment.join("bin").join(PEER);
    if !program.exists() {
        status(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
        status(Command::new(environment.join("bin/pip")).args(["install", "--quiet", PEER]))?;
    }
    Ok(program)
}
