//! What is known about an expression without running it: its type, and its value if it is constant.
//!
//! Input: a tree; output: a type, or a value. Invariant: a constant is what evaluation would yield in every scope.

use crate::ast::{ArithmeticOperator, CompareOperator, Expr, ExprKind, Logic, LogicOperator, UnaryOperator};
use crate::eval::{self, Scope, Semantics};
use crate::value::Value;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueType {
    /// True or false.
    Bool,
    Number,
    Text,
    List,
    /// A mapping.
    Map,
    /// Nothing.
    Null,
    /// Only a run can tell.
    Unknown,
}

impl ValueType {
    /// The type's name in messages.
    pub fn name(self) -> &'static str {
        match self {
            ValueType::Bool => "boolean",
            ValueType::Number => "number",
            ValueType::Text => "text",
            ValueType::List => "list",
            ValueType::Map => "mapping",
            ValueType::Null => "null",
            ValueType::Unknown => "unknown",
        }
    }
}

/// The type of an expression in the language of these semantics.
pub fn type_of(expr: &Expr, semantics: &dyn Semantics) -> ValueType {
    match &expr.kind {
        ExprKind::Undefined | ExprKind::Null => ValueType::Null,
        ExprKind::Logic(_) if semantics.logic_yields_operand() => ValueType::Unknown,
        ExprKind::Bool(_)
        | ExprKind::Not(_)
        | ExprKind::Compare(_)
        | ExprKind::Chain(_)
        | ExprKind::Logic(_) => ValueType::Bool,
        ExprKind::Number(_) | ExprKind::Negate(_) => ValueType::Number,
        ExprKind::Text(_) | ExprKind::Bare(_) => ValueType::Text,
        ExprKind::List(_) => ValueType::List,
        ExprKind::Arithmetic(arithmetic) => match arithmetic.operator {
            // `+` may also join texts, so the type is not certain.
            ArithmeticOperator::Add => ValueType::Unknown,
            _ => ValueType::Number,
        },
        ExprKind::Conditional(conditional) => {
            let chosen = type_of(&conditional.consequent, semantics);
            if chosen == type_of(&conditional.alternative, semantics) { chosen } else { ValueType::Unknown }
        }
        ExprKind::Group(inner) => type_of(inner, semantics),
        ExprKind::Call(call) => {
            semantics.builtin(&call.name).map_or(ValueType::Unknown, |builtin| builtin.result)
        }
        ExprKind::Unary(unary) => match unary.operator {
            UnaryOperator::Number | UnaryOperator::Invert => ValueType::Number,
            UnaryOperator::TypeOf => ValueType::Text,
        },
        ExprKind::Variable(_)
        | ExprKind::Function(_)
        | ExprKind::Member(_)
        | ExprKind::Subscript(_)
        | ExprKind::Method(_)
        | ExprKind::Pattern(_)
        | ExprKind::Error(_) => ValueType::Unknown,
    }
}

/// The value of an expression if it is the same in every scope; `false and x` has one.
pub fn constant(expr: &Expr, semantics: &dyn Semantics) -> Option<Value> {
    match &expr.kind {
        ExprKind::Logic(logic) if !semantics.logic_yields_operand() => {
            constant_logic(logic, semantics).map(Value::Bool)
        }
        ExprKind::Group(inner) => constant(inner, semantics),
        ExprKind::Not(not) => {
            semantics.truth(&constant(&not.operand, semantics)?).ok().map(|truth| Value::Bool(!truth))
        }
        // A regular expression may take forever, so nothing is matched just to show a text.
        _ if only_literals(expr) && !has_match(expr) => {
            eval::evaluate(expr, semantics, &Scope::default()).ok()
        }
        _ => None,
    }
}

/// Whether the expression consists only of literals.
pub fn only_literals(expr: &Expr) -> bool {
    let mut only = true;
    expr.walk(&mut |node| {
        only &= !matches!(
            node.kind,
            ExprKind::Variable(_) | ExprKind::Function(_) | ExprKind::Call(_) | ExprKind::Error(_)
        );
    });
    only
}

/// Whether the expression matches a regular expression.
pub(crate) fn has_match(expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |node| {
        found |= match &node.kind {
            ExprKind::Compare(compare) => compare.operator == CompareOperator::Matches,
            ExprKind::Chain(chain) => chain.rest.iter().any(|link| link.operator == CompareOperator::Matches),
            _ => false,
        };
    });
    found
}

/// Whether the operator tests membership, not equality or order.
pub(crate) fn is_membership(operator: CompareOperator) -> bool {
    matches!(operator, CompareOperator::In | CompareOperator::NotIn)
}

/// A run is constant if an operand decides it before one that is not constant, or if all operands are constant.
fn constant_logic(logic: &Logic, semantics: &dyn Semantics) -> Option<bool> {
    let deciding = logic.operator == LogicOperator::Or;
    for operand in logic.operands() {
        if semantics.truth(&constant(operand, semantics)?).ok()? == deciding {
            return Some(deciding);
        }
    }
    Some(!deciding)
}
