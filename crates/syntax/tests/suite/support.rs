//! What the proofs share: where data is, the key paths of a document, random numbers.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use nodewise_syntax::{NodeValue, SyntaxNode, Tree};

/// A file of the optional shared data; absent data is an error on CI alone.
#[allow(clippy::disallowed_methods, reason = "tests read their data")]
pub(crate) fn shared_file(name: &str) -> Option<String> {
    let root =
        std::env::var_os("NODEWISE_SHARED").map_or_else(|| checkout().join("../shared"), PathBuf::from);
    match std::fs::read_to_string(root.join(name)) {
        Ok(text) => Some(text),
        Err(error) => {
            let is_ci = std::env::var("CI").is_ok_and(|value| value == "true");
            assert!(!is_ci, "{name} is needed on CI: {error}");
            eprintln!("skipped: {name} is not here ({error}); set NODEWISE_SHARED");
            None
        }
    }
}

/// A file of the committed corpora.
#[allow(clippy::disallowed_methods, reason = "tests read their data")]
pub(crate) fn corpus_file(name: &str) -> String {
    std::fs::read_to_string(corpus().join(name)).unwrap()
}

/// The YAML and JSON files of the committed corpora below `folder`, by name.
pub(crate) fn corpus_files(folder: &str) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    collect(&corpus().join(folder), &mut files);
    assert!(!files.is_empty(), "no corpus in {folder}");
    files
}

#[allow(clippy::disallowed_methods, reason = "tests read their data")]
fn collect(folder: &Path, files: &mut BTreeMap<String, String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "yaml" || extension == "json") {
            let text = String::from_utf8(std::fs::read(&path).unwrap()).unwrap();
            files.insert(path.display().to_string(), text);
        }
    }
}

fn corpus() -> PathBuf {
    checkout().join("tests/data/corpus")
}

fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// How the items of sequences appear in key paths.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Items {
    /// By their index.
    Numbered,
    /// Alike: an edit that adds or removes an item does not rename all items behind it.
    Alike,
}

/// A key path (mapping keys and sequence items from the document root), and where its parts are written.
pub(crate) struct KeyPath {
    pub(crate) name: String,
    pub(crate) parts: Vec<Range<usize>>,
}

/// The key paths of a tree, in the order of the text.
pub(crate) fn key_paths(tree: &Tree, items: Items) -> Vec<KeyPath> {
    let mut paths = Vec::new();
    for document in tree.documents() {
        if let Some(root) = document.root() {
            add_paths(root, &KeyPath { name: String::new(), parts: Vec::new() }, items, &mut paths);
        }
    }
    paths
}

/// How often each path occurs.
pub(crate) fn counted<'a>(paths: impl IntoIterator<Item = &'a KeyPath>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for path in paths {
        *counts.entry(path.name.clone()).or_default() += 1;
    }
    counts
}

fn add_paths(node: SyntaxNode<'_>, parent: &KeyPath, items: Items, paths: &mut Vec<KeyPath>) {
    let mut add = |child: Option<SyntaxNode<'_>>, name: &str, part: Range<usize>| {
        let parts = parent.parts.iter().cloned().chain([part]).collect();
        let path = KeyPath { name: format!("{}/{name}", parent.name), parts };
        if let Some(child) = child {
            add_paths(child, &path, items, paths);
        }
        paths.push(path);
    };
    match node.value() {
        NodeValue::Mapping(mapping) => {
            for entry in mapping.entries() {
                let (Some(key), Some(name)) = (entry.key(), entry.key_text()) else { continue };
                let end = entry.colon().map_or(key.range().end(), |colon| colon.end());
                add(entry.value(), &name, key.full_range().start().into()..end.into());
            }
        }
        NodeValue::Sequence(sequence) => {
            for (index, item) in sequence.items().enumerate() {
                let name = if items == Items::Numbered { index.to_string() } else { "[]".to_owned() };
                let start = usize::from(item.range().start());
                add(item.node(), &name, start..start + 1);
            }
        }
        NodeValue::Scalar(_) | NodeValue::Alias(_) | NodeValue::Empty | NodeValue::Unknown => {}
    }
}

/// The share of the original's key paths that the other tree has too.
pub(crate) fn share_found(original: &BTreeMap<String, usize>, found: &BTreeMap<String, usize>) -> f64 {
    let total: usize = original.values().sum();
    let kept: usize = original.iter().map(|(path, count)| *count.min(found.get(path).unwrap_or(&0))).sum();
    if total == 0 { 1.0 } else { kept as f64 / total as f64 }
}

/// A small generator of random numbers (xorshift): the same on every run.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 11) % bound.max(1) as u64).unwrap()
    }

    pub(crate) fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }
}

/// A text after one edit.
pub(crate) struct Mutant {
    pub(crate) text: String,
    /// What of the original was replaced; nothing when a whole line came in.
    pub(crate) touched: Option<Range<usize>>,
}

/// One edit at a random place: a character inserted, deleted or replaced, a line deleted or doubled, or a bare
/// word on a line of its own.
pub(crate) fn mutant(text: &str, random: &mut Random) -> Mutant {
    const CHARACTERS: [&str; 28] = [
        "a", "b", "z", "0", "9", " ", "\t", ":", "-", "#", "'", "\"", "[", "]", "{", "}", ",", "&", "*", "!",
        "|", ">", "%", "@", "?", "\\", "\n", "é",
    ];
    if text.is_empty() {
        return Mutant { text: "tar\n".to_owned(), touched: None };
    }
    let edit = |range: Range<usize>, inserted: &str, is_line: bool| Mutant {
        text: [&text[..range.start], inserted, &text[range.end..]].concat(),
        touched: (!is_line).then_some(range),
    };
    let starts: Vec<usize> = text.char_indices().map(|(start, _)| start).collect();
    let start = starts[random.below(starts.len())];
    let end = start + text[start..].chars().next().map_or(0, char::len_utf8);
    let character = random.pick(&CHARACTERS);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let line_number = random.below(lines.len());
    let (line, line_start) =
        (lines[line_number], lines[..line_number].iter().map(|line| line.len()).sum::<usize>());
    match random.below(6) {
        0 => edit(start..start, character, false),
        1 => edit(start..end, "", false),
        2 => edit(start..end, character, false),
        3 => edit(line_start..line_start + line.len(), "", false),
        4 => edit(line_start..line_start, line, true),
        _ => {
            let indentation = line.len() - line.trim_start_matches(' ').len();
            edit(line_start..line_start, &format!("{}tar\n", " ".repeat(indentation)), true)
        }
    }
}
