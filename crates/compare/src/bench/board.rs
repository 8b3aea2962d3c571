//! `cargo xtask bench board`: measures large graphs, as pictures and in the requests of an editor that draws them.
//!
//! Input is the commands to compare. Output is Markdown tables. Invariant: all sizes have the same shape, so the time for each node
//! shows whether something grows faster than the graph.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use nodewise_test_support::workspace::cycgraph::{large_graph, large_graph_edges};
use serde_json::{Value, json};

use super::client::{Client, milliseconds};
use super::columns::{Column, table};
use super::document::{text, uri};
use super::measure::{Task, print_best_of, print_head};
use super::server::initialize;
use super::{Build, path};

/// The numbers of nodes, and how often each is measured.
const SIZES: [(usize, usize); 3] = [(500, 7), (5_000, 5), (50_000, 2)];
/// A node as large as the extension for VS Code draws it, and its window.
const NODE: (f64, f64) = (168.0, 60.0);
const WINDOW: (f64, f64) = (1_000.0, 800.0);

/// Measures and prints the result.
pub(super) fn run(root: &Path, builds: &[Build]) -> Result<()> {
    let folder = root.join("target/bench/board");
    print_head("nodes");
    for (nodes, runs) in SIZES {
        let file = write(&folder, nodes)?;
        let task = |build: &Build, format: &str| -> Result<Task> {
            let arguments = ["graph", path(&file)?, "--format", format];
            let what = format!("{} `graph --format {format}`", build.name);
            Ok(Task::new(&what, nodes, &build.program, &arguments))
        };
        let mut tasks = Vec::new();
        for build in builds {
            tasks.extend([task(build, "json")?, task(build, "svg")?]);
        }
        print_best_of(runs, &tasks)?;
    }
    println!();
    for (nodes, runs) in SIZES {
        let file = write(&folder, nodes)?;
        let mut columns = Vec::new();
        for build in builds {
            columns.push((build.name, measure(build, &file, nodes, runs)?));
        }
        println!("{}", table(&format!("a board of {nodes} nodes: median (99 %)"), &columns));
    }
    Ok(())
}

fn write(folder: &Path, nodes: usize) -> Result<PathBuf> {
    let file = folder.join(format!("{nodes}/large.yaml"));
    std::fs::create_dir_all(file.parent().context("a folder")?)?;
    std::fs::write(&file, large_graph(nodes))?;
    Ok(file)
}

/// What an editor asks for when it opens the board, and after an edit.
fn measure(build: &Build, file: &Path, nodes: usize, runs: usize) -> Result<Column> {
    let mut column = Column::default();
    let folder = file.parent().context("a folder")?;
    let before = std::fs::read_to_string(file)?;
    let uri = uri(file)?;
    let mut client = Client::start(&[text(&build.program)?, "lsp".to_owned()], folder, Value::Null)?;
    client.request("initialize", &initialize(&super::document::uri(folder)?))?.context("no server")?;
    client.notify("initialized", &json!({}))?;
    let document = json!({"uri": uri, "languageId": "yaml", "version": 0, "text": before});
    let opened = client.notify("textDocument/didOpen", &json!({"textDocument": document}))?;
    let (_, graph) = client.answer("workspace/executeCommand", &graph_of(&uri))?.context("no graph")?;
    column.time("opened file to its graph", milliseconds(opened, Instant::now()));
    // Nodes for the start and the end are drawn too.
    let drawn = graph["nodes"].as_array().map_or(0, Vec::len);
    ensure!(drawn >= nodes, "the graph of {nodes} nodes has {drawn}");
    column.add("graph as text", format!("{:.1} MB", graph.to_string().len() as f64 / 1e6));
    let (mut graphs, mut layouts) = (Vec::new(), Vec::new());
    let layout = layout_of(nodes);
    for run in 1..=runs {
        // A space at the end of the file: the graph is made again.
        let end = json!({"line": before.matches('\n').count(), "character": 0});
        let change = json!({"textDocument": {"uri": uri, "version": run},
            "contentChanges": [{"range": {"start": end, "end": end}, "text": " "}]});
        let sent = client.notify("textDocument/didChange", &change)?;
        client.request("workspace/executeCommand", &graph_of(&uri))?.context("no graph")?;
        graphs.push(milliseconds(sent, Instant::now()));
        let (time, places) = client.answer("workspace/executeCommand", &layout)?.context("no layout")?;
        let placed = places["nodes"].as_array().map_or(0, Vec::len);
        ensure!(placed == nodes, "the layout of {nodes} nodes has {placed}");
        layouts.push(time);
    }
    column.times("edit to the new graph", graphs);
    column.times("layout of all nodes", layouts);
    column.time("processor time of the session", client.processor_ms());
    column.memory("peak memory", client.peak());
    client.stop()?;
    Ok(column)
}

/// The graph as the extension for VS Code asks for it.
fn graph_of(uri: &str) -> Value {
    json!({"command": "nodewise.graph", "arguments": [{
        "textDocument": {"uri": uri}, "position": {"line": 0, "character": 0},
        "withoutProblems": true, "nested": true, "compact": true}]})
}

fn layout_of(nodes: usize) -> Value {
    let sizes = vec![json!({"width": NODE.0, "height": NODE.1}); nodes];
    let edges = large_graph_edges(nodes).into_iter().map(|(from, to)| json!({"from": from, "to": to}));
    let edges: Vec<Value> = edges.collect();
    json!({"command": "nodewise.layout", "arguments": [{
        "direction": "best", "room": {"width": WINDOW.0, "height": WINDOW.1}, "nodes": sizes, "edges": edges}]})
}
