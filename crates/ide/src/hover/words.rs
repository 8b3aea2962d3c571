//! Hover on a value that is a word of the dialect: a kind, a type, a strategy. In: the context of a cursor. Out: a hover on the word.
//! Values that the author chooses (numbers, texts) have no hover, because their key explains more.

use nodewise_dialect::place;
use nodewise_dialect::table::{Type, Word};

use super::Hover;
use crate::cursor_context::CursorContext;
use crate::markup::{Markup, describe_kind, describe_shape, describe_word};

pub(super) fn hover(spot: &CursorContext<'_>) -> Option<Hover> {
    let place = spot.location.value()?;
    let value = spot.value()?;
    let text = value.as_text()?;
    // The cursor is before the word.
    if place.typed.is_empty() || !place.typed.contains_inclusive(spot.position.offset) {
        return None;
    }
    let described = spot.expected.iter().find_map(|expectation| match expectation.ty {
        Type::Word(words) | Type::ArgumentType(words) | Type::OutputFields(words, _) => {
            words.iter().find(|word| word.text == text && !word.doc.is_empty()).map(describe_word)
        }
        Type::Kind => spot.dialect?.kind(text).map(describe_kind),
        _ => None,
    });
    let text = case(spot, text).or(described)?;
    Some(Hover { range: place.typed, text })
}

/// The word that selects the keys of its mapping.
fn case(spot: &CursorContext<'_>, text: &str) -> Option<Markup> {
    let path = spot.path();
    let (place::PathStep::Key(key), around) = path.split_last()? else { return None };
    let expected = place::expected(spot.kind?, spot.patched, spot.root.as_ref(), around);
    expected.iter().find_map(|expectation| match expectation.ty {
        Type::Variant(variant) if variant.key == *key => {
            let case = variant.case(text)?;
            let mut markup = describe_word(&Word { text: case.word.text, doc: case.word.doc });
            markup.append(&describe_shape(&case.shape));
            Some(markup)
        }
        _ => None,
    })
}
