//! `cargo xtask grammars`: compares the grammars for editors with the parsers of nodewise.
//!
//! Input is `grammars/` and the conformance tables. Output is the differences. Invariant: external programs (the
//! tree-sitter command, packages from npm) are installed below `target/`, and only `--write` changes a tracked file.

mod agreement;
mod classes;
mod injections;
mod ledger;
mod nesting;
mod parsers;
mod rows;
mod tools;
mod tree;

use std::path::Path;

use anyhow::Result;
use nodewise_expr::agentos;
use nodewise_expr::filtrex;
use nodewise_expr::language::Language;
use nodewise_expr::limance;

use self::rows::Table;
pub(crate) use self::tools::Tools;

/// A language with grammars.
pub(crate) struct Grammar {
    /// The name of its files and scopes.
    pub(crate) name: &'static str,
    /// The name of its parser, as an identifier in C.
    pub(crate) parser: &'static str,
    pub(crate) language: Language,
    pub(crate) tables: &'static [Table],
}

/// Every language with grammars.
pub(crate) const GRAMMARS: [Grammar; 3] = [
    Grammar {
        name: "limance",
        parser: "limance",
        language: limance::LANGUAGE,
        tables: &[
            Table::Columns("tests/data/corpus/liman/limance.tsv"),
            Table::Columns("tests/data/recorded/limance_release.tsv"),
            Table::Columns("tests/data/recorded/limance_evaluation.tsv"),
            Table::Questions("tests/data/recorded/liman_expressions.jsonl"),
        ],
    },
    Grammar {
        name: "filtrex",
        parser: "filtrex",
        language: filtrex::EDGE,
        tables: &[
            Table::Document("tests/data/corpus/cycgraph/conditions.json", "expression"),
            Table::Document("tests/data/recorded/filtrex_conditions.json", "expression"),
            Table::Questions("tests/data/recorded/cycgraph_expressions.jsonl"),
        ],
    },
    Grammar {
        name: "agentos-routing",
        parser: "agentos_routing",
        language: agentos::ROUTING,
        tables: &[
            Table::Document("tests/data/corpus/agentos/conditions.json", "expr"),
            Table::Questions("tests/data/recorded/agentos_expressions.jsonl"),
        ],
    },
];

/// Writes the parsers that tree-sitter generates.
pub(crate) fn write(tools: &Tools) -> Result<()> {
    GRAMMARS.iter().try_for_each(|grammar| tools.generate(&tools.folder(grammar)))
}

/// Runs every check, and prints the differences.
pub(crate) fn check(root: &Path, tools: &Tools) -> Result<bool> {
    let mut is_fine = true;
    for grammar in &GRAMMARS {
        is_fine &= parsers::is_fresh(tools, grammar)?;
        is_fine &= tools.test_corpus(grammar)?;
        is_fine &= agreement::check(root, tools, grammar)?;
    }
    is_fine &= injections::check(root, tools)?;
    is_fine &= tools.test_textmate()?;
    Ok(is_fine)
}
