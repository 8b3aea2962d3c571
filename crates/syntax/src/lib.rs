//! Lossless, error-tolerant YAML 1.2 trees (JSON is a subset).
//!
//! [`parse`] reads any text into a [`Tree`]: documents, mappings, sequences, scalars, aliases, comments, and
//! the [`Problem`]s with their places. Nothing here fails on a text, reads a file, or expands an alias.
//!
//! The modules, in reading order: `event` (the arena's element), `parse` (text to arena), `problem` (what is
//! wrong), `tree` and `node` (the view over the arena), `cook` (a scalar's text and the mapping back to its
//! source), `resolve` (its core-schema value), `tags` (shorthands in full), `line_index`, `decode`, and the
//! public modules below; [`fixture`] is the notation of tests.

mod event;
mod parse;
mod problem;
mod tree;

mod cook;
mod node;
mod resolve;
mod tags;

mod decode;
mod line_index;

pub mod build;
pub mod dump;
pub mod edit;
pub mod events;
pub mod fixture;
pub mod folding;
pub mod json;
pub mod locate;
pub mod parts;
pub mod selection;
pub mod write;

pub use cook::{CookedText, SourceMap};
pub use decode::{DecodeError, decode};
pub use line_index::{LineCol, LineIndex};
pub use node::{
    Alias, Anchor, Entry, Item, Mapping, NodeValue, Scalar, ScalarStyle, Sequence, SyntaxNode, SyntaxNodeId,
    SyntaxNodeKind, Tag,
};
pub use problem::{Problem, ProblemKind};
pub use resolve::ScalarValue;
pub use text_size::{TextRange, TextSize};
pub use tree::{Comment, Directive, Document, Tree, parse};
