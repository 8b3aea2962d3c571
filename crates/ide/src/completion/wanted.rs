//! A request for values of a type. In: a cursor, and the field of the value. Out: answers about names: whether one is
//! already used, and whether the documentation of the field mentions it.

use nodewise_dialect::table::{Field, Type};
use nodewise_dialect::walk::Slot;

use super::docs::Handle;
use crate::cursor_context::CursorContext;

/// A request for values of a type.
pub(super) struct Wanted<'s> {
    pub(super) spot: &'s CursorContext<'s>,
    /// The field of the value.
    pub(super) slot: Option<Slot>,
    /// Names that are already used.
    pub(super) taken: Vec<String>,
    /// For a key that the author chooses, the type of its value.
    pub(super) keyed: Option<Type>,
}

impl Wanted<'_> {
    /// Whether a name is already used.
    pub(super) fn is_taken(&self, name: &str) -> bool {
        self.taken.iter().any(|taken| taken == name)
    }

    /// Whether the field's documentation mentions a word as code.
    pub(super) fn mentions(&self, word: &str) -> bool {
        self.slot.is_some_and(|slot| mentions(slot.field, word))
    }

    /// The documentation of the field.
    pub(super) fn field_handle(&self) -> Option<Handle> {
        let slot = self.slot?;
        Handle::field(self.spot.dialect?, slot.shape, slot.field)
    }
}

/// Whether a field's documentation mentions a word as code.
fn mentions(field: &Field, word: &str) -> bool {
    field
        .doc
        .match_indices(word)
        .any(|(at, _)| field.doc[..at].ends_with('`') && field.doc[at + word.len()..].starts_with('`'))
}
