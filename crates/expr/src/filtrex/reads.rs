//! The places in the state that an expression reads.
//!
//! Input: a tree, broken or not; output: the places it reads, in reading order. Invariant: `key of memory` and
//! `memory.key` are the same place.

use text_size::TextRange;

use crate::ast::{Expr, ExprKind, Segment};

/// A place in the state that an expression reads.
#[derive(Debug, Clone, PartialEq)]
pub struct Read<'e> {
    /// The names from the state downwards; never empty.
    pub segments: Vec<&'e Segment>,
    /// Where it is written.
    pub range: TextRange,
}

impl<'e> Read<'e> {
    /// The field of the state, such as `memory` or `goal`.
    pub fn root(&self) -> Option<&'e Segment> {
        self.segments.first().copied()
    }

    /// The key of the memory that is read, if it is one.
    pub fn memory_key(&self) -> Option<&'e Segment> {
        self.root().filter(|root| root.name == "memory").and_then(|_| self.segments.get(1).copied())
    }
}

/// Every place that the expression reads, in the order of the text. A place can occur several times.
pub fn reads(expr: &Expr) -> Vec<Read<'_>> {
    let mut found = Vec::new();
    collect(expr, &mut found);
    found
}

fn collect<'e>(expr: &'e Expr, found: &mut Vec<Read<'e>>) {
    match segments(expr) {
        Some(segments) => found.push(Read { segments, range: expr.range }),
        None => expr.each_child(&mut |child| collect(child, found)),
    }
}

/// Whether the expression only reads a key of the memory to ask whether it exists: `exists(memory.x)`.
pub fn asks_only_existence(expr: &Expr, key: &str) -> bool {
    if let ExprKind::Call(call) = &expr.without_groups().kind
        && call.name == "exists"
        && let [argument] = call.arguments.as_slice()
        && segments(argument).is_some_and(|names| names.len() == 2)
    {
        return true;
    }
    if segments(expr).is_some() {
        return !reads(expr).iter().any(|read| read.memory_key().is_some_and(|found| found.name == key));
    }
    let mut is_so = true;
    expr.each_child(&mut |child| is_so &= asks_only_existence(child, key));
    is_so
}

/// The names that lead to the value of an expression, if only names lead there.
fn segments(expr: &Expr) -> Option<Vec<&Segment>> {
    let mut outwards = Vec::new();
    let mut expr = expr.without_groups();
    while let ExprKind::Member(member) = &expr.kind {
        outwards.push(&member.path.segments);
        expr = member.object.without_groups();
    }
    let ExprKind::Variable(path) = &expr.kind else { return None };
    outwards.push(&path.segments);
    Some(outwards.into_iter().rev().flatten().collect())
}
