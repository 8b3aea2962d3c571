//! Compares the committed parsers with what tree-sitter generates from their grammars.
//!
//! Input is a grammar. Output is whether its files are current. Invariant: the comparison uses a copy below `target/`.

use std::path::Path;

use anyhow::{Context, Result};

use super::Grammar;
use super::tools::Tools;

/// The sources of the parser.
const SOURCES: [&str; 3] = ["grammar.js", "tree-sitter.json", "package.json"];
/// The generated and committed files.
const GENERATED: [&str; 6] = [
    "src/parser.c",
    "src/grammar.json",
    "src/node-types.json",
    "src/tree_sitter/parser.h",
    "src/tree_sitter/alloc.h",
    "src/tree_sitter/array.h",
];

/// Whether the committed parser is current. Prints the files that are not.
pub(crate) fn is_fresh(tools: &Tools, grammar: &Grammar) -> Result<bool> {
    let committed = tools.folder(grammar);
    let copy = tools.work().join("generated").join(grammar.name);
    if copy.exists() {
        std::fs::remove_dir_all(&copy)?;
    }
    std::fs::create_dir_all(&copy)?;
    for source in SOURCES {
        std::fs::copy(committed.join(source), copy.join(source))
            .with_context(|| format!("{source} is missing"))?;
    }
    tools.generate(&copy)?;
    let mut is_fresh = true;
    for file in GENERATED {
        if !is_same(&committed.join(file), &copy.join(file)) {
            is_fresh = false;
            println!(
                "{}: {file} is not what the grammar generates: `cargo xtask grammars --write`",
                grammar.name
            );
        }
    }
    Ok(is_fresh)
}

fn is_same(committed: &Path, generated: &Path) -> bool {
    match (std::fs::read(committed), std::fs::read(generated)) {
        (Ok(committed), Ok(generated)) => committed == generated,
        _ => false,
    }
}
