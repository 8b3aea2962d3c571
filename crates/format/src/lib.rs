//! The canonical layout of declarations and of the conditions in them.
//!
//! [`format_tree`] lays a text out anew: indentation, blanks, empty lines, quotes, flow or block. It moves no token past
//! another and changes no value, and [`verify`] has that confirmed by a parser that is not ours before anything is
//! written.
//!
//! Reading order: [`options`] (what may be chosen), `layout` (where each token goes), `sheet` (the text that comes of
//! it), `measure` (widths), [`verify`].

mod layout;
mod measure;
mod sheet;

pub mod options;
pub mod verify;

use nodewise_syntax::Tree;
use nodewise_syntax::edit::TextEdit;
pub use options::Options;

/// A text in canonical layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Formatted {
    /// The whole text.
    pub text: String,
    /// What to edit to come to it: replacements of single tokens and of what lies between them.
    pub edits: Vec<TextEdit>,
}

/// Lays a text out. Nothing, where the text has syntax problems: what is broken has no layout.
pub fn format_tree(tree: &Tree, options: &Options) -> Option<Formatted> {
    if !tree.is_valid() {
        return None;
    }
    let (text, edits) = layout::laid_out(tree, options);
    Some(Formatted { text, edits })
}
