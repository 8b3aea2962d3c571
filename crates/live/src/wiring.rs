//! What a target needs of the world, as its declarations say it: models of agents, tools with their arguments, functions, servers.
//!
//! Input: a snapshot, what is to run; output: plain data. Invariant: what no declaration says is absent; the configuration fills
//! it in.

use std::collections::{BTreeMap, BTreeSet};

use nodewise_model::scenario::ModelChoice;
use nodewise_simulation::system::RunnableSystem;
use serde_json::Value as Json;
use smol_str::SmolStr;

/// What a target needs of the world.
#[derive(Debug, Clone)]
pub struct Wiring {
    /// The system of the graph.
    pub system: RunnableSystem,
    /// Those who ask models, by the name that their questions have.
    pub agents: BTreeMap<SmolStr, Agent>,
    /// The tools that are called or offered to models, by name.
    pub tools: BTreeMap<SmolStr, Tool>,
    /// The servers of tools that declarations name, with the tools that they need of each. `None` means all tools of the server.
    pub servers: BTreeMap<SmolStr, Option<BTreeSet<SmolStr>>>,
    /// The Python functions that declarations name, as dotted paths.
    pub functions: BTreeSet<SmolStr>,
}

impl Wiring {
    /// Replaces the models of agents, where the choice names others.
    pub fn choose(&mut self, choice: &ModelChoice) {
        for (name, agent) in &mut self.agents {
            let own = choice.agents.iter().find(|(agent, _)| agent.value == *name);
            let (model, provider) = match (own, &choice.model) {
                (Some((_, model)), _) => (model, None),
                (None, Some(model)) => (&model.value, choice.provider.as_ref()),
                (None, None) => continue,
            };
            agent.model = Some(model.clone());
            agent.provider = provider.map(|provider| provider.value.clone());
        }
    }
}

/// An agent or node that asks a model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Agent {
    pub model: Option<SmolStr>,
    /// The provider of the model, if the declaration names it.
    pub provider: Option<SmolStr>,
    /// The shape that the answer must have, as JSON Schema.
    pub output: Option<Json>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tool {
    /// The description for models.
    pub description: Option<String>,
    /// The JSON Schema of its arguments.
    pub parameters: Option<Json>,
    /// The Python function behind it, as a dotted path.
    pub function: Option<SmolStr>,
    pub server: Option<SmolStr>,
}

/// A tool as it is offered to models.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferedTool {
    pub name: SmolStr,
    pub description: Option<String>,
    /// The JSON Schema of its arguments.
    pub parameters: Json,
}
