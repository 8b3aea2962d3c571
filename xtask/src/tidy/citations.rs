//! Citations of the systems' specifications: `agentos:I42` in code and comments is a row or a section of `docs/spec`.
//!
//! Input is the Rust files of the crates and the pages of `docs/spec`; output is the citations without an anchor there.
//! Invariant: the anchors are written in the pages alone, as `<a id="I42"></a>`.

use std::collections::BTreeSet;

use super::Report;
use crate::repository::Repository;

const SYSTEMS: &[&str] = &["agentos", "cycgraph", "liman"];
const ANCHOR: &str = "<a id=\"";

pub(super) fn check(repository: &Repository) -> Vec<Report> {
    let mut reports = Vec::new();
    for system in SYSTEMS {
        let page = format!("docs/spec/{system}.md");
        let Some(text) = repository.text(&page) else { continue };
        let anchors: BTreeSet<&str> =
            text.split(ANCHOR).skip(1).filter_map(|rest| Some(rest.split_once('"')?.0)).collect();
        for file in repository.files.iter().filter(|file| is_code(&file.path)) {
            for (index, line) in file.text.lines().enumerate() {
                for class in cited(line, system).filter(|class| !anchors.contains(class)) {
                    let message = format!("`{system}:{class}` has no anchor in {page}");
                    reports.push(Report::new(&file.path, index + 1, message));
                }
            }
        }
    }
    reports
}

/// Code that users get; tests may make up classes.
fn is_code(path: &str) -> bool {
    path.starts_with("crates/") && path.ends_with(".rs") && !path.contains("/tests/")
}

/// The classes of a system that a line cites.
fn cited<'l>(line: &'l str, system: &str) -> impl Iterator<Item = &'l str> {
    let mark = format!("{system}:");
    let starts: Vec<usize> = line.match_indices(&mark).map(|(start, _)| start).collect();
    starts.into_iter().filter_map(move |start| {
        let is_word =
            line[..start].ends_with(|letter: char| letter.is_alphanumeric() || "_-/:#".contains(letter));
        let rest = &line[start + mark.len()..];
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || "-.".contains(letter);
        let class = rest.split(|letter| !is_part(letter)).next()?.trim_end_matches(['.', '-']);
        // `cycgraph::` is a path, and `cycgraph:R` the beginning of a class.
        let is_whole =
            !rest.starts_with(':') && class.len() > 1 || class.chars().all(|one| one.is_ascii_digit());
        (!is_word && is_whole && !class.is_empty()).then_some(class)
    })
}
