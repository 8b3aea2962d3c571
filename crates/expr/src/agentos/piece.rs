//! A part of an expression's text, with its place in the text.

use text_size::TextRange;

use super::range;
use crate::javascript::is_blank;

/// A part of the expression's text, with its place in the text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece<'t> {
    pub(crate) text: &'t str,
    pub(crate) start: usize,
}

impl<'t> Piece<'t> {
    pub(crate) fn whole(text: &'t str) -> Self {
        Piece { text, start: 0 }
    }

    /// The piece without the spaces around it. If nothing else is left, it is an empty piece after them.
    pub(crate) fn trimmed(self) -> Self {
        let text = self.text.trim_start_matches(is_blank);
        let start = self.start + self.text.len() - text.len();
        Piece { text: text.trim_end_matches(is_blank), start }
    }

    pub(crate) fn range(self) -> TextRange {
        range(self.start, self.start + self.text.len())
    }

    pub(crate) fn before(self, at: usize) -> Self {
        Piece { text: self.text.get(..at).unwrap_or_default(), start: self.start }
    }

    pub(crate) fn after(self, at: usize) -> Self {
        Piece { text: self.text.get(at..).unwrap_or_default(), start: self.start + at }
    }
}
