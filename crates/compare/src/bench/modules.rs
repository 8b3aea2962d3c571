//! `cargo xtask bench modules`: measures modules with graphs among many programs, with `check` and in the language server.
//!
//! Input is a project of 5,000 programs in TypeScript of which one in twenty builds a graph, and a project of YAML files alone, as
//! what the programs are added to. Output is a Markdown table. Invariant: both projects have the same YAML files, and are measured in
//! turns.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use nodewise_test_support::workspace::programs;
use serde_json::{Value, json};

use super::client::{Client, milliseconds};
use super::columns::{quantile, shown};
use super::document::{Toggle, text, uri};
use super::measure::{Task, print_best_of, print_head};
use super::server::{SAMPLES, SETTLE, edit, initialize};
use super::workspace::{self, Kind};
use super::{RUNS, megabytes, path};

/// The number of programs.
const PROGRAMS: usize = 5_000;
/// The number of YAML files beside them.
const YAML_FILES: usize = 100;
/// The length of the module that is edited.
const LINES: usize = 2_000;
/// A line of the first service, which modules with graphs import: a change in it changes no finding.
const SERVICE_LINE: [&str; 2] = ["if (open.length === 0) {", "if (open.length === 1) {"];

/// Measures and prints the result.
pub(super) fn run(root: &Path, nodewise: &Path) -> Result<()> {
    let folder = root.join("target/bench");
    let (with, without) = (folder.join("programs"), folder.join("no-programs"));
    let bytes = write(&with)?;
    workspace::write(&without, Kind::Mixed, YAML_FILES)?;

    let check = ["check", "--no-cache", "--format", "concise", "--no-progress"];
    let of_all = [&check[..], &[path(&with)?]].concat();
    let of_yaml = [&check[..], &[path(&without)?]].concat();
    let what = format!(
        "`nodewise check`, {PROGRAMS} programs, {:.1} MB, and {YAML_FILES} YAML files",
        megabytes(bytes)
    );
    print_head("files");
    let tasks = [
        Task::new(&what, PROGRAMS + YAML_FILES + 1, nodewise, &of_all),
        Task::new("`nodewise check`, the YAML files alone", YAML_FILES, nodewise, &of_yaml),
    ];
    print_best_of(RUNS, &tasks)?;

    let server = [text(nodewise)?, "lsp".to_owned()];
    let large = with.join(programs::LARGE_PATH);
    println!("\n| `nodewise lsp` | median | 99 % | samples |\n|---|---|---|---|");
    let mut of_all = Session::start(&server, &with)?;
    of_all.edits("edit to diagnostics, a module of 2,000 lines", &large, programs::LARGE_LINE)?;
    let service = with.join(programs::path(programs::imported_by_large(PROGRAMS)));
    let what = "edit of a program that it imports, to the symbols of the module";
    of_all.edits_of_program(what, &service, SERVICE_LINE, &large)?;
    let of_yaml = Session::start(&server, &without)?;
    for (what, session) in [("with the programs", of_all), ("the YAML files alone", of_yaml)] {
        println!("| {what}: `initialized` to all files known | {} | | 1 |", shown(session.everything));
        println!("| {what}: resident memory | {:.0} MB | | 1 |", megabytes(session.client.memory()));
        session.client.stop()?;
    }
    Ok(())
}

/// Writes the project with programs; returns the size of these in bytes.
fn write(folder: &Path) -> Result<u64> {
    workspace::write(folder, Kind::Mixed, YAML_FILES)?;
    let small = (0..PROGRAMS).map(|number| (programs::path(number), programs::text(number, PROGRAMS)));
    let large = (programs::LARGE_PATH.to_owned(), programs::large_graph(LINES, PROGRAMS));
    let mut bytes = 0;
    for (path, text) in small.chain([large]) {
        bytes += text.len() as u64;
        let path = folder.join(path);
        if std::fs::read_to_string(&path).is_ok_and(|known| known == text) {
            continue;
        }
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, text)?;
    }
    Ok(bytes)
}

/// A server that has read a project.
struct Session {
    client: Client,
    /// The milliseconds until it had read all files.
    everything: f64,
}

impl Session {
    fn start(command: &[String], root: &Path) -> Result<Session> {
        let mut client = Client::start(command, root, Value::Null)?;
        client.request("initialize", &initialize(&uri(root)?))?.context("the server does not start")?;
        let initialized = client.notify("initialized", &json!({}))?;
        let is_end = |message: &Value| {
            message["method"] == "$/progress" && message["params"]["value"]["kind"] == "end"
        };
        let everything = client.wait(is_end)?.map_or(f64::INFINITY, |(at, _)| milliseconds(initialized, at));
        std::thread::sleep(SETTLE);
        client.drain();
        Ok(Session { client, everything })
    }

    /// Opens a document; returns its URI and its text.
    fn open(&self, file: &Path) -> Result<(String, String)> {
        let (uri, text) = (uri(file)?, std::fs::read_to_string(file)?);
        let document = json!({"uri": uri, "languageId": "typescript", "version": 0, "text": text});
        self.client.notify("textDocument/didOpen", &json!({"textDocument": document}))?;
        Ok((uri, text))
    }

    /// Breaks and restores a line of a document with a graph.
    fn edits(&self, what: &str, file: &Path, line: [&str; 2]) -> Result<()> {
        let (uri, text) = self.open(file)?;
        self.client.diagnostics(&uri, |_| true)?.context("the module has no diagnostics")?;
        let mut times = Vec::new();
        edit(&self.client, &uri, &Toggle::new(&text, line)?, &mut times)?;
        print(what, times);
        Ok(())
    }

    /// Changes a program that modules with graphs import, and then asks for the symbols of one of these.
    fn edits_of_program(&mut self, what: &str, file: &Path, line: [&str; 2], asked: &Path) -> Result<()> {
        let (uri, text) = self.open(file)?;
        let toggle = Toggle::new(&text, line)?;
        let question = json!({"textDocument": {"uri": super::document::uri(asked)?}});
        let mut times = Vec::new();
        for version in 1..=SAMPLES {
            let sent = self.client.notify("textDocument/didChange", &toggle.change(&uri, version))?;
            self.client.request("textDocument/documentSymbol", &question)?.context("no answer")?;
            times.push(milliseconds(sent, Instant::now()));
        }
        print(what, times);
        Ok(())
    }
}

fn print(what: &str, mut times: Vec<f64>) {
    times.sort_by(f64::total_cmp);
    println!(
        "| {what} | {} | {} | {} |",
        shown(quantile(&times, 0.5)),
        shown(quantile(&times, 0.99)),
        times.len()
    );
}
