//! The part of the state that a node sees (cycgraph:3.4). In: the memory and what the node may read; out: a mapping.
//! Invariant: a slice never contains the engine's own keys.

use std::sync::Arc;

use nodewise_expr::value::{Map, Value};
use smol_str::{SmolStr, format_smolstr};

use super::program::Reads;
use super::state::RunState;

/// The part of the state that a node sees.
#[derive(Debug, Clone)]
pub struct StateSlice {
    pub memory: Arc<Map>,
    /// The entries of the taint registry for keys of the slice.
    pub taint: Arc<Map>,
}

impl StateSlice {
    /// The slice of a node with these reads. `nothing` is the empty mapping.
    pub(crate) fn new(state: &RunState, reads: &Reads, nothing: &Arc<Map>) -> StateSlice {
        let memory = match reads {
            Reads::All if state.memory.iter().any(|(key, _)| is_internal(key)) => {
                let open = state.memory.iter().filter(|(key, _)| !is_internal(key));
                Arc::new(open.map(|(key, value)| (key.clone(), value.clone())).collect())
            }
            Reads::All => state.memory.clone(),
            Reads::Paths(paths) if paths.is_empty() => nothing.clone(),
            Reads::Paths(paths) => Arc::new(picked(&state.memory, paths)),
        };
        let taint = match state.taint.is_empty() {
            true => nothing.clone(),
            false => Arc::new(of_keys(&state.taint, |key| memory.get(key).is_some())),
        };
        StateSlice { memory, taint }
    }

    /// The slice without keys that the agent may not read.
    pub(crate) fn narrowed(&self, ceiling: Option<&[SmolStr]>) -> StateSlice {
        let Some(ceiling) = ceiling.filter(|keys| !keys.iter().any(|key| key == "*")) else {
            return self.clone();
        };
        let is_allowed =
            |key: &str| ceiling.iter().any(|allowed| allowed.split('.').next().unwrap_or_default() == key);
        StateSlice {
            memory: Arc::new(of_keys(&self.memory, is_allowed)),
            taint: Arc::new(of_keys(&self.taint, is_allowed)),
        }
    }

    /// The memory as a value.
    #[must_use]
    pub fn value(&self) -> Value {
        Value::Map(self.memory.clone())
    }
}

fn is_internal(key: &str) -> bool {
    key.starts_with('_')
}

fn of_keys(map: &Map, is_wanted: impl Fn(&str) -> bool) -> Map {
    let wanted = map.iter().filter(|(key, _)| is_wanted(key));
    wanted.map(|(key, value)| (key.clone(), value.clone())).collect()
}

fn picked(memory: &Map, paths: &[Vec<SmolStr>]) -> Map {
    let mut seen = Map::new();
    for path in paths {
        let Some((key, rest)) = path.split_first() else { continue };
        if path.iter().any(|step| is_internal(step)) {
            continue;
        }
        let Some(value) = memory.get(key) else { continue };
        if rest.is_empty() {
            seen.insert(key.clone(), value.clone());
        } else if let Some(found) = rest.iter().try_fold(value.clone(), |value, step| member(&value, step)) {
            let nested =
                rest.iter().rev().fold(found, |value, step| Map::from_iter([(step.clone(), value)]).into());
            merge(&mut seen, key, nested);
        }
    }
    seen
}

/// The value in a list or mapping under a name.
fn member(value: &Value, step: &SmolStr) -> Option<Value> {
    match value {
        Value::Map(map) => map.get(step).cloned(),
        Value::List(items) if step == "length" => Some(Value::Number(items.len() as f64)),
        Value::List(items) => {
            let index: usize = step.parse().ok()?;
            items.get(index).filter(|_| format_smolstr!("{index}") == *step).cloned()
        }
        _ => None,
    }
}

/// Writes a value. If both the old and the new value are mappings, they are merged.
fn merge(target: &mut Map, key: &SmolStr, value: Value) {
    match (target.get(key), &value) {
        (Some(Value::Map(old)), Value::Map(new)) => {
            let mut merged = Map::clone(old);
            for (key, value) in new.iter() {
                merge(&mut merged, key, value.clone());
            }
            target.insert(key.clone(), merged.into());
        }
        _ => target.insert(key.clone(), value),
    }
}
