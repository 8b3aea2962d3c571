//! A dialect's keys stand in its table: other code that repeats one as text would drift from it.
//!
//! Input is the tables below `crates/dialect/src/tables` and all other code; output is string
//! literals that equal a key. Invariant: beside the tables only lowering
//! may spell a key; words that are ordinary English need a line in [`GENERIC_WORDS`].

use std::collections::BTreeSet;

use super::Report;
use crate::repository::{Repository, RustFile};
use crate::rust_source::is_word_character;

const TABLES: &str = "crates/dialect/src/tables/";

/// The table of our own documents: their keys are the words in which this whole project speaks of runs.
const OWN_TABLE: &str = "crates/dialect/src/tables/scenario";

/// Where a key may be spelled, or where the same word cannot mean one.
const EXEMPT: &[&str] = &[
    TABLES,
    "crates/dialect/src/tables.rs",
    "crates/dialect/src/lower.rs",
    "crates/dialect/src/lower/",
    // The wire, whose words are the protocol's; what is said about declarations comes from below.
    "crates/server/",
    // What services are told and tell: the words are their protocols'; declarations come to it as model.
    "crates/live/",
    "crates/test-support/src/model_server/",
    // The words of nodewise.toml, which name what declarations name too.
    "crates/project/src/config/schema/live.rs",
    // The words of a list that programs read.
    "crates/cli/src/live/runs/list.rs",
    // The project's own commands: what they say about declarations is generated or asked, never decided.
    "xtask/",
    "crates/compare/",
    // What runtimes call things in their states and events; documents come to it as model.
    "crates/engine/",
    // What runs are made of: the names of runtimes' states, and the words of the trace, which is a format of its own.
    "crates/simulation/",
    // Pictures of graphs, which come to it as data; the words for their parts are a format of its own.
    "crates/diagram/",
    // Layers below the dialects, which know no declaration.
    "crates/syntax/",
    "crates/expr/",
    "crates/model/",
];

/// The function of the tables' vocabulary whose first argument is a key.
const KEY_FUNCTION: &str = "field";

/// Keys that code may spell for another purpose, and that purpose.
const GENERIC_WORDS: &[(&str, &str)] = &[
    ("name", "a property of manifests, rules and JSON output"),
    ("judge", "a span of the log"),
    ("read", "a span of the log"),
    ("id", "a property of rules and JSON output"),
    ("type", "a keyword of JSON Schema"),
    ("description", "a keyword of JSON Schema"),
    ("title", "a keyword of JSON Schema"),
    ("default", "a keyword of JSON Schema"),
    ("properties", "a keyword of JSON Schema"),
    ("required", "a keyword of JSON Schema"),
    ("pattern", "a keyword of JSON Schema"),
    ("to", "an English word in messages"),
    ("text", "an English word in messages"),
    ("expression", "what a fault is about, and a property of JSON input"),
    ("value", "a property of JSON output"),
    ("input", "a kind of fault in JSON output"),
    ("target", "a property of JSON output, and of a Cargo manifest"),
    ("list", "a type's name in messages"),
    ("tool", "an English word in messages"),
    ("kind", "what a completion's documentation is about"),
    ("node", "an English word in hovers and messages"),
    ("graph", "an English word in titles"),
    ("model", "an English word in hovers and messages"),
    ("extension", "an English word in hovers and messages"),
    ("trait", "an English word in hovers and messages"),
    ("language", "the head of a column in hovers"),
    ("condition", "an English word in details"),
    ("output", "an English word in details"),
    ("memory", "a name of the state in filtrex expressions"),
    ("constraints", "a name of the state in cycgraph runs"),
    ("tags", "a property of rules in SARIF"),
    ("style", "a category of rules"),
];

pub(super) fn check(repository: &Repository) -> Vec<Report> {
    let keys = table_keys(repository);
    repository
        .rust_files
        .iter()
        .filter(|file| {
            !file.is_for_developers() && !EXEMPT.iter().any(|exempt| file.path.starts_with(exempt))
        })
        .flat_map(|file| repeated_keys(file, &keys))
        .collect()
}

/// Every key that a table defines, ordinary words left out.
fn table_keys(repository: &Repository) -> BTreeSet<&str> {
    repository
        .rust_files
        .iter()
        .filter(|file| file.path.starts_with(TABLES) && !file.path.starts_with(OWN_TABLE))
        .filter(|file| !file.is_test_file())
        .flat_map(|file| {
            let code = file.source.code.as_str();
            let is_key = move |offset: usize| follows_key_function(code.get(..offset).unwrap_or_default());
            file.source.literals.iter().filter(move |literal| is_key(literal.offset))
        })
        .map(|literal| literal.content.as_str())
        .filter(|key| GENERIC_WORDS.iter().all(|(word, _)| word != key))
        .collect()
}

fn follows_key_function(before: &str) -> bool {
    let callee = before.trim_end().strip_suffix('(');
    let lead = callee.and_then(|callee| callee.strip_suffix(KEY_FUNCTION));
    lead.is_some_and(|lead| !lead.ends_with(is_word_character))
}

fn repeated_keys<'file>(
    file: &'file RustFile,
    keys: &'file BTreeSet<&str>,
) -> impl Iterator<Item = Report> + 'file {
    file.source
        .literals
        .iter()
        .filter(|literal| keys.contains(literal.content.as_str()) && !file.source.is_test(literal.line))
        .map(|literal| {
            let message = format!("\"{}\" is a key of a dialect: read it from the table", literal.content);
            Report::new(&file.path, literal.line, message)
        })
}
