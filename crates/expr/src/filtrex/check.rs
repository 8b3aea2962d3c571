//! What is suspicious about an expression that the release compiles.
//!
//! Input: the text, its accepted [`Parse`], where it is used; output: findings in reading order. Invariant: the
//! replacement of a finding, put in place of its range, removes that finding and says what the author meant.

mod calls;
mod missing;
mod names;
mod operators;

use nodewise_platform::sorting::Sorting;
use text_size::{TextRange, TextSize};

use super::Parse;
use crate::ast::Expr;
use crate::finding::ExpressionFinding;
use crate::finding_kinds;
use crate::problem::quote;

pub use names::warns_of_booleans;

/// Where an expression is used, which decides what it can read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpressionPlace {
    /// The condition of an edge: it reads the state of the run.
    Edge,
    /// A verifier: it reads the memory and the goal.
    Verifier,
}

finding_kinds! {
    "filtrex",
    /// The kind of a [`ExpressionFinding`].
    pub enum FindingKind {
        /// `true`, `null` and the like, which are names of nothing in filtrex.
        ForeignLiteral,
        /// A `$.` that is not at the start of the expression.
        InnerDollar,
        /// A name that is not a field of the state.
        UnknownName,
        /// A memory key that every mapping inherits from JavaScript.
        InheritedMember,
        /// `memory.my-key`, which is a subtraction.
        DashedName,
        /// A call of a function that does not exist.
        UnknownFunction,
        /// A function with too many or too few arguments.
        Arity,
        /// An operand of a type with which the operator always fails.
        OperandType,
        /// A list that is compared with something: it is only equal to itself.
        NeverEqual,
        /// `not a == b`, which negates `a`.
        NegationReach,
        /// `memory.x != 'a'`, which is also true if there is no `x`.
        HoldsWhenMissing,
        /// A text that is no regular expression.
        InvalidPattern,
        /// `010`, which is 8.
        Octal,
        /// `?:` and `%`, which the release warns about.
        Deprecated,
        /// A keyword without a space after it: the release loses the next character.
        SwallowedCharacter,
        /// An expression that does not depend on the state.
        Constant,
    }
}

/// A finding in filtrex.
type Found = ExpressionFinding<FindingKind>;

/// The findings of an accepted expression; none for a broken one.
pub fn check(text: &str, parse: &Parse, place: ExpressionPlace) -> Vec<Found> {
    if !parse.accepted() {
        return Vec::new();
    }
    let mut findings = Vec::new();
    names::check(text, &parse.expr, place, &mut findings);
    parse.expr.walk(&mut |node| {
        calls::check(text, node, &mut findings);
        operators::check(text, node, &mut findings);
    });
    missing::check(&parse.expr, &mut findings);
    findings.extend(operators::swallowed_characters(text));
    findings.extend(operators::constant(&parse.expr));
    findings.arrange_by_key(|finding| finding.range.start());
    findings
}

/// A finding with advice.
fn advice(kind: FindingKind, range: TextRange, message: String, help: &str) -> Found {
    ExpressionFinding { kind, range, message, help: Some(help.to_owned()), replacement: None }
}

/// A finding with an edit.
fn edit(kind: FindingKind, range: TextRange, message: String, replacement: String) -> Found {
    let help = match replacement.trim() {
        "" => "leave it out".to_owned(),
        shown => format!("write `{shown}`"),
    };
    ExpressionFinding { kind, range, message, help: Some(help), replacement: Some(replacement) }
}

/// The text of a node.
fn slice<'t>(text: &'t str, expr: &Expr) -> &'t str {
    text_at(text, expr.range)
}

fn text_at(text: &str, range: TextRange) -> &str {
    text.get(usize::from(range.start())..usize::from(range.end())).unwrap_or_default()
}

/// A name as a message shows it.
fn shown(name: &str) -> String {
    quote(name)
}

/// The range from one offset to another.
fn between(start: TextSize, end: TextSize) -> TextRange {
    if start <= end { TextRange::new(start, end) } else { TextRange::empty(end) }
}
