//! The runtime's own event stream: names and details of its events.
//!
//! Input: members of an event; output: an entry of the log. Invariant: members that are undefined are left out.

use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

use super::AgentOs;
use crate::event::EventKind;
use crate::kernel::TaskContext;

/// An event that is not emitted yet: its name and its details.
pub(super) type Native = (SmolStr, Value);

/// The details of an event, without undefined members.
pub(super) fn detail(members: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    let mut detail = Map::new();
    for (key, value) in members {
        if value != Value::Undefined {
            detail.insert(SmolStr::new_static(key), value);
        }
    }
    detail.into()
}

/// Emits an event.
pub(super) fn emit(name: SmolStr, detail: Value, context: &mut TaskContext<'_, AgentOs>) {
    context.emit(EventKind::Native { name, detail });
}

/// An event that is part of a node's result. Its type is its name.
pub(super) fn of(event: &Value) -> Native {
    let Value::Map(members) = event else { return (SmolStr::default(), event.clone()) };
    match members.get("type") {
        Some(Value::Text(name)) => {
            let mut rest = (**members).clone();
            rest.remove("type");
            (name.clone(), rest.into())
        }
        _ => (SmolStr::default(), event.clone()),
    }
}
