//! The documents that there are verdicts about, each with what `nodewise check` finds in it.

use std::path::{Path, PathBuf};
use std::process::Command;

use nodewise_dialect::value::SpannedValue as Located;
use nodewise_model::SourceId;
use serde_json::Value;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Folders of documents: the schema, where its projects lie, and what they are called.
const FOLDERS: &[(&str, &str)] = &[
    ("liman", "tests/data/corpus/liman"),
    ("cycgraph", "tests/data/corpus/cycgraph"),
    ("agentos", "tests/data/corpus/agentos/valid"),
    ("agentos", "tests/data/corpus/agentos/invalid"),
    ("agentos", "tests/data/corpus/agentos/implied"),
    ("liman", "examples/liman"),
    ("cycgraph", "examples/cycgraph"),
    ("agentos", "examples/agentos"),
    ("liman", "examples/liman-broken"),
    ("cycgraph", "examples/cycgraph-broken"),
    ("agentos", "examples/agentos-broken"),
];

/// Folders of the corpora that hold runs: documents about declarations, no declarations themselves.
const RUNS: [&str; 2] = ["runs", "scenarios"];
/// Those whose documents hold a graph, and the key.
const GRAPHS_OF_RUNS: &[(&str, &str)] =
    &[("cycgraph", "tests/data/corpus/cycgraph/scenarios"), ("agentos", "tests/data/corpus/agentos/runs")];
const GRAPH: &str = "graph";
/// Pages whose examples run, and the schema of the graphs in them; behind a fence stands what a block is.
const PAGES: &[(&str, &str)] = &[
    ("liman", "docs/simulation/liman.md"),
    ("cycgraph", "docs/simulation/cycgraph.md"),
    ("agentos", "docs/simulation/agentos.md"),
];
/// The page whose examples are all parts of scripts and scenarios.
const SCRIPTS: &str = "docs/scripts.md";

/// A document of a file.
pub(crate) struct Document {
    /// The schema that speaks of it.
    pub(crate) schema: &'static str,
    /// The file, from the root of the repository; behind `#`, the part of it that is a text by itself.
    pub(crate) path: String,
    /// Its line in the file, from 1.
    pub(crate) line: usize,
    /// Its text alone.
    pub(crate) text: String,
    pub(crate) value: Value,
    /// What is found in it, hints left out.
    pub(crate) findings: Vec<Finding>,
}

/// What `nodewise check` finds.
#[derive(Clone)]
pub(crate) struct Finding {
    pub(crate) rule: String,
    /// What is said, and the class of the specification.
    pub(crate) message: String,
    line: usize,
}

/// Every document, in the order of paths and lines.
pub(crate) fn documents() -> Vec<Document> {
    let mut documents: Vec<Document> =
        FOLDERS.iter().flat_map(|(schema, folder)| documents_below(schema, folder)).collect();
    documents.extend(GRAPHS_OF_RUNS.iter().flat_map(|(schema, folder)| graphs_of_runs(schema, folder)));
    for (graphs, page) in PAGES {
        for (words, line, text) in blocks(&file_text(page)) {
            let schema = if words.contains("script") { "scenario" } else { graphs };
            if words.starts_with("yaml ") && !words.contains("broken") {
                documents.extend(documents_of(schema, &format!("{page}#{line}"), &text, &[]));
            }
        }
    }
    for (words, line, text) in blocks(&file_text(SCRIPTS)) {
        if words == "yaml" {
            documents.extend(documents_of("scenario", &format!("{SCRIPTS}#{line}"), &text, &[]));
        }
    }
    documents
}

/// The blocks of a page: what stands behind the fence, the line, the text.
pub(crate) fn blocks(page: &str) -> Vec<(String, usize, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, usize, String)> = None;
    for (number, line) in page.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some((_, _, text)), None) => text.push_str(&format!("{line}\n")),
            (None, Some(words)) => open = Some((words.to_owned(), number + 1, String::new())),
            (None, None) => {}
        }
    }
    blocks
}

fn graphs_of_runs(schema: &'static str, folder: &str) -> Vec<Document> {
    let mut documents = Vec::new();
    for path in files(&Path::new(ROOT).join(folder)) {
        let path = relative(&path);
        for job in documents_of(schema, &path, &file_text(&path), &[]) {
            if let Some(graph) = job.value.get(GRAPH) {
                let text = format!("{graph}\n");
                documents.extend(documents_of(schema, &format!("{path}#{GRAPH}"), &text, &[]));
            }
        }
    }
    documents
}

fn relative(path: &Path) -> String {
    path.strip_prefix(ROOT).unwrap().to_str().unwrap().replace('\\', "/")
}

