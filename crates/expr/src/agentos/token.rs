//! The smallest parts: references, literals, and text that stands for itself.
//!
//! Input: a piece between operators; output: a leaf of the tree. Invariant: the first reading that fits is used, in
//! the order in which the runtime tries them, and spaces around the piece are ignored.

use super::piece::Piece;
use super::references;
use crate::ast::{Expr, ExprKind, Text};
use crate::javascript;

/// The leaf for a piece.
pub(crate) fn token(piece: Piece<'_>) -> Expr {
    let piece = piece.trimmed();
    let kind = match references::exact(piece) {
        Some(path) => ExprKind::Variable(path),
        None => literal(piece.text),
    };
    Expr { kind, range: piece.range() }
}

fn literal(text: &str) -> ExprKind {
    if let Some(quote @ ('\'' | '"')) = text.chars().next()
        && text.ends_with(quote)
    {
        // A lone quote is its own closing one.
        let value = text.get(1..text.len() - 1).unwrap_or_default().into();
        return ExprKind::Text(Text { value, quote });
    }
    match text {
        "" => ExprKind::Bare("".into()),
        "true" => ExprKind::Bool(true),
        "false" => ExprKind::Bool(false),
        "null" => ExprKind::Null,
        "undefined" => ExprKind::Undefined,
        _ => match javascript::text_to_number(text) {
            number if number.is_nan() => ExprKind::Bare(text.into()),
            number => ExprKind::Number(number),
        },
    }
}
