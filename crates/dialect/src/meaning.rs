//! What a document says, however it is written: the basis for comparing two versions of it.
//!
//! Input: a value and its kind. Output: the thing that it declares, with its facts, and the nodes, edges, graphs and agents
//! in it. Invariant: layout, the order of keys, absent defaults and the order of unordered lists change nothing. Names are
//! kept apart from the text around them, so a comparison can rename them.

mod full_form;
mod leaf;
mod reader;

use nodewise_model::Origin;
use smol_str::SmolStr;

use crate::table::{Kind, ReviewTopic, Shape, Type};
use crate::value::SpannedValue;

/// A thing that a document declares.
#[derive(Debug, Clone)]
pub struct MeaningPart {
    pub role: PartRole,
    /// The word for it: "graph", "node", or the kind of the document.
    pub noun: &'static str,
    /// Its name or id.
    pub name: Option<SmolStr>,
    /// What people call it, where that is not its name.
    pub label: Option<SmolStr>,
    /// Its type, where a word says it.
    pub word: Option<SmolStr>,
    /// The nodes at its ends, if it is an edge: the source, then the targets. A source that is the declaration around it is
    /// text.
    pub ends: Vec<MeaningPiece>,
    /// Its first line.
    pub at: Origin,
    /// What is said about it, by path.
    pub facts: Vec<MeaningFact>,
    /// What is declared in it, in the order of the document.
    pub parts: Vec<MeaningPart>,
    /// Whether the order of its nodes means something.
    pub has_node_order: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PartRole {
    Graph,
    /// A node, whether it is a document or not.
    Node,
    Edge,
    Agent,
    /// Another declaration.
    Declaration,
}

/// One thing that is said about a part.
#[derive(Debug, Clone, PartialEq)]
pub struct MeaningFact {
    /// The keys that lead to it.
    pub path: Vec<MeaningPiece>,
    /// What it is about.
    pub topic: ReviewTopic,
    /// What is said.
    pub value: Vec<MeaningPiece>,
    /// How the value counts.
    pub form: FactForm,
    /// Where it is written; for a default, its part.
    pub at: Origin,
}

/// How the value of a fact counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FactForm {
    /// The mapping at the path is there.
    Presence,
    /// The one value at the path.
    Value,
    /// The same, and the word decides which of the fields next to it mean something.
    Choice,
    /// One of the items of a list whose order means nothing.
    Item,
}

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MeaningPiece {
    /// Text that stands for itself.
    Text(SmolStr),
    /// A name of something, which a rename changes.
    Name(NameClass, SmolStr),
}

/// What a name is looked up among.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NameClass {
    /// The nodes of the graph.
    Node,
    /// The keys of the state of the graph.
    State,
    /// The edges of the graph or node.
    Edge,
    /// Declarations of these kinds, and the word for what they are.
    Declared(&'static [&'static str], &'static str),
}

/// What tells the items of a list apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemIdentity {
    /// The key with their name.
    pub key: Option<&'static str>,
    /// For edges without a name: the keys with their ends.
    pub ends: Vec<&'static str>,
}

/// What tells the items of a list of this shape apart.
#[must_use]
pub fn item_identity(shape: &'static Shape) -> ItemIdentity {
    reader::item_identity(shape)
}

/// What a document declares.
#[must_use]
pub fn meaning(kind: &'static Kind, value: &SpannedValue<'_>) -> MeaningPart {
    reader::document(kind, value)
}

/// A value whose type has no parts, with its names apart; `None` for another value.
#[must_use]
pub fn leaf_pieces(ty: Type, value: &SpannedValue<'_>) -> Option<Vec<MeaningPiece>> {
    leaf::leaf_pieces(ty, value)
}

/// A key of a mapping with free keys, if keys of the type are names.
#[must_use]
pub fn key_piece(ty: Type, key: &str) -> Option<MeaningPiece> {
    leaf::name_piece(ty, key)
}

impl MeaningPiece {
    /// The text of the piece.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            MeaningPiece::Text(text) | MeaningPiece::Name(_, text) => text,
        }
    }
}

/// Pieces as one text.
#[must_use]
pub fn joined(pieces: &[MeaningPiece]) -> String {
    pieces.iter().map(MeaningPiece::text).collect()
}

impl MeaningFact {
    /// The path as people write it: `failure_policy.max_retries`.
    #[must_use]
    pub fn path_text(&self) -> String {
        path_text(&self.path)
    }
}

/// A path as people write it.
#[must_use]
pub fn path_text(path: &[MeaningPiece]) -> String {
    path.iter().map(MeaningPiece::text).collect::<Vec<_>>().join(".")
}
