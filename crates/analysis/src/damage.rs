//! Where a text is broken: what stands there is a guess, and rules that judge a guess would cry wolf.
//! A finding is silent inside the smallest block entry or item that holds a syntax problem; a finding
//! about something missing is silent in a document that is broken anywhere.

use nodewise_syntax::{Document, Node, TextRange, TextSize, Tree, Value};

/// The broken parts of a file.
#[derive(Debug, Default)]
pub struct Damage {
    /// The smallest entries and items that hold a syntax problem.
    entries: Vec<TextRange>,
    /// The documents that do.
    documents: Vec<TextRange>,
}

impl Damage {
    /// The damage of a tree.
    pub(crate) fn read(tree: &Tree) -> Damage {
        let mut damage = Damage::default();
        for problem in tree.problems().iter().filter(|problem| problem.is_syntax()) {
            let at = problem.range.start();
            for document in tree.documents().filter(|document| document.range().contains_inclusive(at)) {
                damage.documents.push(document.range());
                damage.entries.push(smallest_entry(document, at).unwrap_or(problem.range));
            }
        }
        damage
    }

    /// Whether a finding at `range` would judge a guess.
    pub(crate) fn covers(&self, range: TextRange, absence: bool) -> bool {
        let holds = |parts: &[TextRange]| parts.iter().any(|part| part.contains_inclusive(range.start()));
        holds(&self.entries) || (absence && holds(&self.documents))
    }
}

/// The innermost entry or item of a block collection around `at`; what is in flow style counts as one.
fn smallest_entry(document: Document<'_>, at: TextSize) -> Option<TextRange> {
    let mut smallest = None;
    let mut pending: Option<Node<'_>> = document.root();
    while let Some(node) = pending.take() {
        let around = |range: TextRange| range.contains_inclusive(at);
        let found = match node.value() {
            Value::Mapping(mapping) if !mapping.is_flow() => mapping
                .entries()
                .filter(|entry| around(entry.range()))
                .last()
                .map(|entry| (entry.range(), entry.value())),
            Value::Sequence(sequence) if !sequence.is_flow() => sequence
                .items()
                .filter(|item| around(item.range()))
                .last()
                .map(|item| (item.range(), item.node())),
            _ => None,
        };
        if let Some((range, below)) = found {
            smallest = Some(range);
            pending = below;
        }
    }
    smallest
}
