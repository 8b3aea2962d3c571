//! What an editor asks about an expression: its tokens, what may stand at the cursor, what a word means.
//!
//! Input: a [`Language`], the text of an expression and a byte offset in it; output: plain data with ranges in that
//! text. Invariant: every text and every offset has an answer, and each range lies on the bounds of characters.

mod atoms;
mod call;
mod constant;
mod context;
mod evaluate;
mod expected;
mod hover;
mod paths;
mod rename;
mod token;
mod types;
mod vocabulary;

use text_size::{TextRange, TextSize};

pub use atoms::Atoms;
pub use call::{Call, call_at};
pub use constant::{Constant, constant};
pub use evaluate::{Circumstances, Decision, Evaluation, Failure, Part, evaluate};
pub use expected::{Expected, Wanted, expected, fitting};
pub use hover::{Hover, HoverKind, hover_at};
pub use paths::{PathUse, paths};
pub use rename::rename_segment;
pub(crate) use token::of_names;
pub use token::{Token, TokenClass, tokens};
pub use types::{type_at, type_of};
pub use vocabulary::{Entry, EntryKind, entry, vocabulary};

/// The language of an expression, with what it is evaluated on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// Liman's conditions.
    LimanCe,
    /// cycgraph's edge conditions: filtrex over the whole state of the run.
    FiltrexEdge,
    /// cycgraph's verifiers: filtrex over the node's part of the memory.
    FiltrexVerifier,
    /// AgentOS' routing expressions.
    AgentOsRouting,
    /// JSONPath over the state that a node sees.
    JsonPathState,
    /// JSONPath over what an agent has just written.
    JsonPathUpdates,
    /// JSONPath over one value of the memory.
    JsonPathValue,
}

impl Language {
    /// What an expression in it is called.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Language::LimanCe => "a condition",
            Language::FiltrexEdge | Language::FiltrexVerifier => "a filtrex expression",
            Language::AgentOsRouting => "a routing expression",
            Language::JsonPathState | Language::JsonPathUpdates | Language::JsonPathValue => "a JSONPath",
        }
    }

    /// Whether the texts of the language are paths.
    pub(crate) fn is_path(self) -> bool {
        matches!(self, Language::JsonPathState | Language::JsonPathUpdates | Language::JsonPathValue)
    }
}

/// The nearest bound of characters that is not behind the offset.
fn floor(text: &str, offset: TextSize) -> TextSize {
    let mut at = usize::from(offset).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    TextSize::try_from(at).unwrap_or_default()
}

/// The text in a range.
fn slice(text: &str, range: TextRange) -> &str {
    text.get(usize::from(range.start())..usize::from(range.end())).unwrap_or_default()
}
