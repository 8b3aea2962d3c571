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

/// A thing that a document declares: a graph, a node, an edge, or the declaration as a whole.
#[derive(Debug, Clone)]
pub struct MeaningPart {
    pub role: PartRole,
    /// The word for it: "graph", "node", or the kind of the document.
    pub noun: &'static str,
    /// Its name or id.
    pub name: Option<SmolStr>,
    /// The name for people, if it differs from `name`.
    pub label: Option<SmolStr>,
    /// The type, if a word in the document states it.
    pub word: Option<SmolStr>,
    /// For an edge: the source, then the targets. If the edge is declared inside its source, the source is plain text.
    pub ends: Vec<MeaningPiece>,
    /// The place of its first line.
    pub at: Origin,
    /// Everything that the document states about it.
    pub facts: Vec<MeaningFact>,
    /// The things declared inside it, in the order of the document.
    pub parts: Vec<MeaningPart>,
    /// Whether the order of its nodes has a meaning.
    pub has_node_order: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PartRole {
    Graph,
    /// A node, in a graph or as a document of its own.
    Node,
    Edge,
    Agent,
    /// Any other declaration.
    Declaration,
}

/// One statement about a part: a path and a value.
#[derive(Debug, Clone, PartialEq)]
pub struct MeaningFact {
    /// The keys that lead to the value, from the outside in.
    pub path: Vec<MeaningPiece>,
    /// The topic of a change to it, for reviewers.
    pub topic: ReviewTopic,
    /// What is said.
    pub value: Vec<MeaningPiece>,
    /// How to compare the value.
    pub form: FactForm,
    /// The place of the value; for a default, the place of the part.
    pub at: Origin,
}

/// How the value of a fact is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FactForm {
    /// The fact is only that a mapping exists at the path.
    Presence,
    /// The only value at the path.
    Value,
    /// The only value at the path, a word that decides which of the neighbouring fields have a meaning.
    Choice,
    /// An item of a list whose order has no meaning.
    Item,
}

/// A piece of a value or path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MeaningPiece {
    /// Plain text.
    Text(SmolStr),
    /// A name, which changes when the thing is renamed.
    Name(NameClass, SmolStr),
}

/// The things among which a name is looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NameClass {
    /// Nodes of the graph.
    Node,
    /// Keys of the graph's state.
    State,
    /// Edges of the graph or node.
    Edge,
    /// Declarations of these kinds, and the word for them in messages.
    Declared(&'static [&'static str], &'static str),
}

/// The keys that identify an item of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemIdentity {
    /// The key with the name of the item; `None` if items have no name.
    pub key: Option<&'static str>,
    /// For edges: the keys of both ends, which identify an edge without a name.
    pub ends: Vec<&'static str>,
}

/// The keys that identify an item in a list of this shape.
#[must_use]
pub fn item_identity(shape: &'static Shape) -> ItemIdentity {
    reader::item_identity(shape)
}

/// Reads everything that a document states, in a form that can be compared with another version of it.
#[must_use]
pub fn meaning(kind: &'static Kind, value: &SpannedValue<'_>) -> MeaningPart {
    reader::document(kind, value)
}

/// The pieces of a value whose type has no inner fields; `None` for other values.
#[must_use]
pub fn leaf_pieces(ty: Type, value: &SpannedValue<'_>) -> Option<Vec<MeaningPiece>> {
    leaf::leaf_pieces(ty, value)
}

/// The piece for a key of a mapping with free keys, if such keys are names; otherwise `None`.
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

/// Joins pieces to one text.
#[must_use]
pub fn joined(pieces: &[MeaningPiece]) -> String {
    pieces.iter().map(MeaningPiece::text).collect()
}

impl MeaningFact {
    /// The path with dots: `failure_policy.max_retries`.
    #[must_use]
    pub fn path_text(&self) -> String {
        path_text(&self.path)
    }
}

/// A path with dots.
#[must_use]
pub fn path_text(path: &[MeaningPiece]) -> String {
    path.iter().map(MeaningPiece::text).collect::<Vec<_>>().join(".")
}
