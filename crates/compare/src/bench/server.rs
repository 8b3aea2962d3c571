//! `cargo xtask bench server`: measures the requests of an editor, with nodewise and a comparable language server.
//!
//! Input is the files of [`super::workspace`]. Output is a Markdown table of medians and 99th percentiles. Invariant:
//! the servers run in turns, on the same files, with the same client.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::client::{Client, PATIENCE, milliseconds};
use super::workspace::{self, Kind};
use super::{FILES, megabytes, status};
use xtask::checkout::{Profile, build};

/// The comparable server: the YAML server that editors include, with our JSON Schema.
const PEER: &str = "yaml-language-server";
const PEER_VERSION: &str = "1.23.0";
/// The number of edits, and of requests of each kind.
pub(super) const SAMPLES: usize = 300;
/// The maximum time for one kind of request. The YAML server takes seconds on a large document.
const BUDGET: Duration = Duration::from_secs(20);
const RENAMES: usize = 10;
/// The number of edits in a fast sequence, which restores the text, and the time between two.
const STORM: usize = 60;
const STORM_PAUSE: Duration = Duration::from_millis(30);
/// If a server is quiet for this time after its start, it has read everything.
pub(super) const SETTLE: Duration = Duration::from_secs(3);
/// The edit toggles this line, so that a finding appears and disappears.
const LINE: [&str; 2] = ["optional: true", "optional: trux"];
/// The number of declarations in 50,000 lines.
const LARGE: usize = 926;

/// The severity of the finding of a broken line. Whole ones may have hints.
const ERROR: u8 = 1;

/// A line of a document that edits break and restore.
pub(super) struct Toggle<'l> {
    place: Value,
    good: &'l str,
    bad: &'l str,
}

