//! The debug build and the release build do the same, byte by byte.
//!
//! Input is the checkout, with both builds made; output is the first command line whose output or exit code differs.
//! Invariant: the runs are those of every example and of the corpora's graphs, in the order of their paths.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, Result, ensure};

use super::Verdict;
use crate::repository::{RELEASE_BUILD, cargo};

const DEBUG: &str = "target/debug/nodewise";
const RELEASE: &str = "target/release/nodewise";
/// Folders whose YAML files are run, each file by itself.
const FILES: [&str; 5] = [
    "examples/liman",
    "examples/cycgraph",
    "examples/agentos",
    "tests/data/corpus/cycgraph",
    "tests/data/corpus/agentos/valid",
];
/// A folder whose folders are run, each as a project.
const PROJECTS: &str = "tests/data/corpus/liman";
/// The seed of what happens by chance.
const SEED: &str = "7";

/// Builds both, and compares them; fails with what differs.
pub(super) fn compare(root: &Path) -> Result<Verdict> {
    // The tests' build is a debug build too, and is made already; another choice of packages would be another build.
    for options in [&["test", "--workspace", "--no-run"], RELEASE_BUILD] {
        let status = cargo(root).args(options).status()?;
        ensure!(status.success(), "`cargo {}` fails", options.join(" "));
    }
    let lines = command_lines(root)?;
    for line in &lines {
        let [debug, release, again] = [DEBUG, RELEASE, RELEASE].map(|build| output(root, build, line));
        let (debug, release, again) = (debug?, release?, again?);
        let shown = line.join(" ");
        if !is_same(&release, &again) {
            return Ok(Verdict::Failed(format!("`nodewise {shown}` does something else the second time")));
        }
        if !is_same(&debug, &release) {
            return Ok(Verdict::Failed(format!(
                "`nodewise {shown}` differs between the debug and the release build"
            )));
        }
    }
    println!("    {} command lines give the same bytes", lines.len());
    Ok(Verdict::Passed)
}

fn is_same(one: &Output, other: &Output) -> bool {
    one.status.code() == other.status.code() && one.stdout == other.stdout && one.stderr == other.stderr
}

fn output(root: &Path, build: &str, line: &[String]) -> Result<Output> {
    let mut command = Command::new(root.join(build));
    command.args(line).current_dir(root);
    command.output().with_context(|| format!("{build} does not start"))
}

fn command_lines(root: &Path) -> Result<Vec<Vec<String>>> {
    let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let mut lines = vec![words("test examples --format json --coverage text")];
    let mut targets = Vec::new();
    for folder in FILES {
        let is_run = |path: &Path| path.extension().is_some_and(|extension| extension == "yaml");
        targets.extend(entries(root, folder)?.into_iter().filter(|path| is_run(path)));
    }
    targets.extend(entries(root, PROJECTS)?.into_iter().filter(|path| path.is_dir()));
    for target in targets {
        let target = target.strip_prefix(root)?.to_string_lossy().into_owned();
        lines.push(words(&format!("simulate {target} --format json --seed {SEED}")));
    }
    Ok(lines)
}

fn entries(root: &Path, folder: &str) -> Result<Vec<PathBuf>> {
    let read = std::fs::read_dir(root.join(folder)).with_context(|| format!("{folder} cannot be read"))?;
    let mut paths = read.map(|entry| Ok(entry?.path())).collect::<Result<Vec<PathBuf>>>()?;
    paths.sort();
    Ok(paths)
}
