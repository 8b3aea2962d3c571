//! The value of an expression that reads nothing.
//!
//! Input: a language, a text; output: a value, or the reason why it has none. Invariant: a constant is what every run
//! would compute. An expression that depends on the time or on an error has no constant. Neither has one that matches
//! regular expressions, because that may take forever.

use crate::ast::{Expr, ExprKind};
use crate::builtins::Body;
use crate::eval::{self, Scope, Semantics};
use crate::javascript::number_to_text;
use crate::text::encode;
use crate::types;
use crate::value::Value;

/// The constant result of an expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Constant {
    Value(Value),
    /// An error with this message.
    Fails(String),
}

impl Constant {
    /// The value as an expression writes it, or the message.
    pub fn shown(&self) -> String {
        match self {
            Constant::Value(value) => shown(value),
            Constant::Fails(message) => message.clone(),
        }
    }
}

/// The constant result of an expression; `None` if it reads something.
pub fn of_tree(expr: &Expr, semantics: &dyn Semantics) -> Option<Constant> {
    if let Some(value) = types::constant(expr, semantics) {
        return Some(Constant::Value(value));
    }
    if !reads_nothing(expr, semantics) || types::has_match(expr) {
        return None;
    }
    Some(match eval::evaluate(expr, semantics, &Scope::default()) {
        Ok(value) => Constant::Value(value),
        Err(error) => Constant::Fails(error.message),
    })
}

/// Whether the expression reads no name, and only calls builtins that depend on nothing but their arguments.
fn reads_nothing(expr: &Expr, semantics: &dyn Semantics) -> bool {
    let mut reads_nothing = true;
    expr.walk(&mut |node| {
        reads_nothing &= match &node.kind {
            ExprKind::Variable(_) | ExprKind::Function(_) | ExprKind::Error(_) => false,
            ExprKind::Call(call) => {
                semantics.builtin(&call.name).is_some_and(|builtin| matches!(builtin.body, Body::OfValues(_)))
            }
            _ => true,
        };
    });
    reads_nothing
}

fn shown(value: &Value) -> String {
    match value {
        Value::Undefined => "undefined".to_owned(),
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number_to_text(*number),
        Value::Text(text) => encode(text, '\''),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(shown).collect();
            format!("({})", items.join(", "))
        }
        Value::Map(_) => "a mapping".to_owned(),
        Value::Pattern(pattern) => format!("/{}/{}", pattern.source, pattern.flags),
        Value::Function(name) => name.to_string(),
    }
}
