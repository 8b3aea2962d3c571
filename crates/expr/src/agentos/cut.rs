//! From text to tree, by cutting at operators.
//!
//! Input: a piece of the expression; output: its tree. Invariant: `||` is cut before `&&` before a comparison, each
//! wherever it is found, and only one comparison is cut in a piece.

use super::piece::Piece;
use super::range;
use super::ternary::Marks;
use super::token::token;
use crate::ast::{
    Compare, CompareOperator, Conditional, Expr, ExprKind, Grouping, Logic, LogicLink, LogicOperator,
    Spelling,
};

/// The comparisons in the order in which the runtime looks for them.
pub(crate) const COMPARISONS: [CompareOperator; 8] = [
    CompareOperator::StrictEqual,
    CompareOperator::StrictNotEqual,
    CompareOperator::Equal,
    CompareOperator::NotEqual,
    CompareOperator::GreaterOrEqual,
    CompareOperator::LessOrEqual,
    CompareOperator::Greater,
    CompareOperator::Less,
];

/// `condition ? one : other`, cut at these marks.
pub(crate) fn conditional(piece: Piece<'_>, marks: Marks) -> Expr {
    let condition = boolean(piece.before(marks.question));
    let consequent = token(piece.before(marks.colon).after(marks.question + 1));
    let alternative = token(piece.after(marks.colon + 1));
    let range = condition.range.cover(alternative.range);
    let conditional = Conditional { spelling: Spelling::Symbol, condition, consequent, alternative };
    Expr { kind: ExprKind::Conditional(Box::new(conditional)), range }
}

/// Comparisons joined by `||` and `&&`; a single one if neither is there.
pub(crate) fn boolean(piece: Piece<'_>) -> Expr {
    run(piece, LogicOperator::Or, |part| run(part, LogicOperator::And, compare))
}

fn run(piece: Piece<'_>, operator: LogicOperator, operand: impl Fn(Piece<'_>) -> Expr) -> Expr {
    let symbol = operator.spelled(Spelling::Symbol);
    let mut parts = piece.text.split(symbol);
    let first_text = parts.next().unwrap_or_default();
    let mut end = first_text.len();
    let first = operand(piece.before(end));
    let mut rest = Vec::new();
    for part in parts {
        let operator_start = piece.start + end;
        let start = end + symbol.len();
        end = start + part.len();
        rest.push(LogicLink {
            spelling: Spelling::Symbol,
            operator_range: range(operator_start, operator_start + symbol.len()),
            operand: operand(piece.before(end).after(start)),
        });
    }
    let Some(last) = rest.last() else { return first };
    let range = first.range.cover(last.operand.range);
    Expr { kind: ExprKind::Logic(Box::new(Logic { operator, grouping: Grouping::Left, first, rest })), range }
}

fn compare(piece: Piece<'_>) -> Expr {
    let piece = piece.trimmed();
    let found =
        COMPARISONS.iter().find_map(|operator| Some((*operator, piece.text.find(operator.spelled())?)));
    let Some((operator, at)) = found else { return token(piece) };
    let end = at + operator.spelled().len();
    let compare = Compare {
        left: token(piece.before(at)),
        operator,
        operator_range: range(piece.start + at, piece.start + end),
        right: token(piece.after(end)),
    };
    Expr { kind: ExprKind::Compare(Box::new(compare)), range: piece.range() }
}
