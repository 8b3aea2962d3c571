//! What a host wires: which services exist, and what it sets in place of them.
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
    /// Who finds inner graphs and runs them.
    pub subgraphs: bool,
    /// Who holds voice sessions.
    pub voice: bool,
    /// The search for capabilities, in the main graph.
    pub discovery: bool,
    /// The search for capabilities, in inner graphs.
    pub discovery_in_subgraphs: bool,
    /// The persona's traits.
    pub traits: BTreeMap<SmolStr, Value>,
    /// What replaces or changes results of nodes: by graph and node, one for each attempt, the last one for all later
    /// ones too.
    pub interventions: BTreeMap<(SmolStr, SmolStr), Vec<Intervention>>,
}

/// What a host does to one attempt of a node.
#[derive(Debug, Clone, Default)]
pub struct Intervention {
    /// The whole result; nothing of the node runs.
    pub result: Option<Value>,
    /// How long the result takes.
    pub after: Millis,
    /// The exception that comes instead of the result.
    pub thrown: Option<SmolStr>,
    /// Members that are set in the result.
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
    /// What is done to an attempt, from 1.
    pub(super) fn intervention(&self, graph: &str, node: &str, attempt: u32) -> Option<&Intervention> {
        if self.interventions.is_empty() {
            return None;
        }
        let all = self.interventions.get(&(graph.into(), node.into()))?;
        let position = usize::try_from(attempt).unwrap_or(usize::MAX).min(all.len());
        all.get(position.checked_sub(1)?)
    }
}
