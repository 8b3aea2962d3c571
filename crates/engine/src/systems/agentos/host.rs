//! What a host wires: which services exist, and which results it sets itself.
//!
//! Input and output: plain data. Invariant: a service that is not wired is never asked.

use std::collections::BTreeMap;

use nodewise_expr::value::Value;
use smol_str::SmolStr;

use crate::time::Millis;

/// What a host wires.
#[derive(Debug, Clone)]
pub struct Host {
    /// The service that calls tools.
    pub tools: bool,
    /// The loop of models, and the model.
    pub models: bool,
    /// The caller of extensions.
    pub extensions: bool,
    /// The engine of guardrails.
    pub guardrails: bool,
    /// The service that finds and runs inner graphs.
    pub subgraphs: bool,
    /// The service that runs voice sessions.
    pub voice: bool,
    /// The search for capabilities, in the main graph.
    pub discovery: bool,
    /// The search for capabilities, in inner graphs.
    pub discovery_in_subgraphs: bool,
    /// The persona's traits, by name.
    pub traits: BTreeMap<SmolStr, Value>,
    /// Replacements and changes of node results, by graph and node: one for each attempt. The last one also applies
    /// to all later attempts.
    pub interventions: BTreeMap<(SmolStr, SmolStr), Vec<Intervention>>,
}

/// What a host changes in one attempt of a node.
#[derive(Debug, Clone, Default)]
pub struct Intervention {
    /// The whole result. If it is there, the node's own work does not run.
    pub result: Option<Value>,
    /// How long the result takes.
    pub after: Millis,
    /// The exception that comes instead of the result.
    pub thrown: Option<SmolStr>,
    /// Members that are overwritten in the result.
    pub patch: Option<Value>,
}

impl Default for Host {
    fn default() -> Host {
        Host {
            tools: true,
            models: true,
            extensions: true,
            guardrails: true,
            subgraphs: true,
            voice: true,
            discovery: true,
            discovery_in_subgraphs: true,
            traits: BTreeMap::new(),
            interventions: BTreeMap::new(),
        }
    }
}

impl Host {
    /// What the host changes in an attempt; attempts count from 1.
    pub(super) fn intervention(&self, graph: &str, node: &str, attempt: u32) -> Option<&Intervention> {
        if self.interventions.is_empty() {
            return None;
        }
        let all = self.interventions.get(&(graph.into(), node.into()))?;
        let position = usize::try_from(attempt).unwrap_or(usize::MAX).min(all.len());
        all.get(position.checked_sub(1)?)
    }
}
