//! `cargo xtask bench server`: measures the requests of an editor, with nodewise and a comparable language server.
//!
//! Input is the files of [`super::workspace`]. Output is Markdown tables of medians and 99th percentiles. Invariant:
//! the servers run in turns, on the same files, with the same client.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::client::{Client, milliseconds};
use super::columns::{Column, table};
use super::document::{ERROR, Toggle, text, uri};
use super::workspace::{self, Kind};
use super::{Build, FILES, paste, status};

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
/// The numbers of files of the projects.
const SIZES: [usize; 3] = [1_000, FILES, 100_000];
/// The file of a project with the tool that many others use.
const SHARED: &str = "shared.yaml";
/// The number of declarations in 50,000 lines.
const LARGE: usize = 926;

/// A server, and how it is measured.
struct Subject {
    name: &'static str,
    command: Vec<String>,
    settings: Value,
    /// It reads whole projects: it reports when it has read many files, and renames in all of them.
    reads_projects: bool,
}

/// Measures and prints the result.
pub(super) fn run(root: &Path, builds: &[Build]) -> Result<()> {
    let folder = root.join("target/bench");
    let ours = subjects(builds)?;
    let peer = peer(root, &folder)?;
    for files in SIZES {
        let project = folder.join(format!("server-{files}"));
        workspace::write(&project, Kind::Liman, files)?;
        workspace::write_popular(&project, &project.join(SHARED), files / 10)?;
        let file = project.join("orders/000/flow_00000.yaml");
        // The other server reads open files alone, so the size of the project does not matter.
        let theirs = (files == FILES).then_some(&peer);
        print(&format!("a project of {files} files"), ours.iter().chain(theirs), &project, &file)?;
    }
    let large = folder.join("large");
    let file = large.join("flows.yaml");
    workspace::write_flows(&file, LARGE)?;
    print("a file of 50,000 lines", ours.iter().chain([&peer]), &large, &file)
}

/// The language servers of the commands.
fn subjects(builds: &[Build]) -> Result<Vec<Subject>> {
    let subject = |build: &Build| {
        let command = vec![text(&build.program)?, "lsp".to_owned()];
        Ok(Subject { name: build.name, command, settings: Value::Null, reads_projects: true })
    };
    builds.iter().map(subject).collect()
}

fn peer(root: &Path, folder: &Path) -> Result<Subject> {
    let command = vec!["node".to_owned(), text(&install_peer(folder)?)?, "--stdio".to_owned()];
    let schema = format!("file://{}", text(&root.join("schemas/liman.schema.json"))?);
    let settings = json!({"yaml": {"schemas": {schema: "*.yaml"}, "validate": true, "hover": true,
        "completion": true, "schemaStore": {"enable": false}}});
    Ok(Subject { name: PEER, command, settings, reads_projects: false })
}

fn print<'s>(
    title: &str,
    subjects: impl Iterator<Item = &'s Subject>,
    project: &Path,
    file: &Path,
) -> Result<()> {
    let mut columns = Vec::new();
    for subject in subjects {
        columns.push((subject.name, measure(subject, project, file)?));
    }
    println!("{}", table(&format!("{title}: median (99 %)"), &columns));
    Ok(())
}

/// Measures a session: the start, edits, requests, and pasted declarations.
fn measure(subject: &Subject, root: &Path, file: &Path) -> Result<Column> {
    let before = std::fs::read_to_string(file)?;
    let (root_uri, uri) = (uri(root)?, uri(file)?);
    let mut column = Column::default();
    let started = Instant::now();
    let mut client = Client::start(&subject.command, root, subject.settings.clone())?;
    client.request("initialize", &initialize(&root_uri))?.context("the server does not start")?;
    column.time("process start to `initialize`", milliseconds(started, Instant::now()));
    let initialized = client.notify("initialized", &json!({}))?;
    client.notify("workspace/didChangeConfiguration", &json!({"settings": subject.settings}))?;
    let document = json!({"uri": uri, "languageId": "yaml", "version": 0, "text": before});
    client.notify("textDocument/didOpen", &json!({"textDocument": document}))?;
    let first = client.diagnostics(&uri, |_| true)?;
    let since = |at: Option<Instant>| at.map_or(f64::INFINITY, |at| milliseconds(initialized, at));
    column.time("`initialized` to the first diagnostics", since(first));
    // A project of one file is read too soon for a report.
    if subject.reads_projects && root.join(SHARED).exists() {
        let is_end = |message: &Value| {
            message["method"] == "$/progress" && message["params"]["value"]["kind"] == "end"
        };
        column.time("`initialized` to all files known", since(client.wait(is_end)?.map(|(at, _)| at)));
    }
    std::thread::sleep(SETTLE);
    client.drain();
    column.time("processor time until then", client.processor_ms());
    column.memory("resident memory then", client.memory());
    let toggle = Toggle::new(&before, LINE)?;
    let mut times = Vec::new();
    let mut version = edit(&client, &uri, &toggle, &mut times)?;
    column.times("edit to diagnostics", times);
    if subject.reads_projects {
        let quiet = storm(&client, &uri, &toggle, version)?.unwrap_or(f64::INFINITY);
        column.time(format!("{STORM} edits, 30 ms apart: the last one to its diagnostics"), quiet);
        version += STORM;
    }
    ask(&mut client, &uri, &before, subject.reads_projects, &mut column)?;
    if version % 2 == 1 {
        version += 1;
        client.notify("textDocument/didChange", &toggle.change(&uri, version))?;
        client.diagnostics(&uri, |_| true)?;
    }
    paste::measure(&mut client, file, &before, &toggle, version, &mut column)?;
    column.memory("peak memory", client.peak());
    client.stop()?;
    Ok(column)
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
fn ask(client: &mut Client, uri: &str, text: &str, can_rename: bool, column: &mut Column) -> Result<()> {
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
        column.times(name, times);
    }
    if can_rename && let Some(popular) = text.find(workspace::POPULAR) {
        let position = json!({"line": text[..popular].matches('\n').count(), "character": "  - ".len() + 1});
        let mut times = Vec::new();
        for number in 0..RENAMES {
            let params = json!({"textDocument": {"uri": uri}, "position": position,
                "newName": format!("renamed_{number}")});
            times.push(client.request("textDocument/rename", &params)?.unwrap_or(f64::INFINITY));
        }
        column.times("rename in a tenth of the files", times);
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
                "completion": {
                    "completionItem": {"snippetSupport": true, "documentationFormat": ["markdown"]},
                    "completionList": {"itemDefaults": ["editRange"]}
                },
                "hover": {"contentFormat": ["markdown"]},
                "documentSymbol": {"hierarchicalDocumentSymbolSupport": true}}}})
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
