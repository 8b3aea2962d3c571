//! Where the parts of the documents that a module builds stand: anywhere in its text.

use nodewise_syntax::{TextRange, Tree};

/// Where the parts of a module's documents stand, each with the number of the document; sorted.
pub(crate) fn part_ranges(tree: &Tree) -> Vec<(TextRange, usize)> {
    let documents = tree.documents().enumerate();
    let mut parts: Vec<(TextRange, usize)> = documents
        .flat_map(|(number, document)| {
            let nodes = document.nodes().map(|node| node.range());
            [document.range()].into_iter().chain(nodes).map(move |range| (range, number)).collect::<Vec<_>>()
        })
        .collect();
    parts.sort_unstable_by_key(|(range, document)| (range.start(), range.end(), *document));
    parts
}
