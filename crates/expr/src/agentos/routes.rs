//! The texts that an expression can result in, in any state.
//!
//! Input: a tree; output: its constant results, and whether there are others. Invariant: every result that evaluation
//! yields in some state is listed, or [`Routes::has_others`] is set.

use smol_str::SmolStr;

use super::RoutingSemantics;
use super::verdict::text_of_result;
use crate::ast::{Expr, ExprKind};
use crate::javascript;
use crate::language::{Route, Routes};
use crate::types;
use crate::value::Value;

/// The texts that an expression can result in.
pub fn routes(expr: &Expr) -> Routes {
    let mut routes = Routes::default();
    collect(expr, &mut routes);
    routes
}

fn collect(expr: &Expr, routes: &mut Routes) {
    let mut add = |name: SmolStr| routes.constant.push(Route { name, range: expr.range });
    let fixed = |part: &Expr| types::constant(part, &RoutingSemantics);
    match &expr.kind {
        ExprKind::Conditional(conditional) => match fixed(&conditional.condition) {
            Some(value) if javascript::is_truthy(&value) => collect(&conditional.consequent, routes),
            Some(_) => collect(&conditional.alternative, routes),
            None => {
                collect(&conditional.consequent, routes);
                collect(&conditional.alternative, routes);
            }
        },
        ExprKind::Error(_) => add(text_of_result(&Value::Undefined)),
        kind => match fixed(expr) {
            Some(value) => add(text_of_result(&value)),
            None if matches!(kind, ExprKind::Compare(_) | ExprKind::Logic(_)) => {
                add(text_of_result(&Value::Bool(true)));
                add(text_of_result(&Value::Bool(false)));
            }
            None => routes.has_others = true,
        },
    }
}
