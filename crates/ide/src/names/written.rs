//! A name as a file spells it, and where its parts stand: in a scalar with quotes and escapes, in a key, or behind an alias.

use std::ops::Range;

use nodewise_dialect::value::SpannedValue;
use nodewise_model::Origin;
use nodewise_syntax::{SyntaxNodeId, SyntaxNodeKind, TextRange, TextSize, Tree};

/// A name as it is written.
pub(super) struct Written<'w> {
    pub(super) text: &'w str,
    pub(super) at: Origin,
    pub(super) node: Option<SyntaxNodeId>,
}

impl<'w> Written<'w> {
    pub(super) fn of_value(value: &'w SpannedValue<'_>) -> Option<Written<'w>> {
        Some(Written { text: value.as_text()?, at: value.at, node: Some(value.node?) })
    }

    /// Whether an alias is in the place of the name.
    pub(super) fn is_alias(&self, tree: &Tree) -> bool {
        let node = self.node.and_then(|node| tree.node(node));
        node.is_some_and(|node| node.kind() == SyntaxNodeKind::Alias)
    }

    /// The place of a part of the name.
    pub(super) fn place(&self, tree: &Tree, part: Range<usize>) -> Option<Origin> {
        if let Some(node) = self.node {
            let Some(scalar) = tree.node(node)?.as_scalar() else {
                // An alias represents all letters of its anchor.
                return Some(self.at);
            };
            return Some(Origin::new(self.at.source, scalar.cooked_with_map().map.source_range(part)));
        }
        // This is a key. In quotes, it begins one letter later. With escapes, its place is not certain.
        let written = tree.text().get(Range::<usize>::from(self.at.range))?;
        let quote = usize::from(written.starts_with(['"', '\'']));
        let inner = written.get(quote..written.len() - quote)?;
        (inner == self.text).then(|| {
            let offset = |position: usize| {
                self.at.range.start() + TextSize::new(u32::try_from(quote + position).unwrap_or(u32::MAX))
            };
            Origin::new(self.at.source, TextRange::new(offset(part.start), offset(part.end)))
        })
    }
}
