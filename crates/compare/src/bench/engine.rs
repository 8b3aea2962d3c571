//! Measures how fast graphs run with models that answer immediately, in nodewise and in the published cycgraph runner.
//!
//! Input: the checkout. Output: a Markdown table. Invariant: both run the same graph, one after the other.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use nodewise_test_support::running;

use crate::oracle::node_program;
use xtask::checkout::cargo;

/// The number of visits for nodewise, and the number that the published runner completes in a few seconds.
const VISITS: usize = 100_000;
const THEIR_VISITS: usize = 1_000;

pub(super) fn run(root: &Path) -> Result<()> {
    let ours = |visits: usize| {
        let arguments = [
            "run",
            "--release",
            "--quiet",
            "--package",
            "nodewise-engine",
            "--example",
            "cycgraph_speed",
            "--",
        ];
        output(cargo(root).args(arguments).arg(visits.to_string()), "")
    };
    let theirs = output(&mut node_program(root, "cycgraph", "speed.mjs")?, &running::ring(THEIR_VISITS))?;
    println!("| what | figure |\n|---|---|");
    println!(
        "| `@cycgraph/orchestrator`, a ring, {THEIR_VISITS} visits: steps per second | {} |",
        theirs.trim()
    );
    for visits in [THEIR_VISITS, VISITS] {
        for line in ours(visits)?.lines() {
            let (what, figure) = line.split_once('\t').context("a line of figures has a tab")?;
            if visits == THEIR_VISITS && what != "steps per second" {
                continue;
            }
            let place =
                if what == "steps per second" { format!("a ring, {visits} visits: ") } else { String::new() };
            println!("| nodewise, {place}{what} | {figure} |");
        }
    }
    Ok(())
}

/// The output of a program for an input.
fn output(command: &mut Command, input: &str) -> Result<String> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    child.stdin.take().context("a pipe")?.write_all(input.as_bytes())?;
    let output = child.wait_with_output()?;
    ensure!(output.status.success(), "{:?} ended with {}", command.get_program(), output.status);
    Ok(String::from_utf8(output.stdout)?)
}
