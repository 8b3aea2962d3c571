//! The answer for a cursor in a built tree, whose parts stand anywhere in a text of another notation.
//!
//! Input: a tree and an offset. Output: the location of a text whose letters are there, else nothing. Invariant: one step a
//! token.

use text_size::TextRange;

use super::finder::Finder;
use super::{Location, Place, ValuePlace};
use crate::build::Given;
use crate::event::{Event, SyntaxKind};
use crate::node::ScalarStyle;
use crate::resolve::ScalarValue;

impl Finder<'_> {
    /// In a built tree, the text whose letters are at the cursor. Everywhere else, the program's own language server
    /// answers. A text that is written at the cursor is preferred to one that only uses letters from there.
    pub(super) fn find_built(&self) -> Location {
        let nothing = Location { document: 0, path: Vec::new(), place: Place::Nothing };
        let mut found: Option<(u32, &Event, usize)> = None;
        for (index, event) in (0..).zip(self.tree.events()) {
            let Some(at) = self.tree.given(index).and_then(|given| self.letter_at(event, given)) else {
                continue;
            };
            let is_here = event.start <= self.offset && self.offset <= event.end;
            if is_here || found.is_none() {
                found = Some((index, event, at));
            }
            if is_here {
                break;
            }
        }
        let Some((index, event, at)) = found else { return nothing };
        let (path, Place::Value(value)) = self.at_text(index, event) else { return nothing };
        let letters = self.tree.given(index).and_then(|given| given.map.letters(0..given.text.len()));
        let typed = letters.unwrap_or(TextRange::empty(self.offset.into()));
        let value = ValuePlace {
            typed,
            cooked_offset: Some(at),
            style: Some(ScalarStyle::DoubleQuoted),
            flow: None,
            ..value
        };
        let before = self.tree.events().get(..index as usize).unwrap_or_default();
        let documents = before.iter().filter(|event| event.kind == SyntaxKind::Document).count();
        Location { document: documents.saturating_sub(1), path, place: Place::Value(value) }
    }

    /// The offset in a built text of the letter at the cursor. For an empty text, the offset between its quotes.
    fn letter_at(&self, event: &Event, given: &Given) -> Option<usize> {
        if given.value != ScalarValue::Text {
            return None;
        }
        let is_quoted = self.tree.slice(event.start, event.end).starts_with(['"', '\'', '`']);
        let is_between = given.text.is_empty()
            && is_quoted
            && event.end == event.start + 2
            && self.offset == event.start + 1;
        given.map.letter_at(self.offset).or(is_between.then_some(0))
    }
}
