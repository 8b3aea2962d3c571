//! What a node keeps of the actions of its workers. In: actions; out: values, and the taint of what is made of them.
//! Invariant: what any worker tainted taints everything that is made of all.

use nodewise_expr::value::Map;
use smol_str::SmolStr;

use super::action::{NodeAction, Tokens};
use super::taint;
use crate::time::Millis;

/// The key under which a worker's taint stands among what it wrote.
const REGISTRY: &str = "_taint_registry";

/// What a worker wrote, with its taint as the release has it there.
pub(crate) fn updates(action: &NodeAction) -> Map {
    let mut updates = action.updates().cloned().unwrap_or_default();
    if !action.taint.is_empty() {
        updates.insert(REGISTRY, action.taint.clone().into());
    }
    updates
}

/// The taint of keys that are made of what workers wrote.
pub(crate) fn taint_of<'a>(
    workers: impl Iterator<Item = &'a NodeAction>,
    keys: &[SmolStr],
    node: &SmolStr,
    now: Millis,
) -> Map {
    let tainted: Vec<SmolStr> =
        workers.flat_map(|action| action.taint.iter().map(|(key, _)| key.clone())).collect();
    if tainted.is_empty() {
        return Map::new();
    }
    let entry = taint::gathered(tainted, node, now);
    keys.iter().map(|key| (key.clone(), entry.clone())).collect()
}

/// What workers used in all, and the model of the first one.
#[derive(Debug, Clone, Default)]
pub(crate) struct WorkerUsage {
    /// Tokens so far.
    pub(crate) tokens: Tokens,
    /// The model whose price counts.
    pub(crate) model: Option<SmolStr>,
}

impl WorkerUsage {
    /// Adds what an action used.
    pub(crate) fn add(&mut self, action: &NodeAction) {
        let Some(usage) = &action.usage else { return };
        self.tokens.add(usage);
        if self.model.is_none() {
            self.model.clone_from(&action.model);
        }
    }

    /// Adds what a judge used, which counts as written.
    pub(crate) fn add_judge(&mut self, tokens: f64) {
        self.tokens.total += tokens;
        self.tokens.output += tokens;
    }
}
