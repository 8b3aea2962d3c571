//! The words that texts do not use, as `docs/style.md` lists them.
//!
//! Input is the table of the style page and the texts of the folders below; output is the places that use one of its words.
//! Invariant: the words are written in the style page alone, and code blocks and inline code are never prose.

use std::collections::BTreeMap;

use super::Report;
use crate::repository::Repository;
use crate::rust_source::RustSource;

const STYLE: &str = "docs/style.md";
const TABLE: &str = "| do not write | write instead |";
const FENCE: &str = "```";
/// In a phrase of the table, this stands for up to [`LONGEST_GAP`] words.
const GAP: &str = "…";
const LONGEST_GAP: usize = 4;
/// Separates sentences and cells, so that no phrase extends over both.
const STOP: &str = ".";

/// A folder or file, and the number of such words that it may still have. The longest prefix counts. A number only falls.
const FOLDERS: &[(&str, usize)] = &[
    ("README.md", 0),
    ("CONTRIBUTING.md", 0),
    ("ARCHITECTURE.md", 0),
    ("CHANGELOG.md", 0),
    ("GLOSSARY.md", 0),
    ("docs/", 0),
    ("crates/analysis/", 0),
    ("crates/cli/", 0),
    ("crates/compare/", 0),
    ("crates/diagram/", 0),
    ("crates/dialect/", 0),
    ("crates/engine/", 0),
    ("crates/expr/", 0),
    ("crates/format/", 0),
    ("crates/generate/", 0),
    ("crates/ide/", 0),
    ("crates/live/", 0),
    ("crates/model/", 0),
    ("crates/project/", 0),
    ("crates/server/", 0),
    ("crates/simulation/", 0),
    ("crates/syntax/", 0),
    ("crates/test-support/", 0),
    ("xtask/", 0),
];

/// A phrase that must not be used, and its replacement.
struct Phrase {
    words: Vec<String>,
    instead: String,
}

struct Word {
    text: String,
    /// From 1.
    line: usize,
}

pub(super) fn check(repository: &Repository) -> Vec<Report> {
    let Some(style) = repository.text(STYLE) else { return Vec::new() };
    let phrases = phrases(style);
    if phrases.is_empty() {
        return vec![Report::new(STYLE, 0, format!("it has no table `{TABLE}`"))];
    }
    let mut found: Vec<Vec<Report>> = FOLDERS.iter().map(|_| Vec::new()).collect();
    let pages = repository.files.iter().filter(|file| file.path.ends_with(".md"));
    let code = repository.rust_files.iter().filter(|file| !is_test(&file.path));
    let proses = pages
        .map(|file| (&file.path, markdown_prose(&file.text)))
        .chain(code.map(|file| (&file.path, rust_prose(&file.source))));
    for (path, prose) in proses {
        let Some(reports) = folder_of(path).and_then(|folder| found.get_mut(folder)) else { continue };
        for (line, phrase) in used(&phrases, &words(&prose)) {
            let written = phrase.words.join(" ");
            let message = format!("`{written}`: write {} ({STYLE})", phrase.instead);
            reports.push(Report::new(path, line, message));
        }
    }
    let budgets = FOLDERS.iter().map(|(_, budget)| *budget);
    found
        .into_iter()
        .zip(budgets)
        .filter(|(found, budget)| found.len() > *budget)
        .flat_map(|(found, _)| found)
        .collect()
}

/// The lines of a Rust file that use a word of the table.
#[cfg(test)]
pub(super) fn lines_in_rust(style: &str, source: &str) -> Vec<usize> {
    let words = words(&rust_prose(&RustSource::read(source)));
    used(&phrases(style), &words).into_iter().map(|(line, _)| line).collect()
}

/// The entry of [`FOLDERS`] that a path belongs to.
fn folder_of(path: &str) -> Option<usize> {
    let fits = FOLDERS.iter().enumerate().filter(|(_, (prefix, _))| path.starts_with(prefix));
    fits.max_by_key(|(_, (prefix, _))| prefix.len()).map(|(index, _)| index)
}

fn is_test(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.contains("/tests/")
}

