//! The state of a run, and its partitions as expressions see them.
//!
//! Input: what nodes yield; output: values under keys. Invariant: a copy is cheap; parts are shared until one is
//! written.

use std::sync::Arc;

use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

/// The state that a node, or a branch of a batch, sees.
#[derive(Debug, Clone)]
pub(super) struct State {
    pub(super) input: Arc<Map>,
    pub(super) scratch: Arc<Map>,
    pub(super) artifacts: Arc<Map>,
    pub(super) memory: Value,
    /// How many checkpoints were saved so far.
    pub(super) saved: u32,
}

impl State {
    /// The partitions by name, as expressions see them.
    pub(super) fn partitions(&self) -> Map {
        let mut partitions = Map::new();
        partitions.insert("input", Value::Map(self.input.clone()));
        partitions.insert("scratch", Value::Map(self.scratch.clone()));
        partitions.insert("artifacts", Value::Map(self.artifacts.clone()));
        partitions.insert("memory", self.memory.clone());
        partitions.insert("diagnostics", diagnostics(self.saved));
        partitions
    }

    /// The part of the state that a node gets.
    pub(super) fn shown(&self) -> Value {
        let mut shown = Map::new();
        shown.insert("input", Value::Map(self.input.clone()));
        shown.insert("scratch", Value::Map(self.scratch.clone()));
        shown.into()
    }

    /// The part of the state that a model gets: the input of the run, and what nodes left.
    pub(super) fn as_value(&self) -> Value {
        let mut shown = Map::new();
        shown.insert("input", Value::Map(self.input.clone()));
        shown.insert("scratch", Value::Map(self.scratch.clone()));
        shown.insert("artifacts", Value::Map(self.artifacts.clone()));
        shown.into()
    }
}

/// The partitions, as expressions see them, in a state that was folded from a log.
#[must_use]
pub fn partitions(folded: &Map) -> Map {
    let whole = folded.iter().filter(|(key, _)| !key.contains('.'));
    let mut partitions: Map = whole.map(|(key, value)| (key.clone(), value.clone())).collect();
    for partition in ["scratch", "artifacts"] {
        let in_it = |key: &SmolStr| Some(SmolStr::from(key.strip_prefix(partition)?.strip_prefix('.')?));
        let parts = folded.iter().filter_map(|(key, value)| Some((in_it(key)?, value.clone())));
        partitions.insert(partition, parts.collect::<Map>().into());
    }
    partitions
}

/// What the runtime reports about a run; a base run only counts its checkpoints.
fn diagnostics(saved: u32) -> Value {
    let mut diagnostics = Map::new();
    for name in ["totalTokensUsed", "totalDurationMs"] {
        diagnostics.insert(name, Value::Number(0.0));
    }
    for name in ["nodeTimings", "discoveryResults", "guardrailResults"] {
        diagnostics.insert(name, Map::new().into());
    }
    diagnostics.insert("checkpointsSaved", Value::Number(f64::from(saved)));
    for name in ["memoryReads", "memoryWrites"] {
        diagnostics.insert(name, Value::Number(0.0));
    }
    diagnostics.into()
}

/// A key of the state, with its partition.
pub(super) fn key(partition: &str, key: &str) -> SmolStr {
    smol_str::format_smolstr!("{partition}.{key}")
}
