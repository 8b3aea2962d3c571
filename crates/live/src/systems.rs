//! What live runs need to know about a system, each system in a module of its own.
//!
//! A system implements [`LiveSystem`]; the defaults fit a system with nothing special. Invariant: nothing here decides what
//! a run does.

mod agentos;
mod cycgraph;
mod liman;

use std::collections::{BTreeMap, BTreeSet};

use nodewise_engine::ask::{ModelQuestion, Purpose};
use nodewise_model::registry::Registry;
use nodewise_model::scenario::Scenario;
use nodewise_model::{Origin, for_each_system};
use nodewise_project::config::live::Live;
use nodewise_simulation::RunInputs;
use nodewise_simulation::system::RunnableSystem;
use nodewise_simulation::systems;
use serde_json::Value as Json;
use smol_str::SmolStr;

use crate::wiring::{OfferedTool, Wiring};

/// The tools that a target needs of each server, by the server's name.
pub type ServerTools = BTreeMap<SmolStr, Vec<SmolStr>>;

/// What differs between systems in live runs. The defaults fit a system with nothing special.
pub trait LiveSystem: Sync {
    /// Adds what the declarations of a target need of the world.
    fn add_needs(&self, inputs: &RunInputs<'_>, wiring: &mut Wiring);

    /// The texts that make up the prompt of an agent or node, in order, with their places; empty if there is no prompt.
    fn prompt_of<'w>(&self, _inputs: &RunInputs<'w>, _name: &str) -> Vec<(&'w str, Origin)> {
        Vec::new()
    }

    /// Adds to a scenario what only a live run knows: the tools of servers, the current time. In a simulation, a script says it.
    fn complete(&self, _scenario: &mut Scenario, _server_tools: ServerTools) {}

    /// Whether models may call every tool that is configured, because declarations do not name their tools.
    fn offers_every_tool(&self) -> bool {
        false
    }

    /// Whether a model that judges decides in place of a person.
    fn judge_approves(&self) -> bool {
        false
    }

    /// The description of a tool that the engine answers itself; `None` for other tools.
    fn own_tool(&self, _name: &SmolStr) -> Option<OfferedTool> {
        None
    }

    /// The beginning of a question's prompt, if the runtime writes it in sections of its own.
    fn opening(&self, _question: &ModelQuestion) -> Option<OpeningText> {
        None
    }

    /// What a prompt says about an answer with this JSON Schema, if the runtime describes it in the prompt.
    fn answer_in_prompt(&self, _schema: &Json) -> Option<String> {
        None
    }

    /// The sampling temperature for a purpose, if the question does not set one.
    fn temperature(&self, _purpose: Purpose) -> Option<f64> {
        None
    }

    /// Whether the engine repeats failed calls of models itself, as the client library of the system does.
    fn repeats_model_calls(&self) -> bool {
        false
    }

    /// The class of all errors of providers. `None` if the system uses the classes of the providers' client libraries.
    fn provider_error(&self) -> Option<&'static str> {
        None
    }
}

/// The beginning of a prompt, as the model reads it.
#[derive(Debug, Clone, PartialEq)]
pub struct OpeningText {
    /// How many messages of the question this text replaces.
    pub messages: usize,
    /// The author's text, with what the runtime adds.
    pub system: String,
    /// The first turn of the user.
    pub user: String,
}

macro_rules! live {
    ($($system:ident $dialect:ident),*) => {
        &[$(&LivePart { system: systems::$system::SYSTEM, live: $system::LIVE }),*]
    };
}

/// What live runs of each system need to know.
pub static SYSTEMS: Registry<LivePart> = Registry::new(for_each_system!(live));

/// The part of a system in live runs.
pub struct LivePart {
    pub system: RunnableSystem,
    /// What differs from other systems.
    pub live: &'static dyn LiveSystem,
}

/// What a target needs, as its declarations say it.
#[must_use]
pub fn wiring(inputs: &RunInputs<'_>, system: RunnableSystem) -> Wiring {
    let mut wiring = Wiring {
        system,
        agents: BTreeMap::new(),
        tools: BTreeMap::new(),
        servers: BTreeMap::new(),
        functions: BTreeSet::new(),
    };
    of(system).add_needs(inputs, &mut wiring);
    wiring
}

/// What a target needs. If models may call every tool, also all tools and servers of the configuration.
#[must_use]
pub fn configured_wiring(inputs: &RunInputs<'_>, system: RunnableSystem, live: &Live) -> Wiring {
    let mut wiring = wiring(inputs, system);
    if of(system).offers_every_tool() {
        live.mcp.keys().for_each(|server| drop(wiring.servers.insert(server.into(), None)));
        for tool in live.tools.keys() {
            wiring.tools.entry(tool.into()).or_default();
        }
    }
    wiring
}

/// What differs in live runs of a system.
pub(crate) fn of(system: RunnableSystem) -> &'static dyn LiveSystem {
    SYSTEMS.iter().find(|part| part.system == system).map_or(&Plain, |part| part.live)
}

/// A system that needs nothing special.
struct Plain;

impl LiveSystem for Plain {
    fn add_needs(&self, _: &RunInputs<'_>, _: &mut Wiring) {}
}
