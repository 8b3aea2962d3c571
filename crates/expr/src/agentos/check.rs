//! What is suspicious about a routing expression.
//!
//! Input: a text and its tree; output: findings in reading order. The runtime accepts every text, so a finding says
//! where the runtime's reading is probably not what the author meant. Invariant: words that stand for themselves as
//! the result, or as one side of a comparison with a reference, are no finding.

mod groups;
mod layout;
mod leaves;
mod paths;
mod shape;
mod symbols;

use nodewise_platform::sorting::Sorting;

use self::layout::Layout;
use super::routes::routes;
use super::{authored, slice};
use crate::ast::{Expr, ExprKind};
use crate::problem::quote;
use crate::{finding, finding_kinds};

/// A finding about a routing expression.
pub type RoutingFinding = finding::ExpressionFinding<FindingKind>;

finding_kinds! {
    "agentos-routing",
    /// The kind of a [`RoutingFinding`].
    pub enum FindingKind {
        /// `{{…}}`, `${…}`
        Template,
        /// `!a`, `not a`
        Negation,
        /// `a and b`, `a or b`
        WordOperator,
        /// `a = b`, `a => b`, `a <> b`, `a & b`
        ForeignOperator,
        /// `(a)`
        Parentheses,
        /// `a[0]`, `[a, b]`
        Brackets,
        /// `a?.b`
        OptionalChaining,
        /// `a ?? b`
        Nullish,
        /// `a + 1`
        Arithmetic,
        /// `scratch.my-key`
        DashedPath,
        /// `f(a)`
        Call,
        /// `a // why`, `a;`
        Trailing,
        /// Quotes that the language does not have, quotes that are never closed, or an escape within quotes.
        Quoting,
        /// An operator in quotes, where the runtime cuts the text all the same.
        CutQuote,
        /// `a < b < c`
        ChainedComparison,
        /// A choice within an arm of a choice.
        NestedTernary,
        /// An arm of a choice that holds an operator.
        ArmExpression,
        /// A `?` with parts missing.
        MalformedTernary,
        /// A line break because of which a choice is not read as one.
        LineBreak,
        /// An operator or mark with nothing on one side.
        EmptyOperand,
        /// A path whose first name is no part of the state.
        UnknownRoot,
        /// A reference inside a text that stands for itself, so that the runtime does not read it.
        UnreadReference,
        /// A literal of another language.
        ForeignLiteral,
        /// A text used as a condition, which is always true.
        ConstantText,
        /// A comparison of two fixed sides.
        ConstantComparison,
        /// A text that is not a number, compared by size.
        NotANumber,
        /// A condition of an edge that never leads to its target.
        NeverFollows,
    }
}

/// The findings about an expression, wherever it is used.
pub fn check(text: &str, expr: &Expr) -> Vec<RoutingFinding> {
    let words = authored::words(text);
    if matches!(expr.kind, ExprKind::Error(_)) {
        return symbols::template(text).into_iter().collect();
    }
    if let Some(finding) = shape::line_break(text, expr) {
        return vec![finding];
    }
    let mut layout = Layout::new(text, expr, &words);
    let mut findings = shape::cut_quotes(&mut layout);
    findings.extend(symbols::findings(&mut layout));
    findings.extend(shape::comparisons(&mut layout));
    findings.extend(leaves::findings(&layout));
    findings.arrange_by_key(|finding| finding.range.start());
    findings
}

/// Why the condition of an edge never leads to its own target, if that is certain. A plain `false` is intended, and
/// no finding.
pub fn never_follows(text: &str, expr: &Expr, own_target: &str) -> Option<RoutingFinding> {
    let routes = routes(expr);
    if routes.can_be("true") || routes.can_be(own_target) || matches!(expr.kind, ExprKind::Bool(false)) {
        return None;
    }
    let result = routes.constant.first()?;
    let shown = quote(&result.name);
    Some(RoutingFinding {
        kind: FindingKind::NeverFollows,
        range: expr.range,
        message: match routes.constant.as_slice() {
            [_] => format!("the condition always comes to `{shown}`: never followed"),
            _ => "the condition never comes to `true`: never followed".to_owned(),
        },
        help: Some(match slice(text, expr.range) {
            "" => "write the condition, or make the edge static".to_owned(),
            _ => format!("an edge is followed on `true` or its target `{}`", quote(own_target)),
        }),
        replacement: None,
    })
}
