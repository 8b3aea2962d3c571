//! `cargo xtask bench start`: measures how soon a server knows a project of 100,000 files, at the first start and later.
//!
//! Input is the commands to compare. Output is a Markdown table. Invariant: a project is known when a name leads into a file that
//! is not open.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::client::{Client, milliseconds};
use super::columns::{Column, table};
use super::document::uri;
use super::server::initialize;
use super::workspace::{self, Kind};
use super::{Build, path};

const FILES: usize = 100_000;
/// A file that names tools of other files.
const FIRST: &str = "orders/000/flow_00000.yaml";
/// How often a later start is measured.
const LATER: usize = 3;
/// How long a server may take until it knows the project, and then until it has kept what it knows.
const KNOWN_WITHIN: Duration = Duration::from_secs(300);
const KEPT_WITHIN: Duration = Duration::from_secs(30);
/// The time between two questions whether the project is known.
const PAUSE: Duration = Duration::from_millis(5);

/// Measures and prints the result.
pub(super) fn run(root: &Path, builds: &[Build]) -> Result<()> {
    let folder = root.join("target/bench");
    let project = folder.join(format!("liman-{FILES}"));
    workspace::write(&project, Kind::Liman, FILES)?;
    let measured = builds.iter().map(|build| Ok((build.name, measure(build, &folder, &project)?)));
    let title = format!("from the start of the process, {FILES} files");
    print!("{}", table(&title, &measured.collect::<Result<Vec<_>>>()?));
    Ok(())
}

fn measure(build: &Build, folder: &Path, project: &Path) -> Result<Column> {
    let mut column = Column::default();
    let cache = folder.join("start-cache");
    std::fs::remove_dir_all(&cache).ok();
    let first = start(build, &cache, project)?;
    column.time("first start: until all files are known", first.time);
    column.memory("first start: memory then", first.memory);
    // An older build keeps nothing. A name with an ending is that of a file that is still written.
    let is_whole = |entry: std::fs::DirEntry| entry.path().extension().is_none();
    let is_kept = || Ok(cache.read_dir().is_ok_and(|kept| kept.flatten().any(is_whole)));
    wait_until("the project is kept", KEPT_WITHIN, is_kept).ok();
    first.client.stop()?;
    let mut times = Vec::new();
    let mut memory = 0;
    for _ in 0..LATER {
        let later = start(build, &cache, project)?;
        times.push(later.time);
        memory = later.memory;
        later.client.stop()?;
    }
    column.times("later start: until all files are known", times);
    column.memory("later start: memory then", memory);
    Ok(column)
}

/// A server that knows the project.
struct Started {
    client: Client,
    /// The time from its start, in milliseconds.
    time: f64,
    memory: u64,
}

fn start(build: &Build, cache: &Path, project: &Path) -> Result<Started> {
    let variable = format!("NODEWISE_CACHE_DIR={}", path(cache)?);
    let command = ["env".to_owned(), variable, path(&build.program)?.to_owned(), "lsp".to_owned()];
    let begun = Instant::now();
    let mut client = Client::start(&command, project, Value::Null)?;
    client.answer("initialize", &initialize(&uri(project)?))?.context("the server does not start")?;
    client.notify("initialized", &json!({}))?;
    let file = project.join(FIRST);
    let text = std::fs::read_to_string(&file)?;
    let tools = text.lines().position(|line| line == "tools:").context("the file names tools")?;
    let file = uri(&file)?;
    let document = json!({"uri": file, "languageId": "yaml", "version": 0, "text": text});
    client.notify("textDocument/didOpen", &json!({"textDocument": document}))?;
    wait_until("the project is known", KNOWN_WITHIN, || {
        for line in tools + 1..tools + 4 {
            let at = json!({"textDocument": {"uri": file}, "position": {"line": line, "character": 7}});
            let (_, places) = client.answer("textDocument/definition", &at)?.context("no definition")?;
            let place = if places.is_array() { &places[0] } else { &places };
            if place["uri"].as_str().is_some_and(|uri| uri != file) {
                return Ok(true);
            }
        }
        Ok(false)
    })?;
    let (time, memory) = (milliseconds(begun, Instant::now()), client.memory());
    Ok(Started { client, time, memory })
}

fn wait_until(what: &str, within: Duration, mut holds: impl FnMut() -> Result<bool>) -> Result<()> {
    let begun = Instant::now();
    while !holds()? {
        ensure!(begun.elapsed() < within, "waited in vain until {what}");
        std::thread::sleep(PAUSE);
    }
    Ok(())
}
