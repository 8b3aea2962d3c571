//! Citations in comments, rules and pages exist: `agentos:I42` is an anchor of `docs/spec/agentos.md`.
//!
//! Input is every Rust file and every Markdown page. Output is citations without an anchor, and citations of sections
//! without their system. Invariant: only the pages in `docs/spec` are used.

use std::collections::BTreeSet;

use super::Report;
use super::links::anchors_of;
use crate::repository::{Repository, RustFile};
use crate::rust_source::is_word_character;

const FOLDER: &str = "docs/spec/";
/// A citation without its page.
const SECTION_SIGN: char = '\u{a7}';

pub(super) fn check(repository: &Repository) -> Vec<Report> {
    let pages: Vec<(&str, BTreeSet<String>)> = repository
        .files
        .iter()
        .filter_map(|file| {
            let system = file.path.strip_prefix(FOLDER)?.strip_suffix(".md")?;
            Some((system, anchors_of(&file.text)))
        })
        .collect();
    let mut reports = Vec::new();
    for file in &repository.rust_files {
        reports.extend(check_text(&file.path, &file.source.text, &pages, |offset| is_cited(file, offset)));
    }
    for file in repository.files.iter().filter(|file| file.path.ends_with(".md")) {
        reports.extend(check_text(&file.path, &file.text, &pages, |_| true));
    }
    reports
}

fn check_text(
    path: &str,
    text: &str,
    pages: &[(&str, BTreeSet<String>)],
    is_cited: impl Fn(usize) -> bool,
) -> Vec<Report> {
    let line_at = |offset: usize| text.get(..offset).unwrap_or_default().matches('\n').count() + 1;
    let mut reports = Vec::new();
    for (offset, _) in text.match_indices(SECTION_SIGN).filter(|(offset, _)| is_cited(*offset)) {
        let message = "cite the section with its system: `liman:2.9`";
        reports.push(Report::new(path, line_at(offset), message));
    }
    for (system, anchors) in pages {
        for (offset, class) in citations(text, system) {
            if !anchors.contains(class) && is_cited(offset) {
                let message = format!("`{system}:{class}` has no anchor in {FOLDER}{system}.md");
                reports.push(Report::new(path, line_at(offset), message));
            }
        }
    }
    reports
}

/// The citations of a system, each with its place and its class.
fn citations<'t>(text: &'t str, system: &'t str) -> impl Iterator<Item = (usize, &'t str)> {
    text.match_indices(system).filter_map(move |(offset, _)| {
        let before = text.get(..offset)?.chars().next_back();
        if before.is_some_and(|before| is_word_character(before) || matches!(before, '-' | '/' | '.' | ':')) {
            return None;
        }
        let behind = text.get(offset + system.len()..)?.strip_prefix(':')?;
        let is_part =
            |character: char| character.is_ascii_alphanumeric() || matches!(character, '-' | '.' | '_');
        let end = behind.find(|character| !is_part(character)).unwrap_or(behind.len());
        let class = behind.get(..end)?.trim_end_matches('.');
        (!class.is_empty()).then_some((offset, class))
    })
}

/// Whether a place is in a comment, or in a text that users may see. Texts of tests can contain anything.
fn is_cited(file: &RustFile, offset: usize) -> bool {
    let source = &file.source;
    let literal = source.literals.iter().find(|literal| {
        // A raw text has quotes and a prefix in addition to its content.
        let end = source.text.get(literal.offset..).and_then(|text| text.find(literal.content.as_str()));
        end.is_some_and(|start| {
            (literal.offset..literal.offset + start + literal.content.len()).contains(&offset)
        })
    });
    match literal {
        Some(literal) => !file.is_test_file() && !source.is_test(literal.line),
        // In the code, comments are replaced with spaces.
        None => source.code.as_bytes().get(offset) == Some(&b' '),
    }
}
