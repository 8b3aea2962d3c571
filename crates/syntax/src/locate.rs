//! What stands at a cursor, in whole, half-typed and broken text.
//!
//! Input: a tree and a byte offset, wherever it is. Output: the path from the document's root to the cursor, and
//! what is or would be written there. Invariant: any offset in any text has an answer, found in the time that
//! the path down to the cursor and the cursor's own line and scalar take.

mod built;
mod finder;
mod indentation;
pub(crate) mod trail;

#[cfg(test)]
mod tests;

use text_size::{TextRange, TextSize};

use crate::node::{ScalarStyle, SyntaxNodeId};
use crate::tree::Tree;

/// What is at a cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The index of the document in the stream. An empty document after a `---` counts.
    pub document: usize,
    /// The path from the root. For [`Place::Value`] and [`Place::Either`] it leads to the value, for [`Place::Key`] to
    /// the mapping that has, or would have, the key.
    pub path: Vec<TreeStep>,
    /// What is, or could be, written at the cursor.
    pub place: Place,
}

/// A step from a collection to one of its members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeStep {
    /// To the value of a key.
    Key {
        /// The key's text; for a key that is a collection, its source.
        text: String,
        /// Where the key is written.
        range: TextRange,
        /// The mapping that holds the entry.
        mapping: SyntaxNodeId,
    },
    Item {
        /// The index of the item, from 0. For an item that is not written yet, the number of existing items before it.
        index: usize,
        /// The sequence that holds the item.
        sequence: SyntaxNodeId,
    },
}

/// What is, or could be, written at a cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The key of a mapping.
    Key(KeyPlace),
    /// A value: of a key, in a sequence, or a document's root.
    Value(ValuePlace),
    /// Nothing or only a bare word is here: it can become the first key of a new mapping, or a value.
    Either { key: KeyPlace, value: ValuePlace },
    Comment {
        /// The range from the `#` to the end of the line.
        range: TextRange,
    },
    /// A place without meaning: a marker, a directive, the space after a complete value.
    Nothing,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyPlace {
    /// The mapping that the key belongs to; `None` if the key would begin a new one.
    pub mapping: Option<SyntaxNodeId>,
    /// The key at the cursor; `None` if the parser does not take the text for a key.
    pub key: Option<SyntaxNodeId>,
    /// The word at the cursor, without quotes; empty if there is none.
    pub typed: TextRange,
    /// The other keys of the mapping.
    pub siblings: Vec<Sibling>,
    /// The column, in bytes, at which the key is or should be.
    pub indent: usize,
    /// True when a colon follows.
    pub has_colon: bool,
    /// Inside a flow mapping, the commas that are missing.
    pub flow: Option<FlowPlace>,
}

/// Another key of the mapping at the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sibling {
    /// The key's text.
    pub text: String,
    /// Where the key is written, with its quotes.
    pub range: TextRange,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValuePlace {
    /// The key whose value this is; `None` for items and roots.
    pub key: Option<TextRange>,
    /// The value, if there is one.
    pub node: Option<SyntaxNodeId>,
    /// The style of the scalar at the cursor; `None` if the cursor does not touch a scalar.
    pub style: Option<ScalarStyle>,
    /// The source of the scalar, without quotes and block header. If there is no scalar, an empty range at the cursor.
    pub typed: TextRange,
    /// The cursor's byte offset in the scalar's cooked text; `None` outside its quotes.
    pub cooked_offset: Option<usize>,
    /// The value is an item of a block sequence, and its dash is written.
    pub after_dash: bool,
    /// The value would be a new item of a block sequence, and its dash is missing.
    pub needs_dash: bool,
    /// The cursor is directly after a colon or dash, so a space must be inserted first.
    pub needs_space: bool,
    /// Inside a flow collection, the commas that are missing.
    pub flow: Option<FlowPlace>,
}

/// The commas that are missing before or after a place in a flow collection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlowPlace {
    /// The comma after the element before is missing.
    pub needs_comma_before: bool,
    /// The comma before the next element is missing.
    pub needs_comma_after: bool,
}

impl Location {
    /// The place as a key, if a key is possible here.
    pub fn key(&self) -> Option<&KeyPlace> {
        match &self.place {
            Place::Key(key) | Place::Either { key, .. } => Some(key),
            _ => None,
        }
    }

    /// The place as a value, if a value is possible here.
    pub fn value(&self) -> Option<&ValuePlace> {
        match &self.place {
            Place::Value(value) | Place::Either { value, .. } => Some(value),
            _ => None,
        }
    }
}

/// Finds out what is at an offset. An offset after the text is treated as its end.
pub fn locate(tree: &Tree, offset: TextSize) -> Location {
    finder::Finder::new(tree, offset).find()
}
