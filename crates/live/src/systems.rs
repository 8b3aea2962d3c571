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

/// The tools that a target needs, by their server.
pub type ServerTools = BTreeMap<SmolStr, Vec<SmolStr>>;

/// What differs between systems in live runs.
pub trait LiveSystem: Sync {
    /// Adds what a target needs, as its declarations say it.
    fn add_needs(&self, inputs: &RunInputs<'_>, wiring: &mut Wiring);

    /// The texts that are the prompt of an agent or node in a run, in order, with their places; empty where there is none.
    fn prompt_of<'w>(&self, _inputs: &RunInputs<'w>, _name: &str) -> Vec<(&'w str, Origin)> {
        Vec::new()
    }

    /// Completes a scenario with what a live run has and a script would say.
    fn complete(&self, _scenario: &mut Scenario, _server_tools: ServerTools) {}

    /// Whether models may call every tool that the program has, because questions name none.
    fn offers_every_tool(&self) -> bool {
        false
    }

    /// Whether the model that judges decides in place of a person.
    fn judge_approves(&self) -> bool {
        false
    }

    /// A tool that the engine itself answers.
    fn own_tool(&self, _name: &SmolStr) -> Option<OfferedTool> {
        None
    }

    /// How the prompt of a question begins, if the runtime formats it in its own sections.
    fn opening(&self, _question: &ModelQuestion) -> Option<OpeningText> {
        None
    }

    /// What a prompt says about an answer with this JSON Schema, if the runtime says it there.
    fn answer_in_prompt(&self, _schema: &Json) -> Option<String> {
        None
    }

    /// The sampling temperature of a question that says none.
    fn temperature(&self, _purpose: Purpose) -> Option<f64> {
        None
    }

    /// Whether the engine repeats failed calls of models itself, as the client library of the system does.
    fn repeats_model_calls(&self) -> bool {
        false
    }

    /// The class of all errors of providers; `None` if their client libraries have classes of their own.
    fn provider_error(&self) -> Option<&'static str> {
        None
    }
}

/// The beginning of a prompt as its model reads it.
#[derive(Debug, Clone, PartialEq)]
pub struct OpeningText {
    /// How many messages of the question it stands for.
    pub messages: usize,
    /// The text of the author, with what the runtime adds.
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

/// What live runs of a system need to know.
pub struct LivePart {
    pub system: RunnableSystem,
    /// What differs from other systems.
    pub live: &'static dyn LiveSystem,
}

/// What a target needs.
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

/// What a target needs, with what the configuration offers, if models may call whatever the program has.
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

/// What live runs of a system need to know.
pub(crate) fn of(system: RunnableSystem) -> &'static dyn LiveSystem {
    SYSTEMS.iter().find(|part| part.system == system).map_or(&Plain, |part| part.live)
}

/// A system whose nodes need nothing special.
struct Plain;

impl LiveSystem for Plain {
    fn add_needs(&self, _: &RunInputs<'_>, _: &mut Wiring) {}
}
