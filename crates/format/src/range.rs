//! A part of a text, as editors ask for it. In: the edits of a whole text and a range; out: those of them that can be
//! made alone. Invariant: what is left means the same, or nothing is edited.

use std::borrow::Cow;

use nodewise_syntax::edit::{TextEdit, apply_edits};
use nodewise_syntax::parts::{self, PartKind, SyntaxElement};
use nodewise_syntax::{TextRange, Tree, parse};

use crate::{Formatted, Rewrite, verify};

/// The edits for a range, extended to the outermost entries and items that it touches. A part of an entry cannot be
/// indented alone.
pub fn within(tree: &Tree, formatted: &Formatted, wanted: TextRange) -> Vec<TextEdit> {
    let whole = widened(tree, wanted);
    let is_near = |edit: &&TextEdit| whole.contains_range(edit.range);
    let edits: Vec<TextEdit> = formatted.edits.iter().filter(is_near).cloned().collect();
    let Ok(text) = apply_edits(tree.text(), &mut edits.clone()) else { return Vec::new() };
    let new = parse(text.as_str());
    // Also compare the texts with our parser: the second parser does not know that an adjacent carriage return and
    // line feed are one line break.
    let is_sound = new.is_valid()
        && same_texts(tree, &new, &formatted.rewrites)
        && verify::same_meaning(tree.text(), &text, formatted.rewrites.iter()).is_ok();
    if is_sound { edits } else { Vec::new() }
}

/// Whether two trees contain the same texts in the same order, apart from formatted expressions.
fn same_texts(old: &Tree, new: &Tree, rewrites: &[Rewrite]) -> bool {
    let mut rewrites = rewrites.iter();
    let (mut old, mut new) = (texts(old), texts(new));
    loop {
        match (old.next(), new.next()) {
            (None, None) => return true,
            (Some(old), Some(new)) => {
                let mut is_rewritten =
                    || rewrites.any(|rewrite| *old == *rewrite.before && *new == *rewrite.after);
                if old != new && !is_rewritten() {
                    return false;
                }
            }
            _ => return false,
        }
    }
}

fn texts(tree: &Tree) -> impl Iterator<Item = Cow<'_, str>> {
    parts::all(tree).filter_map(|part| Some(part.node()?.as_scalar()?.cooked()))
}

/// The range, extended to the outermost entries and items that it touches, and to the line breaks around them.
fn widened(tree: &Tree, wanted: TextRange) -> TextRange {
    let mut whole = wanted;
    for document in parts::roots(tree).filter(|part| part.kind() == PartKind::Document) {
        let Some(root) = document.children().find(|part| part.is_node()) else { continue };
        let members = root.children().flat_map(|part| match part.kind() {
            PartKind::BlockMap | PartKind::BlockSeq => part.children().collect::<Vec<SyntaxElement<'_>>>(),
            _ => vec![part],
        });
        let members = members.filter(|part| matches!(part.kind(), PartKind::Entry | PartKind::Item));
        for range in members.map(SyntaxElement::range).filter(|range| range.intersect(wanted).is_some()) {
            whole = whole.cover(range);
        }
    }
    whole
}
