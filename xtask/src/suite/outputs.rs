//! Every output has the same bytes in each run, with any number of threads.
//!
//! Input is the release build. Output is the first command line whose output differs. Invariant: all runs are compared
//! with the first one, which uses one thread.

use std::path::Path;
use std::process::{Command, Output};

use anyhow::{Context, Result};

use super::{Options, Verdict};
use crate::checkout::{self, Profile};

const FORMATS: [&str; 8] = ["full", "concise", "agent", "json", "sarif", "github", "gitlab", "junit"];
/// The numbers of threads.
const THREADS: [&str; 3] = ["1", "2", "8"];
const FOLDERS: [&str; 9] = [
    "examples/liman",
    "examples/liman-broken",
    "examples/cycgraph",
    "examples/cycgraph-broken",
    "examples/agentos",
    "examples/agentos-broken",
    "tests/data/corpus/liman",
    "tests/data/corpus/cycgraph",
    "tests/data/corpus/agentos",
];
/// Other commands that use several threads.
const OTHERS: [&str; 5] = [
    "check --fix --diff",
    "check --unsafe-fixes --hints --diff",
    "fmt --diff",
    "test --format json --coverage text",
    "test --format junit",
];

/// Compares all runs.
pub(super) fn compare(root: &Path, options: Options<'_>) -> Result<Verdict> {
    let runs = options.sizes().repetitions;
    let program = checkout::build(root, Profile::Release)?;
    let lines: Vec<String> = FORMATS
        .iter()
        .map(|format| format!("check --hints --format {format}"))
        .chain(OTHERS.map(str::to_owned))
        .collect();
    for line in &lines {
        let first = output(root, &program, line, "1")?;
        // An invalid command would also give the same output each time.
        if !matches!(first.status.code(), Some(0 | 1)) || first.stdout.is_empty() {
            let message = String::from_utf8_lossy(&first.stderr).into_owned();
            return Ok(Verdict::Failed(format!("`nodewise {line}` does not run: {message}")));
        }
        for threads in THREADS {
            for _ in 0..runs {
                let again = output(root, &program, line, threads)?;
                if (again.status.code(), &again.stdout, &again.stderr)
                    != (first.status.code(), &first.stdout, &first.stderr)
                {
                    return Ok(Verdict::Failed(format!(
                        "`nodewise {line}` writes something else with {threads} threads"
                    )));
                }
            }
        }
    }
    println!(
        "    {} command lines write the same bytes, {runs} times with {} threads each",
        lines.len(),
        THREADS.join(", ")
    );
    Ok(Verdict::Passed)
}

fn output(root: &Path, program: &Path, line: &str, threads: &str) -> Result<Output> {
    let folders: &[&str] = if line.starts_with("test") { &["examples"] } else { &FOLDERS };
    let mut command = Command::new(program);
    command.args(line.split(' ')).args(folders).current_dir(root).env("RAYON_NUM_THREADS", threads);
    command.output().with_context(|| format!("{} does not start", program.display()))
}
