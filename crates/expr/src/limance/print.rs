//! The canonical layout of an expression.
//!
//! Input: a tree without error nodes and the text it was parsed from; output: the text in canonical layout.
//! Invariant: the output parses to the same S-expression, and printing it again changes nothing.

use text_size::TextRange;

use super::text::requoted;
use crate::ast::{Call, Expr, ExprKind, Logic, Not, Path, Spelling, Text};

/// The canonical layout: spaces around binary operators, one operator family, quotes kept where they can be.
///
/// Parentheses stay as written. A tree with error nodes keeps the text of these as it stands.
pub fn canonical(text: &str, expr: &Expr) -> String {
    print(text, expr, Parentheses::AsWritten)
}

/// The same with parentheses around every term that could be grouped differently. Spellings stay as written.
pub fn grouped(text: &str, expr: &Expr) -> String {
    print(text, expr, Parentheses::Explicit)
}

/// Which parentheses are printed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parentheses {
    AsWritten,
    Explicit,
}

/// The place of a term, as far as explicit parentheses depend on it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The whole condition, the text inside parentheses, or the operand of a negation.
    Alone,
    /// An operand of a run, with further operands after it.
    BeforeOperand,
    /// The last operand of a run.
    LastOperand,
}

struct Printer<'t> {
    text: &'t str,
    parentheses: Parentheses,
    family: Spelling,
    out: String,
}

fn print(text: &str, expr: &Expr, parentheses: Parentheses) -> String {
    let family = family(expr).unwrap_or(Spelling::Symbol);
    let mut printer = Printer { text, parentheses, family, out: String::with_capacity(text.len()) };
    printer.expr(expr, Place::Alone);
    printer.out
}

/// The family that the author uses: the spelling of the first `and` or `or`.
pub(crate) fn family(expr: &Expr) -> Option<Spelling> {
    let mut first: Option<(TextRange, Spelling)> = None;
    expr.walk(&mut |node| {
        if let ExprKind::Logic(logic) = &node.kind
            && let Some(link) = logic.rest.first()
            && first.is_none_or(|(range, _)| link.operator_range.start() < range.start())
        {
            first = Some((link.operator_range, link.spelling));
        }
    });
    first.map(|(_, spelling)| spelling)
}

impl Printer<'_> {
    fn expr(&mut self, expr: &Expr, place: Place) {
        let wraps = self.parentheses == Parentheses::Explicit
            && match &expr.kind {
                ExprKind::Logic(_) => place != Place::Alone,
                ExprKind::Not(_) => place == Place::BeforeOperand,
                _ => false,
            };
        if wraps {
            self.out.push('(');
        }
        self.term(expr);
        if wraps {
            self.out.push(')');
        }
    }

    fn term(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Undefined => self.out.push_str("undefined"),
            ExprKind::Null => self.out.push_str("null"),
            ExprKind::Bool(value) => self.out.push_str(if *value { "true" } else { "false" }),
            ExprKind::Number(_)
            | ExprKind::Bare(_)
            | ExprKind::Negate(_)
            | ExprKind::Arithmetic(_)
            | ExprKind::Conditional(_)
            | ExprKind::List(_)
            | ExprKind::Member(_)
            | ExprKind::Subscript(_)
            | ExprKind::Method(_)
            | ExprKind::Pattern(_)
            | ExprKind::Unary(_)
            | ExprKind::Error(_) => self.out.push_str(slice(self.text, expr.range)),
            ExprKind::Text(text) => self.literal(text, expr.range),
            ExprKind::Variable(path) | ExprKind::Function(path) => self.path(path),
            ExprKind::Call(call) => self.call(call),
            ExprKind::Group(inner) => {
                self.out.push('(');
                self.expr(inner, Place::Alone);
                self.out.push(')');
            }
            ExprKind::Not(not) => self.not(not),
            ExprKind::Compare(compare) => {
                self.term(&compare.left);
                self.operator(compare.operator.spelled());
                self.term(&compare.right);
            }
            ExprKind::Chain(chain) => {
                self.term(&chain.first);
                for link in &chain.rest {
                    self.operator(link.operator.spelled());
                    self.term(&link.operand);
                }
            }
            ExprKind::Logic(logic) => self.logic(logic),
        }
    }

    fn not(&mut self, not: &Not) {
        self.out.push_str(match not.spelling {
            Spelling::Symbol => "!",
            Spelling::Word => "not ",
        });
        self.expr(&not.operand, Place::LastOperand);
    }

    fn logic(&mut self, logic: &Logic) {
        self.expr(&logic.first, Place::BeforeOperand);
        let last = logic.rest.len().saturating_sub(1);
        for (index, link) in logic.rest.iter().enumerate() {
            let spelling = match self.parentheses {
                Parentheses::AsWritten => self.family,
                Parentheses::Explicit => link.spelling,
            };
            self.operator(logic.operator.spelled(spelling));
            self.expr(&link.operand, if index < last { Place::BeforeOperand } else { Place::LastOperand });
        }
    }

    fn operator(&mut self, operator: &str) {
        self.out.push(' ');
        self.out.push_str(operator);
        self.out.push(' ');
    }

    fn literal(&mut self, text: &Text, range: TextRange) {
        let written = slice(self.text, range);
        let literal = match self.parentheses {
            Parentheses::AsWritten => requoted(written, text),
            Parentheses::Explicit => None,
        };
        self.out.push_str(literal.as_deref().unwrap_or(written));
    }

    fn path(&mut self, path: &Path) {
        for (index, segment) in path.segments.iter().enumerate() {
            if index > 0 {
                self.out.push('.');
            }
            self.out.push_str(&segment.name);
        }
    }

    fn call(&mut self, call: &Call) {
        self.out.push_str(&call.name);
        self.out.push('(');
        for (index, argument) in call.arguments.iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            self.term(argument);
        }
        self.out.push(')');
    }
}

fn slice(text: &str, range: TextRange) -> &str {
    text.get(usize::from(range.start())..usize::from(range.end())).unwrap_or_default()
}
