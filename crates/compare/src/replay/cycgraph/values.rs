//! What a value of a recorded scenario is, where it is that.

use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

pub(super) fn map(value: Option<&Value>) -> Option<&Map> {
    match value {
        Some(Value::Map(map)) => Some(map),
        _ => None,
    }
}

pub(super) fn list(value: Option<&Value>) -> &[Value] {
    match value {
        Some(Value::List(items)) => items,
        _ => &[],
    }
}

pub(super) fn text(value: Option<&Value>) -> Option<SmolStr> {
    match value {
        Some(Value::Text(text)) => Some(text.clone()),
        _ => None,
    }
}

pub(super) fn number(value: Option<&Value>) -> Option<f64> {
    match value {
        Some(Value::Number(number)) => Some(*number),
        _ => None,
    }
}
