//! Where the parts of the documents that a module builds stand: anywhere in its text.
//!
//! Input: a tree, a place. Output: the document of which a part stands there. Invariant: of several parts around a place, the smallest
//! one counts.

use std::sync::{LazyLock, OnceLock};

use nodewise_dialect::tight::tight;
use nodewise_model::MostlyEmpty;
use nodewise_syntax::{TextRange, Tree};
use thin_vec::ThinVec;

use crate::program_keys::ProgramKeys;

/// The parts of the documents that a module builds: their ranges in the text, sorted, each with the number of its document.
/// Empty for any file that is not a module.
#[derive(Debug, Default)]
pub(crate) struct BuiltParts {
    ranges: ThinVec<(TextRange, usize)>,
    /// See [`FileFacts::imports`](crate::facts::FileFacts::imports).
    pub(crate) imports: ThinVec<String>,
    /// The positions of all keys; computed when a finding first names a key.
    keys: OnceLock<Box<ProgramKeys>>,
    is_of_module: bool,
}

impl MostlyEmpty for BuiltParts {
    fn empty() -> &'static BuiltParts {
        static EMPTY: LazyLock<BuiltParts> = LazyLock::new(BuiltParts::default);
        &EMPTY
    }

    fn is_empty(&self) -> bool {
        !self.is_of_module && self.imports.is_empty()
    }
}

impl BuiltParts {
    pub(crate) fn new(tree: &Tree, imports: ThinVec<String>) -> BuiltParts {
        if !tree.is_built() {
            return BuiltParts { imports, ..BuiltParts::default() };
        }
        let documents = tree.documents().enumerate();
        let mut parts: Vec<(TextRange, usize)> = documents
            .flat_map(|(number, document)| {
                let nodes = document.nodes().map(|node| node.range());
                [document.range()]
                    .into_iter()
                    .chain(nodes)
                    .map(move |range| (range, number))
                    .collect::<Vec<_>>()
            })
            .collect();
        parts.sort_unstable_by_key(|(range, document)| (range.start(), range.end(), *document));
        BuiltParts { ranges: tight(parts.into_iter()), imports, keys: OnceLock::new(), is_of_module: true }
    }

    /// Whether the file is no module, or builds no document.
    pub(crate) fn has_none(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Where the keys of a module's documents stand.
    pub(crate) fn keys(&self, tree: &Tree) -> Option<&ProgramKeys> {
        self.is_of_module.then(|| &**self.keys.get_or_init(|| Box::new(ProgramKeys::new(tree))))
    }

    /// The number of the document to which the smallest part around `at` belongs.
    pub(crate) fn document_at(&self, at: TextRange) -> Option<usize> {
        let place = |range: TextRange| (range.start(), range.end());
        let first = self.ranges.partition_point(|(range, _)| place(*range) < place(at));
        // Usually a part has exactly this range.
        let exact = self.ranges.get(first).filter(|(range, _)| *range == at);
        // Of parts around a place, one that begins later is within the others.
        let smallest = || {
            let behind = self.ranges.partition_point(|(range, _)| range.start() <= at.start());
            let before = self.ranges.get(..behind).unwrap_or_default().iter().rev();
            let mut around = before.filter(|(range, _)| range.contains_range(at));
            let last = around.next()?;
            let equal = around.take_while(|(range, _)| range.start() == last.0.start());
            equal.chain([last]).min_by_key(|(range, document)| (range.len(), *document))
        };
        exact.or_else(smallest).map(|(_, document)| *document)
    }
}
