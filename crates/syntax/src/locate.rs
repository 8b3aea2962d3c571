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

/// What stands at a cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The number of the document in the stream, an empty one behind its `---` included.
    pub document: usize,
    /// The path from the root: to the value for [`Place::Value`] and [`Place::Either`], to the mapping that holds
    /// (or would hold) the key for [`Place::Key`].
    pub path: Vec<TreeStep>,
    /// What is or would be written at the cursor.
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
        /// The item's number, from 0; behind the last one for an item that is not written yet.
        index: usize,
        /// The sequence that holds the item.
        sequence: SyntaxNodeId,
    },
}

/// What is or would be written at a cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The key of a mapping.
    Key(KeyPlace),
    /// A value: of a key, in a sequence, or a document's root.
    Value(ValuePlace),
    /// A place where nothing, or one bare word, stands yet: the first key of a new mapping, or a value.
    Either {
        /// The place as that of a key.
        key: KeyPlace,
        /// The place as that of a value.
        value: ValuePlace,
    },
    Comment {
        /// From the `#` to the end of the line.
        range: TextRange,
    },
    /// Nothing of interest: a marker, a directive, the space behind a complete value.
    Nothing,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyPlace {
    /// The mapping that the key belongs to; nothing where it would begin a new one.
    pub mapping: Option<SyntaxNodeId>,
    /// The key that the cursor touches, if it is one to the parser.
    pub key: Option<SyntaxNodeId>,
    /// The word at the cursor, without quotes; empty where none is.
    pub typed: TextRange,
    /// The other keys of the mapping.
    pub siblings: Vec<Sibling>,
    /// The column in bytes at which the key stands, or should.
    pub indent: usize,
    /// True when a colon follows already.
    pub has_colon: bool,
    /// Inside a flow mapping, what is missing around the place.
    pub flow: Option<FlowPlace>,
}

/// Another key of the mapping at the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sibling {
    /// The key's text.
    pub text: String,
    /// Where it is written, with its quotes.
    pub range: TextRange,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValuePlace {
    /// The key whose value this is; nothing for items and roots.
    pub key: Option<TextRange>,
    /// The value, if there is one.
    pub node: Option<SyntaxNodeId>,
    /// The style of the scalar at the cursor; nothing where the cursor touches no scalar.
    pub style: Option<ScalarStyle>,
    /// The scalar's source, without quotes and block header; empty at the cursor where there is none.
    pub typed: TextRange,
    /// The cursor's byte offset in the scalar's cooked text; nothing outside its quotes.
    pub cooked_offset: Option<usize>,
    /// The value is an item of a block sequence, whose dash is written.
    pub after_dash: bool,
    /// The value would be a new item of a block sequence, whose dash is not written yet.
    pub needs_dash: bool,
    /// The cursor stands right behind a colon or dash that wants a space first.
    pub needs_space: bool,
    /// Inside a flow collection, what is missing around the place.
    pub flow: Option<FlowPlace>,
}

/// Commas that a flow collection lacks around a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlowPlace {
    /// No comma stands between the element before and this place.
    pub needs_comma_before: bool,
    /// No comma stands between this place and the element behind.
    pub needs_comma_after: bool,
}

impl Location {
    /// The place as that of a key, if it can be one.
    pub fn key(&self) -> Option<&KeyPlace> {
        match &self.place {
            Place::Key(key) | Place::Either { key, .. } => Some(key),
            _ => None,
        }
    }

    /// The place as that of a value, if it can be one.
    pub fn value(&self) -> Option<&ValuePlace> {
        match &self.place {
            Place::Value(value) | Place::Either { value, .. } => Some(value),
            _ => None,
        }
    }
}

/// Tells what stands at an offset; one behind the text means its end.
pub fn locate(tree: &Tree, offset: TextSize) -> Location {
    finder::Finder::new(tree, offset).find()
}