/// The measurements of a server.
#[derive(Default)]
struct Figures {
    initialize: f64,
    first_diagnostics: f64,
    everything: Option<f64>,
    edit: Vec<f64>,
    /// The time from the last edit of the sequence to the last diagnostics.
    quiet: Option<f64>,
    requests: Vec<(&'static str, Vec<f64>)>,
    memory: u64,
}

/// Measures and prints the result.
pub(super) fn run(root: &Path) -> Result<()> {
    let nodewise = build(root, Profile::Dist)?;
    let folder = root.join("target/bench");
    let project = folder.join(format!("server-{FILES}"));
    workspace::write(&project, Kind::Liman, FILES)?;
    let shared = project.join("shared.yaml");
    workspace::write_popular(&project, &shared, FILES / 10)?;
    let large = folder.join("large");
    workspace::write_large(&large.join("flows.yaml"), LARGE)?;

    let ours = vec![text(&nodewise)?, "lsp".to_owned()];
    let theirs = vec!["node".to_owned(), text(&install_peer(&folder)?)?, "--stdio".to_owned()];
    let schema = format!("file://{}", text(&root.join("schemas/liman.schema.json"))?);
    let settings = json!({"yaml": {"schemas": {schema: "*.yaml"}, "validate": true, "hover": true,
        "completion": true, "schemaStore": {"enable": false}}});

    let file = project.join("orders/000/flow_00000.yaml");
    let big = large.join("flows.yaml");
    let figures = [
        ("`nodewise lsp`", measure(&ours, &project, &file, &settings, true)?),
        (PEER, measure(&theirs, &project, &file, &settings, false)?),
        ("`nodewise lsp`, 50,000 lines", measure(&ours, &large, &big, &settings, false)?),
        ("`yaml-language-server`, 50,000 lines", measure(&theirs, &large, &big, &settings, false)?),
    ];
    for (name, figures) in figures {
        print(name, &figures);
    }
    Ok(())
}

/// `has_folder`: the server is nodewise in a project of many files. It reports when all are read, and renames in all of
/// them.
fn measure(
    command: &[String],
    root: &Path,
    file: &Path,
    settings: &Value,
    has_folder: bool,
) -> Result<Figures> {
    let text_before = std::fs::read_to_string(file)?;
    let (root_uri, uri) = (uri(root)?, uri(file)?);
    let mut figures = Figures::default();
    let started = Instant::now();
    let mut client = Client::start(command, root, settings.clone())?;
    client.request("initialize", &initialize(&root_uri))?.context("the server does not start")?;
    figures.initialize = milliseconds(started, Instant::now());
    let initialized = client.notify("initialized", &json!({}))?;
    client.notify("workspace/didChangeConfiguration", &json!({"settings": settings}))?;
    let document = json!({"uri": uri, "languageId": "yaml", "version": 0, "text": text_before});
    client.notify("textDocument/didOpen", &json!({"textDocument": document}))?;
    figures.first_diagnostics =
        client.diagnostics(&uri, |_| true)?.map_or(f64::INFINITY, |at| milliseconds(initialized, at));
    if has_folder {
        let is_end = |message: &Value| {
            message["method"] == "$/progress" && message["params"]["value"]["kind"] == "end"
        };
        figures.everything = client.wait(is_end)?.map(|(at, _)| milliseconds(initialized, at));
    }
    std::thread::sleep(SETTLE);
    client.drain();
    let toggle = Toggle::new(&text_before, LINE)?;
    let version = edit(&client, &uri, &toggle, &mut figures.edit)?;
    if has_folder {
        figures.quiet = storm(&client, &uri, &toggle, version)?;
    }
    ask(&mut client, &uri, &text_before, &mut figures, has_folder)?;
    figures.memory = client.memory();
    client.stop()?;
    Ok(figures)
}

/// Breaks and restores a line, and waits for the diagnostics each time. Returns the last version.
pub(super) fn edit(client: &Client, uri: &str, toggle: &Toggle<'_>, times: &mut Vec<f64>) -> Result<usize> {
    let until = Instant::now() + BUDGET;
    let mut last = 0;
    for version in (1..=SAMPLES).take_while(|_| Instant::now() < until) {
        last = version;
        let is_broken = version % 2 == 1;
        let params = toggle.change(uri, version);
        let sent = client.notify("textDocument/didChange", &params)?;
        let at = client.diagnostics(uri, |params| {
            let mut found = params["diagnostics"].as_array().into_iter().flatten();
            let found = found.any(|one| one["severity"] == ERROR);
            let is_current =
                params.get("version").and_then(Value::as_u64).is_none_or(|found| found == version as u64);
            is_current && found == is_broken
        })?;
        times.push(at.map_or(f64::INFINITY, |at| milliseconds(sent, at)));
    }
    Ok(last)
}

impl<'l> Toggle<'l> {
    /// The first line of a text with the good words; `bad` has as many letters.
    pub(super) fn new(text: &str, [good, bad]: [&'l str; 2]) -> Result<Toggle<'l>> {
        let at = text.find(good).context("the file has the line to edit")?;
        let line = text[..at].matches('\n').count();
        let column = at - text[..at].rfind('\n').map_or(0, |end| end + 1);
        let place = json!({
            "start": {"line": line, "character": column},
            "end": {"line": line, "character": column + good.len()}});
        Ok(Toggle { place, good, bad })
    }

    /// The change to a version: odd ones are broken.
    pub(super) fn change(&self, uri: &str, version: usize) -> Value {
        let text = if version % 2 == 1 { self.bad } else { self.good };
        json!({
            "textDocument": {"uri": uri, "version": version},
            "contentChanges": [{"range": self.place, "text": text}]})
    }
}

/// Edits faster than a person types. Returns how long diagnostics still arrive after the last edit.
fn storm(client: &Client, uri: &str, toggle: &Toggle<'_>, version: usize) -> Result<Option<f64>> {
    let last_version = version + STORM;
    let mut sent = Instant::now();
    for version in version + 1..=last_version {
        std::thread::sleep(STORM_PAUSE);
        sent = client.notify("textDocument/didChange", &toggle.change(uri, version))?;
    }
    let is_last = |params: &Value| params["version"].as_u64() == Some(last_version as u64);
    Ok(client.diagnostics(uri, is_last)?.map(|at| milliseconds(sent, at)))
}

/// Sends the most common requests of editors.
fn ask(client: &mut Client, uri: &str, text: &str, figures: &mut Figures, has_folder: bool) -> Result<()> {
    const TOOLS: &str = "tools:\n  - ";
    let tool = text.find(TOOLS).context("the file lists tools")? + TOOLS.len();
    let here = json!({"textDocument": {"uri": uri}, "position": {
        "line": text[..tool].matches('\n').count(), "character": "  - ".len() + 3}});
    let document = json!({"textDocument": {"uri": uri}});
    let requests = [
        ("completion", "textDocument/completion", &here),
        ("hover", "textDocument/hover", &here),
        ("definition", "textDocument/definition", &here),
        ("document symbols", "textDocument/documentSymbol", &document),
    ];
    for (name, method, params) in requests {
        let mut times = Vec::new();
        let until = Instant::now() + BUDGET;
        for _ in (0..SAMPLES).take_while(|_| Instant::now() < until) {
            times.push(client.request(method, params)?.unwrap_or(f64::INFINITY));
        }
        figures.requests.push((name, times));
    }
    if has_folder {
        let popular = text.find(workspace::POPULAR).context("the file uses the tool of many")?;
        let position = json!({"line": text[..popular].matches('\n').count(), "character": "  - ".len() + 1});
        let mut times = Vec::new();
        for number in 0..RENAMES {
            let params = json!({"textDocument": {"uri": uri}, "position": position,
                "newName": format!("renamed_{number}")});
            times.push(client.request("textDocument/rename", &params)?.unwrap_or(f64::INFINITY));
        }
        figures.requests.push(("rename over 1,000 files", times));
    }
    Ok(())
}

pub(super) fn initialize(root: &str) -> Value {
    json!({"processId": std::process::id(), "rootUri": root,
        "workspaceFolders": [{"uri": root, "name": "bench"}],
        "capabilities": {
            "general": {"positionEncodings": ["utf-16"]},
            "window": {"workDoneProgress": true},
            "workspace": {"configuration": true, "workspaceFolders": true},
            "textDocument": {
                "synchronization": {"didSave": true},
                "publishDiagnostics": {"versionSupport": true},
                "completion": {"completionItem": {"snippetSupport": true, "documentationFormat": ["markdown"]}},
                "hover": {"contentFormat": ["markdown"]},
                "documentSymbol": {"hierarchicalDocumentSymbolSupport": true}}}})
}

fn print(name: &str, figures: &Figures) {
    println!("\n{name}\n\n| what | median | 99 % | samples |\n|---|---|---|---|");
    let one = |what: &str, value: f64| println!("| {what} | {} | | 1 |", shown(value));
    one("process start to `initialize`", figures.initialize);
    one("`initialized` to the first diagnostics", figures.first_diagnostics);
    if let Some(everything) = figures.everything {
        one("`initialized` to all files known", everything);
    }
    if let Some(quiet) = figures.quiet {
        one("60 edits 30 ms apart: the last edit to the last diagnostics", quiet);
    }
    let edit = ("edit to diagnostics", figures.edit.clone());
    for (what, mut times) in std::iter::once(edit).chain(figures.requests.clone()) {
        times.sort_by(f64::total_cmp);
        let (median, late) = (quantile(&times, 0.5), quantile(&times, 0.99));
        println!("| {what} | {} | {} | {} |", shown(median), shown(late), times.len());
    }
    println!("| resident memory | {:.0} MB | | 1 |", megabytes(figures.memory));
}

pub(super) fn shown(time: f64) -> String {
    match time.is_finite() {
        true => format!("{time:.2} ms"),
        false => format!("over {} s", PATIENCE.as_secs()),
    }
}

pub(super) fn quantile(sorted: &[f64], share: f64) -> f64 {
    let last = sorted.len().saturating_sub(1);
    sorted.get(((sorted.len() as f64 * share) as usize).min(last)).copied().unwrap_or(f64::NAN)
}

/// Installs the comparable server from npm, in a separate folder.
fn install_peer(folder: &Path) -> Result<PathBuf> {
    let home = folder.join("node");
    let program = home.join("node_modules").join(PEER).join("bin").join(PEER);
    if !program.exists() {
        std::fs::create_dir_all(&home)?;
        let package = format!("{PEER}@{PEER_VERSION}");
        status(
            Command::new("npm")
                .args(["install", "--silent", "--no-audit", "--prefix"])
                .arg(&home)
                .arg(package),
        )?;
    }
    Ok(program)
}

pub(super) fn uri(path: &Path) -> Result<String> {
    Ok(format!("file://{}", text(&path.canonicalize()?)?))
}

pub(super) fn text(path: &Path) -> Result<String> {
    Ok(path.to_str().context("the checkout's path is not UTF-8")?.to_owned())
}
