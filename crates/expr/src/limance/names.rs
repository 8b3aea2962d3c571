//! The names in an expression.
//!
//! Input: a tree, broken or not; output: its names in reading order. Invariant: an error type in a builtin's
//! arguments is not a variable, and neither is a function reference.

use smol_str::SmolStr;
use text_size::TextRange;

use super::builtin;
use crate::ast::{Expr, ExprKind, Path};
use crate::builtins::Arguments;
use crate::eval::argument_text;

/// An error type that a builtin's argument names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorType {
    /// The type's name.
    pub name: SmolStr,
    /// The range of the name, with quotes.
    pub range: TextRange,
}

/// Every variable that the expression reads. A variable can occur several times.
pub fn variables(expr: &Expr) -> Vec<&Path> {
    let mut found = Vec::new();
    collect_variables(expr, &mut found);
    found
}

/// Every error type that the expression asks about.
pub fn error_types(expr: &Expr) -> Vec<ErrorType> {
    let mut found = Vec::new();
    expr.walk(&mut |node| {
        if let ExprKind::Call(call) = &node.kind
            && names_error_types(&call.name)
        {
            found.extend(call.arguments.iter().filter_map(|argument| {
                argument_text(argument).map(|name| ErrorType { name, range: argument.range })
            }));
        }
    });
    found
}

fn collect_variables<'e>(expr: &'e Expr, found: &mut Vec<&'e Path>) {
    match &expr.kind {
        ExprKind::Variable(path) => found.push(path),
        ExprKind::Call(call) if names_error_types(&call.name) => {}
        _ => expr.each_child(&mut |child| collect_variables(child, found)),
    }
}

fn names_error_types(name: &str) -> bool {
    builtin(name).is_some_and(|builtin| builtin.arguments == Arguments::ErrorTypes)
}