/// The rows of the table.
fn phrases(style: &str) -> Vec<Phrase> {
    let rows =
        style.lines().skip_while(|line| *line != TABLE).skip(2).take_while(|line| line.starts_with('|'));
    let mut phrases = Vec::new();
    for row in rows {
        let mut cells = row.trim_matches('|').split('|');
        let (Some(words), Some(instead)) = (cells.next(), cells.next()) else { continue };
        phrases.extend(words.split('`').skip(1).step_by(2).map(|phrase| Phrase {
            words: phrase.split(' ').map(str::to_lowercase).collect(),
            instead: instead.trim().to_owned(),
        }));
    }
    phrases
}

/// The phrases in a text, each with the line on which it begins.
fn used<'p>(phrases: &'p [Phrase], words: &[Word]) -> Vec<(usize, &'p Phrase)> {
    let mut by_first: BTreeMap<&str, Vec<&Phrase>> = BTreeMap::new();
    for phrase in phrases {
        if let Some(first) = phrase.words.first() {
            by_first.entry(first).or_default().push(phrase);
        }
    }
    let mut used = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let candidates = by_first.get(word.text.as_str()).into_iter().flatten().copied();
        let rest = words.get(at..).unwrap_or_default();
        used.extend(candidates.filter(|phrase| fits(&phrase.words, rest)).map(|phrase| (word.line, phrase)));
    }
    used
}

/// Whether the words begin with the phrase.
fn fits(phrase: &[String], words: &[Word]) -> bool {
    let Some((first, phrase)) = phrase.split_first() else { return true };
    if first == GAP {
        let until_stop = words.iter().take_while(|word| word.text != STOP).count();
        return (1..=LONGEST_GAP.min(until_stop))
            .any(|gap| words.get(gap..).is_some_and(|rest| fits(phrase, rest)));
    }
    words.split_first().is_some_and(|(word, rest)| word.text == *first && fits(phrase, rest))
}

/// The words of a text in lower case. The end of a sentence or a cell is a word of its own.
fn words(prose: &str) -> Vec<Word> {
    let mut words = Vec::new();
    for (index, line) in prose.lines().enumerate() {
        let line_number = index + 1;
        if line.trim().is_empty() {
            words.push(Word { text: STOP.to_owned(), line: line_number });
        }
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '\'' || letter == '-';
        for piece in line.split_inclusive(|letter: char| !is_part(letter)) {
            let text = piece.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
            if !text.is_empty() {
                words.push(Word { text, line: line_number });
            }
            if piece.ends_with(['.', ',', ';', ':', '|', '(', ')', '!', '?']) {
                words.push(Word { text: STOP.to_owned(), line: line_number });
            }
        }
    }
    words
}

/// The text of a page without code blocks, inline code and addresses of links. Line numbers stay the same.
fn markdown_prose(text: &str) -> String {
    let mut prose = String::new();
    let mut is_code = false;
    for line in text.lines() {
        let is_fence = line.trim_start().starts_with(FENCE);
        is_code ^= is_fence;
        if !is_code && !is_fence {
            prose.push_str(&without_code(line));
        }
        // A code block ends a sentence.
        prose.push_str(if is_code || is_fence { ".\n" } else { "\n" });
    }
    prose
}

/// A line without inline code and addresses of links.
fn without_code(line: &str) -> String {
    let line = line.replace("``", "`");
    let mut prose = String::new();
    for (index, part) in line.split('`').enumerate() {
        prose.push_str(if index % 2 == 0 { part } else { "(code)" });
    }
    let mut parts = prose.split("](");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        kept.push(' ');
        kept.push_str(part.split_once(')').map_or("", |(_, rest)| rest));
    }
    kept
}

/// The comments and string literals of a Rust file. Line numbers stay the same.
fn rust_prose(source: &RustSource) -> String {
    let mut prose = String::new();
    let mut start = 0;
    for (index, line) in source.text.split_inclusive('\n').enumerate() {
        let line_start = start;
        start += line.len();
        if source.is_test(index + 1) {
            prose.push('\n');
            continue;
        }
        let kept: String = line
            .char_indices()
            .map(|(at, letter)| match source.code.as_bytes().get(line_start + at) {
                Some(b' ' | b'\n') => letter,
                _ => ' ',
            })
            .collect();
        prose.push_str(&without_code(&kept.replace("//!", " ").replace("///", " ")));
    }
    prose
}
