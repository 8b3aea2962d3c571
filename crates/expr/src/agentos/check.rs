//! What is odd about a routing expression.
//!
//! Input: a text and its tree; output: findings in reading order. The runtime accepts every text, so a finding says
//! where its reading is not what the author is likely to have meant. Invariant: words that stand for themselves as
//! the result, or as what a reference is compared with, are no finding.

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
    /// The class of a [`RoutingFinding`].
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
        /// Quotes that the language has not, or that nothing closes, or an escape within them.
        Quoting,
        /// An operator in quotes, at which the text is cut all the same.
        CutQuote,
        /// `a < b < c`
        ChainedComparison,
        /// A choice within an arm of a choice.
        NestedTernary,
        /// An arm of a choice that holds an operator.
        ArmExpression,
        /// A `?` without all its parts.
        MalformedTernary,
        /// A line break that keeps a choice from being read as one.
        LineBreak,
        /// An operator or mark with nothing on one side.
        EmptyOperand,
        /// A path that begins with no partition of the state.
        UnknownRoot,
        /// A reference in text that stands for itself.
        UnreadReference,
        /// A literal of another language.
        ForeignLiteral,
        /// Text where only its being there counts, which is always.
        ConstantText,
        /// Two fixed sides of a comparison.
        ConstantComparison,
        /// A text that is no number, ordered by size.
        NotANumber,
        /// A condition of an edge that never leads to its target.
        NeverFollows,
    }
}

/// What is odd about an expression, wherever it stands.
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

/// Why the condition of an edge never leads to its own target, if that is certain. A plain `false` is meant.
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
