//! The canonical layout of a routing expression.
//!
//! Input: a text and its tree; output: the text with one space around each operator. Invariant: the output has the
//! same S-expression; a text for which spaces change the meaning stays as it is.

use super::{parse, slice};
use crate::ast::{Expr, ExprKind, Spelling};
use crate::sexpr::sexpr;

/// The canonical layout: spaces around operators, none at the ends, leaves as written.
pub fn canonical(text: &str, expr: &Expr) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    write(text, expr, &mut out);
    let keeps_meaning = sexpr(&parse(&out)) == sexpr(expr);
    if keeps_meaning { out } else { text.to_owned() }
}

fn write(text: &str, expr: &Expr, out: &mut String) {
    match &expr.kind {
        ExprKind::Conditional(conditional) => {
            write(text, &conditional.condition, out);
            word("?", out);
            write(text, &conditional.consequent, out);
            word(":", out);
            write(text, &conditional.alternative, out);
        }
        ExprKind::Logic(logic) => {
            write(text, &logic.first, out);
            for link in &logic.rest {
                word(logic.operator.spelled(Spelling::Symbol), out);
                write(text, &link.operand, out);
            }
        }
        ExprKind::Compare(compare) => {
            write(text, &compare.left, out);
            word(compare.operator.spelled(), out);
            write(text, &compare.right, out);
        }
        _ => word(slice(text, expr.range), out),
    }
}

/// Adds a word, with a space before it unless it is the first. An empty operand adds nothing.
fn word(word: &str, out: &mut String) {
    if !out.is_empty() && !word.is_empty() {
        out.push(' ');
    }
    out.push_str(word);
}
