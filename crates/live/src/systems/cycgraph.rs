//! Live runs of cycgraph: declared agents with their models, servers of tools, and the tool that writes memory.

mod prompts;

use std::collections::BTreeSet;

use nodewise_engine::ask::ModelQuestion;
use nodewise_engine::systems::cycgraph::host::Source;
use nodewise_model::scenario::Scenario;
use nodewise_model::{Located, Origin};
use nodewise_simulation::RunInputs;
use nodewise_simulation::systems::cycgraph::called_agents;
use serde_json::json;
use smol_str::SmolStr;

use super::{LiveSystem, OpeningText, ServerTools};
use crate::wiring::{Agent, OfferedTool, Wiring};

/// The name of the tool that the engine answers itself.
const SAVE: &str = "save_to_memory";
/// The class of all errors of model providers.
const PROVIDER_ERROR: &str = "AI_APICallError";

pub(super) const LIVE: &dyn LiveSystem = &LiveCycgraph;

struct LiveCycgraph;

impl LiveSystem for LiveCycgraph {
    fn add_needs(&self, inputs: &RunInputs<'_>, wiring: &mut Wiring) {
        for (id, agent) in called_agents(inputs) {
            for source in agent.tools.iter() {
                add_source(wiring, source);
            }
            let named = |word: &SmolStr| (!word.is_empty()).then(|| word.clone());
            let provider = named(&agent.provider);
            // If no declaration describes an agent, its own name stands in place of a model, so no model is known.
            let model = named(&agent.model).filter(|model| *model != id || provider.is_some());
            wiring.agents.insert(id, Agent { model, provider, output: None });
        }
        for node in inputs.graphs().iter().flat_map(|(_, graph)| &graph.nodes) {
            let sources = node.tools.iter().flat_map(|tools| &tools.value);
            sources.for_each(|source| add_source(wiring, &Source::from(&source.kind)));
        }
    }

    fn prompt_of<'w>(&self, inputs: &RunInputs<'w>, name: &str) -> Vec<(&'w str, Origin)> {
        let index = inputs.snapshot.index();
        let documents = inputs.snapshot.files().iter().flat_map(|file| &file.documents);
        let declared = documents.filter_map(|facts| index.effective(facts)?.written());
        let mut agents = declared.flat_map(|declaration| declaration.agents());
        let agent = agents.find(|agent| agent.id.as_ref().is_some_and(|id| id.value == name));
        let prompt = agent.and_then(|agent| agent.prompt.as_ref());
        prompt.map(|prompt| (prompt.value.as_str(), prompt.at)).into_iter().collect()
    }

    fn complete(&self, scenario: &mut Scenario, tools: ServerTools) {
        let at = scenario.head;
        scenario.host.server_tools =
            tools.into_iter().map(|(server, tools)| (Located::new(server, at), tools)).collect();
    }

    fn own_tool(&self, name: &SmolStr) -> Option<OfferedTool> {
        (name == SAVE).then(saving)
    }

    fn opening(&self, question: &ModelQuestion) -> Option<OpeningText> {
        prompts::opening_text(question, question.opening.as_deref()?)
    }

    fn repeats_model_calls(&self) -> bool {
        true
    }

    fn provider_error(&self) -> Option<&'static str> {
        Some(PROVIDER_ERROR)
    }
}

fn add_source(wiring: &mut Wiring, source: &Source) {
    match source {
        Source::Builtin(_) => {}
        Source::Custom(name) => {
            wiring.tools.entry(name.clone()).or_default();
        }
        Source::Server(server, wanted) => {
            let all = wiring.servers.entry(server.clone()).or_insert_with(|| Some(BTreeSet::new()));
            match (all.as_mut(), wanted) {
                (Some(known), Some(wanted)) => known.extend(wanted.iter().cloned()),
                _ => *all = None,
            }
            for tool in wanted.iter().flatten() {
                wiring.tools.entry(tool.clone()).or_default().server.get_or_insert_with(|| server.clone());
            }
        }
    }
}

/// The description of the tool that the engine answers itself.
fn saving() -> OfferedTool {
    OfferedTool {
        name: SmolStr::new_static(SAVE),
        description: Some(
            "Saves a value under a key of the memory that the nodes of this work share.".to_owned(),
        ),
        parameters: json!({
            "type": "object",
            "properties": {
                "key": {"type": "string", "description": "The key."},
                "value": {"description": "The value: anything that JSON can say."}
            },
            "required": ["key", "value"]
        }),
    }
}
