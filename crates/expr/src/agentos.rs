//! The routing expressions of AgentOS.
//!
//! Input: the text of an expression; output: a tree, the text that it results in for a state, and findings about it.
//! The language has no grammar: its runtime cuts the text at the operators it finds, inside quotes or not, and a
//! piece that it cannot cut stands for itself. Invariant: every text has a tree, which is never deeper than five
//! nodes.

mod authored;
mod canonical;
mod check;
mod classify;
mod cut;
mod definition;
mod piece;
mod references;
mod routes;
mod semantics;
mod standalone;
mod ternary;
mod token;
mod verdict;
mod vocabulary;

use text_size::{TextRange, TextSize};

use crate::ast::{Expr, ExprKind};

pub use canonical::canonical;
pub use check::{FindingKind, RoutingFinding, check, never_follows};
pub(crate) use classify::{meant_tokens, tokens};
pub use definition::ROUTING;
pub(crate) use references::PARTITION_TABLE;
pub use references::{PARTITIONS, StateReference, references};
pub use routes::routes;
pub use semantics::RoutingSemantics;
pub use verdict::{EdgeVerdict, edge_verdict, result, router_target};

/// Parses an expression. A text with a template brace is an [`ExprKind::Error`], because the runtime reads nothing of it.
pub fn parse(text: &str) -> Expr {
    let piece = piece::Piece::whole(text);
    if text.contains("{{") || text.contains("}}") {
        let parts = references::scan(text, TextSize::default()).into_iter().map(references::variable);
        return Expr { kind: ExprKind::Error(parts.collect()), range: piece.range() };
    }
    match ternary::find(text) {
        Some(marks) => cut::conditional(piece, marks),
        None => cut::boolean(piece),
    }
}

/// Whether the character ends a line.
fn is_line_break(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

/// Whether the byte can be part of a name.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The range of these bytes.
fn range(start: usize, end: usize) -> TextRange {
    let offset = |at: usize| TextSize::try_from(at).unwrap_or_default();
    TextRange::new(offset(start), offset(end))
}

/// The text in a range.
fn slice(text: &str, range: TextRange) -> &str {
    text.get(usize::from(range.start())..usize::from(range.end())).unwrap_or_default()
}
