//! All builds give the same bytes: the build of the tests, that of users, and the published one.
//!
//! Input is the checkout. Output is the first command line whose output or exit code differs. Invariant: the runs are
//! those of every example and of the graphs in the corpora, in the order of their paths.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, Result, ensure};

use super::{Options, Verdict};
use crate::checkout::{self, DEBUG, Profile, cargo};

/// Folders with YAML files to run, each one alone.
const FILES: [&str; 5] = [
    "examples/liman",
    "examples/cycgraph",
    "examples/agentos",
    "tests/data/corpus/cycgraph",
    "tests/data/corpus/agentos/valid",
];
/// A folder with folders to run, each as a project.
const PROJECTS: &str = "tests/data/corpus/liman";
/// The seed of random choices.
const SEED: &str = "7";

/// Builds and compares. Fails with the difference.
pub(super) fn compare(root: &Path, options: Options<'_>) -> Result<Verdict> {
    let mut builds = vec![checkout::build(root, Profile::Release)?];
    // A fully optimised build takes as long as many other steps together.
    if options.is_long {
        builds.push(checkout::build(root, Profile::Dist)?);
    }
    // The build of the tests is a debug build too, and already exists. Another choice of packages would compile again.
    let status = cargo(root).args(options.with_features(&["test", "--workspace", "--no-run"])).status()?;
    ensure!(status.success(), "the tests' build fails");
    builds.push(root.join(DEBUG));
    let first = &builds[0];
    let lines = command_lines(root)?;
    for line in &lines {
        let expected = output(root, first, line)?;
        for build in &builds {
            if !is_same(&expected, &output(root, build, line)?) {
                return Ok(Verdict::Failed(format!(
                    "`nodewise {}` of {} differs from the first run of {}",
                    line.join(" "),
                    build.display(),
                    first.display()
                )));
            }
        }
    }
    println!("    {} command lines give the same bytes in {} builds", lines.len(), builds.len());
    Ok(Verdict::Passed)
}

fn is_same(one: &Output, other: &Output) -> bool {
    one.status.code() == other.status.code() && one.stdout == other.stdout && one.stderr == other.stderr
}

fn output(root: &Path, build: &Path, line: &[String]) -> Result<Output> {
    let mut command = Command::new(build);
    command.args(line).current_dir(root);
    command.output().with_context(|| format!("{} does not start", build.display()))
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
