//! What is shown about the thing at a cursor. In: a position; out: a text and the range that it is about. Each thing has
//! one text, the closest one: a name in an expression is told before the expression, and that before its key. Where
//! nothing can be said that is not plain to see, there is no hover.

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
use nodewise_syntax::TextRange;
use nodewise_syntax::locate::Place;

use crate::markup::Markup;
use crate::position::FilePosition;
use crate::spot::Spot;

/// A text about a part of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hover {
    /// What it is about.
    pub range: TextRange,
    /// The text.
    pub text: Markup,
}

/// What is to be said about the thing at a position.
#[must_use]
pub fn hover(snapshot: &Snapshot, position: FilePosition) -> Option<Hover> {
    let spot = Spot::at(snapshot, position)?;
    if let Place::Comment { .. } = spot.location.place {
        return comment::hover(&spot);
    }
    let found = alias::hover(&spot)
        .or_else(|| expression::hover(&spot))
        .or_else(|| named::hover(&spot))
        .or_else(|| keys::hover(&spot))
        .or_else(|| words::hover(&spot));
    found.filter(|hover| !hover.text.is_empty())
}
