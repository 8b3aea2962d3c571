//! Checks the queries that find expressions in YAML and JSON, with annotated documents.
//!
//! Input is the documents in `grammars/tests`. Output is whether the queries capture exactly the values with the word
//! `found`. Invariant: a query without captures is a failure.

use std::path::Path;

use anyhow::Result;

use super::tools::Tools;

/// A language that contains expressions: its parser in the packages from npm, the query, and the document.
struct Host {
    parser: &'static str,
    package: &'static str,
    query: &'static str,
    document: &'static str,
}

const HOSTS: [Host; 2] = [
    Host {
        parser: "yaml",
        package: "@tree-sitter-grammars/tree-sitter-yaml",
        query: "grammars/queries/yaml/injections.scm",
        document: "grammars/tests/injections.yaml",
    },
    Host {
        parser: "json",
        package: "tree-sitter-json",
        query: "grammars/queries/json/injections.scm",
        document: "grammars/tests/injections.json",
    },
];

/// Marks the values that a query has to find.
const FOUND: &str = "found";

/// Whether the queries find the marked values. Prints the differences.
pub(crate) fn check(root: &Path, tools: &Tools) -> Result<bool> {
    let mut is_fine = true;
    for host in &HOSTS {
        let document = root.join(host.document);
        let text = std::fs::read_to_string(&document)?;
        let printed = tools.host_captures(host.parser, host.package, &root.join(host.query), &document)?;
        let mut captured: Vec<usize> = printed
            .lines()
            .filter_map(|line| {
                line.split_once("injection.content, start: (")?.1.split_once(',')?.0.parse().ok()
            })
            .collect();
        captured.sort_unstable();
        let wanted: Vec<usize> = lines_that_begin_a_value(&text);
        if wanted.is_empty() || captured != wanted {
            is_fine = false;
            println!("{}: the values in these lines (from 0) have to be found: {wanted:?}", host.document);
            println!("{}: those in these are: {captured:?}", host.document);
        }
    }
    Ok(is_fine)
}

/// The first lines of the marked values. For a block scalar, the line of its header.
fn lines_that_begin_a_value(text: &str) -> Vec<usize> {
    let lines: Vec<&str> = text.lines().collect();
    let is_header = |line: &&str| {
        let (_, value) = line.split_once(": ").unwrap_or_default();
        value.starts_with(['|', '>'])
    };
    let with_word = lines.iter().enumerate().filter(|(_, line)| line.contains(FOUND));
    let mut begins: Vec<usize> = with_word
        .map(|(number, line)| {
            let above = number.checked_sub(1).and_then(|above| lines.get(above));
            if !line.contains(": ") && above.is_some_and(is_header) { number - 1 } else { number }
        })
        .collect();
    begins.dedup();
    begins
}
