//! The decision by an expression.
//!
//! Input: a tree and the state; output: the text that it results in, and what an edge or a router does with it.
//! Invariant: there is always a text.

use smol_str::SmolStr;

use super::RoutingSemantics;
use crate::ast::Expr;
use crate::eval::{self, Scope};
use crate::javascript;
use crate::value::Value;

/// The decision of a conditional edge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EdgeVerdict {
    /// It leads to its target.
    Follow,
    /// It leads nowhere.
    Skip,
    /// It leads to its target if the target has this name, and nowhere otherwise.
    Other(SmolStr),
}

/// The text that an expression results in. The scope's variables are the partitions of the state.
pub fn result(expr: &Expr, scope: &Scope<'_>) -> SmolStr {
    match eval::evaluate(expr, &RoutingSemantics, scope) {
        Ok(value) => text_of_result(&value),
        // The runtime takes a failure for `false`.
        Err(_) => "false".into(),
    }
}

/// What a conditional edge does if its expression results in this text.
pub fn edge_verdict(result: &str) -> EdgeVerdict {
    match result {
        "true" => EdgeVerdict::Follow,
        "false" => EdgeVerdict::Skip,
        name => EdgeVerdict::Other(name.into()),
    }
}

/// The node that a router names with this text; `None` if its edges decide.
pub fn router_target(result: &str) -> Option<&str> {
    Some(result).filter(|name| !name.is_empty())
}

/// The text for a value that is the result of the whole expression.
pub(crate) fn text_of_result(value: &Value) -> SmolStr {
    match value {
        Value::Undefined | Value::Null => "false".into(),
        value => javascript::to_text(value).into(),
    }
}
