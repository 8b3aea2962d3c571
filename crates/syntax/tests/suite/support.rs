//! What the proofs share: where data is, the key paths of a document, random numbers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use nodewise_syntax::{Node, Tree, Value};

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

/// How often each key path (mapping keys and sequence items from the document root) occurs.
pub(crate) fn key_paths(tree: &Tree, items: Items) -> BTreeMap<String, usize> {
    let mut paths = BTreeMap::new();
    for document in tree.documents() {
        if let Some(root) = document.root() {
            add_paths(root, "", items, &mut paths);
        }
    }
    paths
}

fn add_paths(node: Node<'_>, prefix: &str, items: Items, paths: &mut BTreeMap<String, usize>) {
    match node.value() {
        Value::Mapping(mapping) => {
            for entry in mapping.entries() {
                let Some(key) = entry.key_text() else { continue };
                add_path(entry.value(), format!("{prefix}/{key}"), items, paths);
            }
        }
        Value::Sequence(sequence) => {
            for (index, item) in sequence.items().enumerate() {
                let name = if items == Items::Numbered { index.to_string() } else { "[]".to_owned() };
                add_path(item.node(), format!("{prefix}/{name}"), items, paths);
            }
        }
        Value::Scalar(_) | Value::Alias(_) | Value::Empty => {}
    }
}

fn add_path(child: Option<Node<'_>>, path: String, items: Items, paths: &mut BTreeMap<String, usize>) {
    if let Some(child) = child {
        add_paths(child, &path, items, paths);
    }
    *paths.entry(path).or_default() += 1;
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

/// One edit at a random place: a character inserted, deleted or replaced, a line deleted or doubled, or a bare
/// word on a line of its own.
pub(crate) fn mutant(text: &str, random: &mut Random) -> String {
    const CHARACTERS: &str = "abz09 \t:-#'\"[]{},&*!|>%@`?\\\n_.é";
    if text.is_empty() {
        return "tar\n".to_owned();
    }
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    let line = random.below(lines.len());
    let starts: Vec<usize> = text.char_indices().map(|(start, _)| start).collect();
    let start = starts[random.below(starts.len())];
    let (before, behind) = text.split_at(start);
    let inserted: Vec<char> = CHARACTERS.chars().collect();
    let inserted = inserted[random.below(inserted.len())];
    let rest = behind.get(behind.chars().next().map_or(0, char::len_utf8)..).unwrap();
    match random.below(6) {
        0 => format!("{before}{inserted}{behind}"),
        1 => format!("{before}{rest}"),
        2 => format!("{before}{inserted}{rest}"),
        3 => {
            lines.remove(line);
            lines.concat()
        }
        4 => {
            let doubled = lines[line].clone();
            lines.insert(line, doubled);
            lines.concat()
        }
        _ => {
            let indentation: String = lines[line].chars().take_while(|&character| character == ' ').collect();
            lines.insert(line, format!("{indentation}tar\n"));
            lines.concat()
        }
    }
}
