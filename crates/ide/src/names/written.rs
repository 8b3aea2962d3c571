//! A name as a file spells it, and where its parts stand: in a scalar with quotes and escapes, in a key, or behind an alias.

use std::ops::Range;

use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::value::SpannedValue;
use nodewise_model::Origin;
use nodewise_syntax::build::LettersElsewhere;
use nodewise_syntax::{SyntaxNodeId, SyntaxNodeKind, TextRange, TextSize, Tree};

/// A name as it is written.
pub(super) struct Written<'w> {
    pub(super) text: &'w str,
    pub(super) at: Origin,
    pub(super) node: Option<SyntaxNodeId>,
}

pub(super) struct NamePlace {
    /// The place that uses it.
    pub(super) at: Origin,
    /// Its letters, if it has any.
    pub(super) letters: Option<Origin>,
}

impl NamePlace {
    /// A name at its letters.
    pub(super) fn of_letters(at: Origin) -> NamePlace {
        NamePlace { at, letters: Some(at) }
    }
}

/// The letters of a part of a name that is written in another file.
fn in_other_file(snapshot: &Snapshot, elsewhere: &LettersElsewhere, part: Range<usize>) -> Option<Origin> {
    let offset = |position: usize| Some(elsewhere.range.start() + TextSize::try_from(position).ok()?);
    let range = TextRange::new(offset(part.start)?, offset(part.end)?);
    Some(Origin::new(snapshot.source(&elsewhere.path)?, range))
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
    pub(super) fn place(&self, snapshot: &Snapshot, tree: &Tree, part: Range<usize>) -> Option<NamePlace> {
        if let Some(node) = self.node {
            let Some(scalar) = tree.node(node)?.as_scalar() else {
                // An alias represents all letters of its anchor.
                return Some(NamePlace::of_letters(self.at));
            };
            let map = scalar.cooked_with_map().map;
            let written = Origin::new(self.at.source, map.source_range(part.clone()));
            if !tree.is_built() {
                return Some(NamePlace::of_letters(written));
            }
            let used = Origin::new(self.at.source, scalar.node().range());
            let is_here = used.range.contains_range(written.range);
            let letters = match scalar.elsewhere() {
                Some(elsewhere) => in_other_file(snapshot, elsewhere, part),
                None => map.letters(part).map(|range| Origin::new(self.at.source, range)),
            };
            return Some(NamePlace { at: if is_here { written } else { used }, letters });
        }
        // This is a key. In quotes, it begins one letter later. With escapes, its place is not certain.
        let written = tree.text().get(Range::<usize>::from(self.at.range))?;
        let quote = usize::from(written.starts_with(['"', '\'']));
        let inner = written.get(quote..written.len() - quote)?;
        (inner == self.text).then(|| {
            let offset = |position: usize| {
                self.at.range.start() + TextSize::new(u32::try_from(quote + position).unwrap_or(u32::MAX))
            };
            let range = TextRange::new(offset(part.start), offset(part.end));
            NamePlace::of_letters(Origin::new(self.at.source, range))
        })
    }
}
