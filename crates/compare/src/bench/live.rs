//! Measures what a step of a live run costs: CPU time, `fsync`s, bytes in the store, memory.
//!
//! Input: the checkout. Output: a Markdown table. Invariant: models answer at once, from a server in this process; what is measured
//! is the command as users have it.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use nodewise_test_support::model_server::ModelServer;
use nodewise_test_support::running;
use serde_json::json;

use super::measure::{Measured, once};
use super::{megabytes, path, status};
use xtask::checkout::cargo;

const STEPS: usize = 5_000;
const AGENT: &str = "id: worker\nname: Worker\nmodel: m-1\nprovider: local\nsystem_prompt: Work.\n";
const SCRIPT: &str = "script: Many steps.\nhost: {max_iterations: 1000000}\n";
/// Async functions of one second each.
const ASYNC_FUNCTIONS: &str = "8";

pub(super) fn run(root: &Path, nodewise: &Path) -> Result<()> {
    let folder = root.join("target/bench/live");
    let server = ModelServer::start(json!([{"text": "A short answer.", "usage": [50, 10], "times": 0}]))?;
    write_project(&folder, &server.base_url())?;
    let (flow, script) = (folder.join("flow.json"), folder.join("many.script.yaml"));
    let words = ["run", path(&flow)?, "--script", path(&script)?, "--trust", "--no-progress", "--quiet"];
    let run = measured(&folder, nodewise, &words)?;
    ensure!(server.requests().len() == STEPS, "{} models were asked", server.requests().len());
    let store: u64 = ["runs.db", "runs.db-wal"]
        .iter()
        .filter_map(|name| std::fs::metadata(folder.join(".nodewise").join(name)).ok())
        .map(|file| file.len())
        .sum();
    let show = once(nodewise, &["runs", "show", "last", "--project", path(&folder)?])?;
    let fsyncs = fsyncs(&folder, nodewise, &words)?;

    let each = |total: f64| total / STEPS as f64;
    println!("| {STEPS} steps of a live run | figure |\n|---|---|");
    println!("| CPU time of a step | {:.2} ms |", each(run.cpu_ms));
    match fsyncs {
        Some(fsyncs) => println!("| `fsync`s of a step | {:.3} |", each(fsyncs as f64)),
        None => println!("| `fsync`s of a step | `strace` is not installed |"),
    }
    println!("| bytes of a step in the store | {:.0} |", each(store as f64));
    println!("| memory of the run | {:.0} MB |", megabytes(run.peak_bytes));
    println!(
        "| `nodewise runs show` of it | {:.2} s, {:.0} MB |",
        show.wall_ms / 1e3,
        megabytes(show.peak_bytes)
    );
    println!();
    let functions =
        ["run", "--release", "--quiet", "--package", "nodewise-live", "--example", "async_functions", "--"];
    status(cargo(root).args(functions).args([ASYNC_FUNCTIONS, "1"]))
}

/// A graph of agents in a row, without earlier runs.
fn write_project(folder: &Path, base_url: &str) -> Result<()> {
    if folder.exists() {
        std::fs::remove_dir_all(folder)?;
    }
    std::fs::create_dir_all(folder)?;
    let provider = format!("[live.providers.local]\nkind = \"openai\"\nbase_url = \"{base_url}\"\n");
    for (name, text) in [
        ("flow.json", running::row(STEPS).as_str()),
        ("worker.yaml", AGENT),
        ("many.script.yaml", SCRIPT),
        ("nodewise.toml", &provider),
    ] {
        std::fs::write(folder.join(name), text)?;
    }
    Ok(())
}

/// A run that nothing observes but the kernel.
fn measured(folder: &Path, nodewise: &Path, words: &[&str]) -> Result<Measured> {
    let measured = once(nodewise, words)?;
    ensure!(folder.join(".nodewise/runs.db").exists(), "the run did not begin; `nodewise` says why");
    Ok(measured)
}

/// How often a run syncs; `None` without `strace`.
fn fsyncs(folder: &Path, nodewise: &Path, words: &[&str]) -> Result<Option<u64>> {
    let counts = folder.join("strace.txt");
    let mut strace = Command::new("strace");
    strace.args(["-f", "-c", "-e", "trace=fsync,fdatasync", "-o", path(&counts)?]);
    strace.arg(nodewise).args(words).stdout(Stdio::null()).stderr(Stdio::null());
    if strace.status().is_err() {
        return Ok(None);
    }
    let text = std::fs::read_to_string(&counts).context("strace wrote nothing")?;
    let calls = text.lines().filter(|line| line.ends_with("sync")).filter_map(|line| {
        // The share of the time, seconds, microseconds of a call, calls.
        line.split_whitespace().nth(3)?.parse::<u64>().ok()
    });
    Ok(Some(calls.sum()))
}
