//! Collects the actions of a node's workers. In: actions; out: values, and the taint of values that are made from
//! them. Invariant: if any worker taints something, everything that is made from all results is tainted.

use nodewise_expr::value::Map;
use smol_str::SmolStr;

use super::action::{NodeAction, Tokens};
use super::taint;
use crate::time::Millis;

/// The key under which a worker's updates contain its taint.
const REGISTRY: &str = "_taint_registry";

/// The updates of a worker, with its taint among them as in the release.
pub(crate) fn updates(action: &NodeAction) -> Map {
    let mut updates = action.updates().cloned().unwrap_or_default();
    if !action.taint.is_empty() {
        updates.insert(REGISTRY, action.taint.clone().into());
    }
    updates
}

/// The taint of keys that are made from the results of workers.
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

/// The usage of all workers, and the model of the first one.
#[derive(Debug, Clone, Default)]
pub(crate) struct WorkerUsage {
    /// Tokens so far.
    pub(crate) tokens: Tokens,
    /// The model whose price applies.
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

    /// Adds the tokens of a judge, which count as written tokens.
    pub(crate) fn add_judge(&mut self, tokens: f64) {
        self.tokens.total += tokens;
        self.tokens.output += tokens;
    }
}
