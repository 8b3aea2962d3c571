//! Comparisons that are also true if the key does not exist.
//!
//! Input: a condition; output: findings. Invariant: a comparison that is joined by `and` with `exists(...)` of its
//! key is no finding.

use smol_str::SmolStr;

use super::{FindingKind, Found, advice, shown};
use crate::ast::{Compare, CompareOperator, Expr, ExprKind, Logic, LogicOperator};
use crate::filtrex::reads::reads;

pub(super) fn check(expr: &Expr, findings: &mut Vec<Found>) {
    search(expr, &mut Vec::new(), findings);
}

/// Searches an expression in which these keys are known to exist.
fn search(node: &Expr, there: &mut Vec<SmolStr>, findings: &mut Vec<Found>) {
    let outside = there.len();
    match &node.kind {
        ExprKind::Logic(logic) if logic.operator == LogicOperator::And => {
            there.extend(operands(logic).filter_map(existing));
        }
        ExprKind::Compare(compare) => findings.extend(holds(compare, node, there)),
        _ => {}
    }
    node.each_child(&mut |child| search(child, there, findings));
    there.truncate(outside);
}

fn operands(logic: &Logic) -> impl Iterator<Item = &Expr> {
    std::iter::once(&logic.first).chain(logic.rest.iter().map(|link| &link.operand))
}

/// The key of `exists(memory.x)`.
fn existing(operand: &Expr) -> Option<SmolStr> {
    let ExprKind::Call(call) = &operand.without_groups().kind else { return None };
    let [argument] = call.arguments.as_slice() else { return None };
    let reads = reads(argument);
    let [read] = reads.as_slice() else { return None };
    let key = read.memory_key().filter(|_| call.name == "exists" && read.range == argument.range)?;
    Some(key.name.clone())
}

/// The finding about `memory.x != 'a'`, a comparison with a literal.
fn holds(compare: &Compare, node: &Expr, there: &[SmolStr]) -> Option<Found> {
    if compare.operator != CompareOperator::NotEqual {
        return None;
    }
    let is_literal = |side: &Expr| matches!(side.kind, ExprKind::Text(_) | ExprKind::Number(_));
    let read = match (&compare.left, &compare.right) {
        (read, literal) | (literal, read) if is_literal(literal) => read,
        _ => return None,
    };
    let reads = reads(read);
    let [read] = reads.as_slice() else { return None };
    let key = read
        .memory_key()
        .filter(|_| read.range == compare.left.range || read.range == compare.right.range)
        .filter(|key| !there.contains(&key.name))?;
    let message = format!("this holds also when there is no `{}`", shown(&key.name));
    let help = "write `exists(...) and` before it if the key must be there";
    Some(advice(FindingKind::HoldsWhenMissing, node.range, message, help))
}
