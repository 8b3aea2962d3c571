//! The runtime's own stream: names and details of its events.
//!
//! Input: members of an event; output: an entry of the log. Invariant: a member that is undefined is not there.

use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

use super::AgentOs;
use crate::event::EventKind;
use crate::kernel::TaskContext;

/// An event that waits to be emitted.
pub(super) type Native = (SmolStr, Value);

/// The members of an event.
pub(super) fn detail(members: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    let mut detail = Map::new();
    for (key, value) in members {
        if value != Value::Undefined {
            detail.insert(SmolStr::new_static(key), value);
        }
    }
    detail.into()
}

/// Tells an event.
pub(super) fn emit(name: SmolStr, detail: Value, context: &mut TaskContext<'_, AgentOs>) {
    context.emit(EventKind::Native { name, detail });
}

/// An event that a node's result brings along: its type is its name.
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
