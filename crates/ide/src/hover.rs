//! Hover: explains the thing at a cursor. In: a position. Out: a text and the range that it is about. Only the
//! innermost thing is explained: a name in an expression before the expression, and the expression before its key. If
//! there is nothing useful to say, there is no hover.

mod alias;
mod comment;
mod expression;
mod keys;
mod localized;
mod named;
#[cfg(test)]
mod tests;
mod words;

use nodewise_analysis::workspace::Snapshot;
use nodewise_syntax::locate::Place;
use nodewise_syntax::{TextRange, TextSize};

use crate::cursor_context::CursorContext;
use crate::markup::Markup;
use crate::position::FilePosition;

/// A text about a part of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hover {
    /// The range that it is about.
    pub range: TextRange,
    pub text: Markup,
}

/// The hover for a position.
#[must_use]
pub fn hover(snapshot: &Snapshot, position: FilePosition) -> Option<Hover> {
    let spot = CursorContext::at(snapshot, position)?;
    if let Place::Comment { .. } = spot.location.place {
        return comment::hover(&spot);
    }
    let found = alias::hover(&spot)
        .or_else(|| expression::hover(&spot))
        .or_else(|| named::hover(&spot))
        .or_else(|| keys::hover(&spot))
        .or_else(|| words::hover(&spot));
    let found = found.filter(|hover| !hover.text.is_empty())?;
    let range = with_quotes(&spot.file.text, found.range, spot.position.offset);
    range.contains_inclusive(spot.position.offset).then_some(Hover { range, ..found })
}

/// The range with its quotes, if the cursor is on one of them.
fn with_quotes(text: &str, range: TextRange, offset: TextSize) -> TextRange {
    let quote = TextSize::of('"');
    let (Some(start), end) = (range.start().checked_sub(quote), range.end() + quote) else { return range };
    let letters = text.get(start.into()..end.into()).unwrap_or_default();
    let is_quoted = ['"', '\''].iter().any(|quote| letters.starts_with(*quote) && letters.ends_with(*quote));
    match is_quoted && !range.contains_inclusive(offset) {
        true => TextRange::new(start, end),
        false => range,
    }
}
