//! The expressions of the conformance tables.
//!
//! Input is the checkout. Output is each language's expressions without repetitions, in the order of the tables.
//! Invariant: a table without expressions is an error.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// A table of expressions, with its format.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Table {
    /// Tab-separated, the expression as JSON in the first column.
    Columns(&'static str),
    /// JSON lines with a question each.
    Questions(&'static str),
    /// A JSON document with the expressions under this key.
    Document(&'static str, &'static str),
}

/// The expressions of these tables.
pub(crate) fn read(root: &Path, tables: &[Table]) -> Result<Vec<String>> {
    let mut seen = BTreeSet::new();
    let mut rows = Vec::new();
    for table in tables {
        let found = table.rows(root).with_context(|| format!("{table:?} cannot be read"))?;
        ensure!(!found.is_empty(), "{table:?} contains no expressions");
        rows.extend(found.into_iter().filter(|row| seen.insert(row.clone())));
    }
    Ok(rows)
}

impl Table {
    fn rows(self, root: &Path) -> Result<Vec<String>> {
        let text = |path: &str| std::fs::read_to_string(root.join(path));
        match self {
            Table::Columns(path) => text(path)?
                .lines()
                .filter(|line| !line.starts_with('#'))
                .map(|line| Ok(serde_json::from_str(line.split('\t').next().unwrap_or_default())?))
                .collect(),
            Table::Questions(path) => {
                let mut rows = Vec::new();
                for line in text(path)?.lines() {
                    let row: Value = serde_json::from_str(line)?;
                    rows.extend(row["question"]["expression"].as_str().map(str::to_owned));
                }
                Ok(rows)
            }
            Table::Document(path, key) => {
                let mut rows = Vec::new();
                collect(&serde_json::from_str(&text(path)?)?, key, &mut rows);
                Ok(rows)
            }
        }
    }
}

/// Every text under a key, at any depth.
fn collect(value: &Value, wanted: &str, rows: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(item, wanted, rows)),
        Value::Object(entries) => {
            for (key, entry) in entries {
                match entry {
                    Value::String(text) if key == wanted => rows.push(text.clone()),
                    _ => collect(entry, wanted, rows),
                }
            }
        }
        _ => {}
    }
}
