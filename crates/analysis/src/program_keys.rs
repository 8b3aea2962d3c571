//! Where the keys of a module's documents stand, by key: a module may have many findings, and its tree is large.
//!
//! Input: the tree of the documents that a module builds. Output: for a key, the places in the module's text. Invariant: one walk over
//! the tree.

use nodewise_syntax::{TextRange, Tree};
use rustc_hash::FxHashMap;

/// The positions of all keys of a module's documents, by key.
#[derive(Debug)]
pub(crate) struct ProgramKeys(FxHashMap<String, Vec<PlacedKey>>);

/// A key of a document, and its value, as ranges in the module's text.
#[derive(Debug)]
pub(crate) struct PlacedKey {
    pub(crate) key: TextRange,
    pub(crate) value: Option<TextRange>,
}

impl ProgramKeys {
    pub(crate) fn new(tree: &Tree) -> ProgramKeys {
        let mut keys: FxHashMap<String, Vec<PlacedKey>> = FxHashMap::default();
        for entry in tree.nodes().filter_map(|node| node.as_mapping()).flat_map(|mapping| mapping.entries()) {
            let (Some(word), Some(key)) = (entry.key_text(), entry.key()) else { continue };
            let placed = PlacedKey { key: key.range(), value: entry.value().map(|value| value.range()) };
            keys.entry(word.into_owned()).or_default().push(placed);
        }
        ProgramKeys(keys)
    }

    /// The positions of a key, in the order of the documents.
    pub(crate) fn of(&self, key: &str) -> &[PlacedKey] {
        self.0.get(key).map(Vec::as_slice).unwrap_or_default()
    }
}