/// A schema as the command prints it.
pub(crate) fn schema(name: &str) -> Value {
    printed_schema(&[name])
}

/// The schema that the command prints for these words.
pub(crate) fn printed_schema(words: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nodewise"));
    let output = command.arg("schema").args(words).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The text of a file of the repository.
pub(crate) fn file_text(path: &str) -> String {
    std::fs::read_to_string(Path::new(ROOT).join(path)).unwrap()
}

fn documents_below(schema: &'static str, folder: &str) -> Vec<Document> {
    let found = findings(folder);
    let mut documents = Vec::new();
    for path in files(&Path::new(ROOT).join(folder)) {
        let path = relative(&path);
        let own = found.iter().filter(|(file, _)| *file == path).map(|(_, finding)| finding);
        let own: Vec<&Finding> = own.collect();
        documents.extend(documents_of(schema_of(schema, &path), &path, &file_text(&path), &own));
    }
    documents
}

/// Scripts, scenarios and evals stand among the declarations that they are for.
fn schema_of(schema: &'static str, path: &str) -> &'static str {
    let is_ours = [".script.", ".scenario.", ".eval."].iter().any(|part| path.contains(part));
    if is_ours { "scenario" } else { schema }
}

fn documents_of(schema: &'static str, path: &str, text: &str, findings: &[&Finding]) -> Vec<Document> {
    let tree = nodewise_syntax::parse(text);
    let roots: Vec<_> = tree.documents().filter_map(|document| document.root()).collect();
    let begins: Vec<usize> = roots.iter().map(|root| usize::from(root.range().start())).collect();
    let mut documents = Vec::new();
    for (number, root) in roots.into_iter().enumerate() {
        let begin = begins[number];
        let end = begins.get(number + 1).copied().unwrap_or(text.len());
        let line = 1 + text[..begin].matches('\n').count();
        let next = if end == text.len() { usize::MAX } else { 1 + text[..end].matches('\n').count() };
        // Findings about the whole file stand before its first document.
        let first = if number == 0 { 0 } else { line };
        let own = findings.iter().filter(|finding| (first..next).contains(&finding.line));
        // Behind the mark of the next document stand its comments.
        let part = &text[begin..end];
        let part =
            if end == text.len() { part } else { part.rsplit_once("\n---").map_or(part, |(own, _)| own) };
        documents.push(Document {
            schema,
            path: path.to_owned(),
            line,
            text: format!("{}\n", part.trim_end()),
            value: Located::from_node(root, SourceId::default()).to_json(),
            findings: own.map(|finding| (*finding).clone()).collect(),
        });
    }
    documents
}

/// What is found below a folder, by file. Each folder in it is a project where the folder itself is none.
fn findings(folder: &str) -> Vec<(String, Finding)> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nodewise"));
    command.args(["check", "--format", "json"]).current_dir(Path::new(ROOT).join(folder));
    let mut projects: Vec<PathBuf> = entries(&Path::new(ROOT).join(folder));
    if projects.iter().any(|path| path.is_file() && path.extension().is_some_and(|ending| ending == "yaml")) {
        projects = vec![PathBuf::from(".")];
    }
    projects.retain(|path| path.is_dir());
    let output = command.args(&projects).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{folder}: {}", String::from_utf8_lossy(&output.stderr)));
    let diagnostics = report["diagnostics"].as_array().unwrap().iter();
    let counting = diagnostics.filter(|diagnostic| diagnostic["severity"] != "hint");
    let found = counting.map(|diagnostic| {
        let text = |key: &str| diagnostic[key].as_str().unwrap().to_owned();
        let line = diagnostic["range"]["start"]["line"].as_u64().unwrap_or_default();
        let file = text("file");
        let file = file.strip_prefix(ROOT).map_or(file.as_str(), |file| file.trim_start_matches('/'));
        let file = if file.starts_with(folder) { file.to_owned() } else { format!("{folder}/{file}") };
        let message = format!("{} ({})", text("message"), diagnostic["spec"].as_str().unwrap_or_default());
        (file, Finding { rule: text("rule"), message, line: line as usize })
    });
    found.collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in entries(folder) {
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && !RUNS.contains(&name) {
            files.extend(self::files(&path));
        } else if name.ends_with(".yaml") || name.ends_with(".yml") || is_declaration_in_json(&path) {
            files.push(path);
        }
    }
    files
}

/// What was recorded about documents is JSON too.
fn is_declaration_in_json(path: &Path) -> bool {
    let name = path.file_name().unwrap().to_str().unwrap();
    let is_record = ["expected.json", "conditions.json", "oracle.json"].contains(&name);
    name.ends_with(".json") && !is_record
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    entries
}
