//! A dialect's keys are only in its table. A copy in other code could become outdated.
//!
//! Input is the tables below `crates/dialect/src/tables` and all other code. Output is string literals that equal a
//! key. Invariant: outside of the tables, only lowering may contain a key. Common English words need a line in
//! [`GENERIC_WORDS`].

use std::collections::BTreeSet;

use super::Report;
use crate::repository::{Repository, RustFile};
use crate::rust_source::is_word_character;

const TABLES: &str = "crates/dialect/src/tables/";

/// The tables of our own documents. Their keys are common words of this project.
const OWN_TABLES: [&str; 2] = ["crates/dialect/src/tables/scenario", "crates/dialect/src/tables/rule"];

/// Where code may contain keys, or where the same words have another meaning.
const EXEMPT: &[&str] = &[
    TABLES,
    "crates/dialect/src/tables.rs",
    "crates/dialect/src/lower.rs",
    "crates/dialect/src/lower/",
    // The protocol defines the words of the server. Texts about declarations come from other crates.
    "crates/server/",
    "crates/dap/",
    // The protocol and the tools define these words. What tools say about declarations comes from the command.
    "crates/mcp/",
    // The keys of a debug configuration, and the ids of what a debugger stops at.
    "crates/project/src/debug_configuration.rs",
    "crates/debugger/src/breakpoints/exceptions.rs",
    // The protocols of services define these words. Declarations reach this crate as the model.
    "crates/live/",
    "crates/durable/",
    "crates/test-support/src/model_server/",
    // The keys of nodewise.toml, some of which are also keys of declarations.
    "crates/project/src/config/schema/live.rs",
    // The keys of JSON output.
    "crates/review/src/json.rs",
    "crates/cli/src/rules.rs",
    "crates/cli/src/trace_key.rs",
    "crates/cli/src/live/runs/cost.rs",
    "crates/cli/src/live/runs/list.rs",
    "crates/cli/src/live/runs/list/remote.rs",
    // The project's own commands. Their facts about declarations come from the libraries.
    "xtask/",
    "crates/compare/",
    "crates/generate/",
    // The names in states and events of runtimes. Documents reach this crate as the model.
    "crates/engine/",
    // The names in states of runtimes, and the keys of the trace, which is a separate format.
    "crates/simulation/",
    // Drawings of graphs. Graphs reach this crate as data, and its words are a separate format.
    "crates/diagram/",
    // The names of fields in the grammar of TypeScript. The options of builders are in the tables.
    "crates/modules/src/calls.rs",
    "crates/modules/src/exports.rs",
    "crates/modules/src/scope.rs",
    // The names of Zod's functions.
    "crates/modules/src/schemas.rs",
    // Lower layers, which do not know declarations.
    "crates/syntax/",
    "crates/expr/",
    "crates/model/",
];

/// The function of the tables' vocabulary whose first argument is a key.
const KEY_FUNCTION: &str = "field";

/// Keys that code may contain for another purpose, with the purpose.
const GENERIC_WORDS: &[(&str, &str)] = &[
    ("name", "a property of manifests, rules and JSON output"),
    ("judge", "a span of the log"),
    ("read", "a span of the log"),
    ("mcp", "a feature of the build"),
    ("untrusted", "a list of nodewise.toml"),
    ("path", "where rules are, in nodewise.toml"),
    ("id", "a property of rules and JSON output"),
    ("type", "a keyword of JSON Schema"),
    ("description", "a keyword of JSON Schema"),
    ("title", "a keyword of JSON Schema"),
    ("default", "a keyword of JSON Schema"),
    ("properties", "a keyword of JSON Schema"),
    ("required", "a keyword of JSON Schema"),
    ("pattern", "a keyword of JSON Schema"),
    ("to", "an English word in messages"),
    ("from", "an option of `nodewise run`"),
    ("text", "an English word in messages"),
    ("expression", "what a fault is about, and a property of JSON input"),
    ("value", "a property of JSON output"),
    ("input", "a kind of fault in JSON output"),
    ("target", "a property of JSON output, and of a Cargo manifest"),
    ("list", "a type's name in messages"),
    ("prompt", "an English word in messages"),
    ("models", "a property of JSON output"),
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
    ("budget", "what a change is about"),
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

/// Every key in a table, except common words.
fn table_keys(repository: &Repository) -> BTreeSet<&str> {
    repository
        .rust_files
        .iter()
        .filter(|file| file.path.starts_with(TABLES))
        .filter(|file| !OWN_TABLES.iter().any(|own| file.path.starts_with(own)))
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
