//! Evaluates a script at a place.
//!
//! Input: a script, the child that it decides about, and its place; output: a value or the release's exception.
//! Invariant: a script can only read the names that paths define.

use smol_str::SmolStr;

use super::place::SelectedNode;
use super::{PathError, PathErrorKind, thrown};
use crate::eval::{self, EvalError, Scope};
use crate::jsonpath::methods::UNSUPPORTED;
use crate::jsonpath::script::{Reason, ScriptExpression};
use crate::jsonpath::semantics::JsonPathFilter;
use crate::value::{Map, Value};

/// The value of a script about `child`, which is a child of `place` or `place` itself.
pub(super) fn value(
    script: &ScriptExpression,
    child: &SelectedNode,
    place: &SelectedNode,
    root: &Value,
) -> Result<Value, PathError> {
    if let Some(fault) = &script.fault {
        return Err(thrown(fault.thrown.clone(), fault.problem.range));
    }
    let names: Map = script
        .names
        .iter()
        .map(|name| (SmolStr::new_static(name), known(name, child, place, root)))
        .collect();
    let variables = [&names];
    let scope = Scope { variables: &variables, ..Scope::default() };
    let mut last = Value::Undefined;
    for expr in &script.expressions {
        last = eval::evaluate(expr, &JsonPathFilter, &scope).map_err(|error| failure(script, error))?;
    }
    Ok(last)
}

fn known(name: &str, child: &SelectedNode, place: &SelectedNode, root: &Value) -> Value {
    match name {
        "@" => child.value.clone(),
        "@root" => root.clone(),
        "@parent" => place.parent.clone(),
        "@parentProperty" => place.name.clone(),
        "@property" => child.name.clone(),
        "@path" => Value::Text(child.trail.written().into()),
        _ => Value::Undefined,
    }
}

fn failure(script: &ScriptExpression, error: EvalError) -> PathError {
    let refusal = script.refusals.iter().find(|refusal| refusal.range == error.range);
    let unsupported =
        |message: String| PathError { kind: PathErrorKind::Unsupported, message, range: error.range };
    let message = match refusal.map(|refusal| &refusal.reason) {
        Some(Reason::Unsupported(what)) => {
            return unsupported(format!("nodewise does not run {what} in filters"));
        }
        Some(Reason::Thrown { thrown, .. }) => thrown.as_str(),
        None if error.message == UNSUPPORTED => return unsupported(error.message),
        None => error.message.as_str(),
    };
    thrown(format!("jsonPath: {message}: {}", script.source), error.range)
}
