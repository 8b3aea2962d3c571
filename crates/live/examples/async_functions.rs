//! Measures how long async Python functions take that run side by side: `cargo run --release -p nodewise-live --example
//! async_functions -- 8 1` calls eight functions that wait for one second each.
//!
//! Input: how many, and for how many seconds each waits. Output: the time in all, and without the start of the interpreter.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a measurement reads the clock and prints"
)]

use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use nodewise_engine::ask::FunctionQuestion;
use nodewise_expr::json::from_json;
use nodewise_live::secrets::Secrets;
use nodewise_live::tools::{Notes, Tools};
use nodewise_live::wiring::Wiring;
use nodewise_project::config::live::Live;
use nodewise_simulation::systems;
use serde_json::json;

const WORK: &str =
    "import asyncio\nasync def wait(seconds):\n    await asyncio.sleep(seconds)\n    return seconds\n";

#[derive(Debug)]
struct NoNotes;

impl Notes for NoNotes {
    fn note(&self, _source: &str, _line: &str) {}
}

fn main() -> Result<()> {
    let mut words = std::env::args().skip(1);
    let count: usize = words.next().map_or(Ok(8), |word| word.parse()).context("how many functions?")?;
    let seconds: f64 = words.next().map_or(Ok(1.0), |word| word.parse()).context("how many seconds?")?;
    let folder = std::env::temp_dir().join(format!("nodewise-async-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("work.py"), WORK)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let began = Instant::now();
    let measured = runtime.block_on(async {
        let wiring = Wiring {
            system: systems::liman::SYSTEM,
            agents: Default::default(),
            tools: Default::default(),
            servers: Default::default(),
            functions: ["work.wait".into()].into_iter().collect(),
        };
        let secrets = Arc::new(Secrets::default());
        let tools = Tools::start(&Live::default(), &folder, &wiring, secrets, Arc::new(NoNotes)).await?;
        let call = |seconds: f64| {
            let input = from_json(json!({ "seconds": seconds }));
            let question = FunctionQuestion { path: "work.wait".into(), input };
            let tools = &tools;
            async move { tools.function(&question, "key").await.result }
        };
        // The first call starts the process that async functions share.
        call(0.0).await.map_err(|failure| anyhow::anyhow!("{failure}"))?;
        let started = Instant::now();
        let results = futures::future::join_all((0..count).map(|_| call(seconds))).await;
        ensure!(results.iter().all(Result::is_ok), "a function failed: {results:?}");
        anyhow::Ok(started.elapsed())
    });
    std::fs::remove_dir_all(&folder)?;
    let measured = measured?;
    println!(
        "{count} functions of {seconds} s: {:.2} s; with the start of the interpreter {:.2} s",
        measured.as_secs_f64(),
        began.elapsed().as_secs_f64()
    );
    Ok(())
}
