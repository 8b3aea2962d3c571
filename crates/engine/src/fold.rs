//! The state of a run at any point of its log: a fold over the writes.

use std::collections::BTreeMap;
use std::sync::Arc;

use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

use crate::event::{Event, EventKind, ScopeId};

/// The states of all graphs of a run, after a part of its log.
#[derive(Debug, Clone, Default)]
pub struct States {
    scopes: BTreeMap<ScopeId, Arc<Map>>,
}

impl States {
    /// The states after these events.
    #[must_use]
    pub fn after(log: &[Event]) -> States {
        let mut states = States::default();
        for event in log {
            states.apply(event);
        }
        states
    }

    /// Updates the states by one event.
    pub fn apply(&mut self, event: &Event) {
        match &event.kind {
            EventKind::GraphStarted { scope, state, .. } => {
                let state = match state {
                    Value::Map(map) => map.clone(),
                    _ => Arc::default(),
                };
                self.scopes.insert(*scope, state);
            }
            EventKind::Wrote { scope, key, value, .. } => {
                if let Some(state) = self.scopes.get_mut(scope) {
                    write(Arc::make_mut(state), key, value);
                }
            }
            _ => {}
        }
    }

    /// The numbers of the runs of graphs that have a state, in ascending order.
    pub fn scopes(&self) -> impl Iterator<Item = ScopeId> + '_ {
        self.scopes.keys().copied()
    }

    /// Drops the state of a run of a graph.
    pub fn forget(&mut self, scope: ScopeId) {
        self.scopes.remove(&scope);
    }

    /// The state of one run of a graph.
    #[must_use]
    pub fn of(&self, scope: ScopeId) -> Option<&Arc<Map>> {
        self.scopes.get(&scope)
    }
}

/// Writes a key; [`Value::Undefined`] removes it.
pub(crate) fn write(state: &mut Map, key: &SmolStr, value: &Value) {
    match value {
        Value::Undefined => state.remove(key),
        value => state.insert(key.clone(), value.clone()),
    }
}
