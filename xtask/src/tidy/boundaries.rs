//! What a crate may never use. The architecture depends on these absences.
//!
//! Input is the code outside of tests. Output is each forbidden name. Invariant: the lists below are the same as the
//! `never` column of ARCHITECTURE.md.

use super::Report;
use crate::repository::{Repository, RustFile};
use crate::rust_source::{find_words, use_paths};

/// The crates that depend only on their input.
const LIBRARY_CRATES: &[&str] = &[
    "syntax", "expr", "model", "dialect", "analysis", "format", "diagram", "ide", "engine", "debugger",
    "wire",
];
const OUTSIDE_WORLD: &[&str] =
    &["std::fs", "std::env", "std::process", "std::net", "std::time::Instant", "std::time::SystemTime"];

const LSP_CRATES: &[&str] = &["lsp_types", "ls_types", "tower_lsp", "tower_lsp_server"];
const LSP_MAY: &[&str] = &["server"];

const ANYHOW_MAY: &[&str] = &["cli", "compare", "durable", "generate", "live", "server", "xtask"];

pub(super) fn check(repository: &Repository) -> Vec<Report> {
    repository
        .rust_files
        .iter()
        .filter(|file| !file.is_for_developers())
        .flat_map(|file| {
            let mut reports = Vec::new();
            if LIBRARY_CRATES.contains(&file.crate_name()) {
                reports.extend(outside_world(file));
            }
            if !LSP_MAY.contains(&file.crate_name()) {
                let names = named(file, LSP_CRATES);
                reports.extend(names.map(|(line, name)| {
                    Report::new(&file.path, line, format!("`{name}`: only `server` may use LSP types"))
                }));
            }
            if !ANYHOW_MAY.contains(&file.crate_name()) {
                let names = named(file, &["anyhow"]);
                reports.extend(names.map(|(line, _)| {
                    let message =
                        format!("`anyhow` outside {}: return a type of your own", ANYHOW_MAY.join(", "));
                    Report::new(&file.path, line, message)
                }));
            }
            reports
        })
        .collect()
}

fn named<'file>(
    file: &'file RustFile,
    names: &'file [&'file str],
) -> impl Iterator<Item = (usize, &'file str)> {
    file.code_lines().flat_map(move |(line, code)| {
        names
            .iter()
            .copied()
            .filter(move |name| find_words(code, name).next().is_some())
            .map(move |name| (line, name))
    })
}

fn outside_world(file: &RustFile) -> Vec<Report> {
    let code = file.source.code.as_str();
    let mut reports = Vec::new();
    for start in find_words(code, "std") {
        let line = code.get(..start).unwrap_or_default().matches('\n').count() + 1;
        if file.source.is_test(line) {
            continue;
        }
        for path in use_paths(code.get(start..).unwrap_or_default()) {
            if let Some(name) = OUTSIDE_WORLD.iter().find(|name| is_within(&path, name)) {
                let message =
                    format!("`{name}` in the library crate `{}`: pass the value in", file.crate_name());
                reports.push(Report::new(&file.path, line, message));
            }
        }
    }
    reports
}

fn is_within(path: &str, name: &str) -> bool {
    path.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}
