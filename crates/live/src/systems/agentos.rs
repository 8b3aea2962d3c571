//! Live runs of AgentOS: models go by the names of their nodes, and may call whatever the program has.

mod prompts;

use nodewise_engine::ask::{ModelQuestion, Purpose};
use nodewise_model::agentos::Work;
use nodewise_model::graph::GraphNode;
use nodewise_model::{Located, Origin};
use nodewise_simulation::RunInputs;
use smol_str::SmolStr;

use super::{LiveSystem, OpeningText};
use crate::wiring::{Agent, Wiring};

pub(super) const LIVE: &dyn LiveSystem = &LiveAgentOs;

struct LiveAgentOs;

impl LiveSystem for LiveAgentOs {
    fn add_needs(&self, inputs: &RunInputs<'_>, wiring: &mut Wiring) {
        for node in inputs.graphs().iter().flat_map(|(_, graph)| &graph.nodes) {
            add_node(wiring, node);
        }
    }

    fn prompt_of<'w>(&self, inputs: &RunInputs<'w>, name: &str) -> Vec<(&'w str, Origin)> {
        let graphs = inputs.graphs();
        let mut nodes = graphs.iter().flat_map(|(_, graph)| &graph.nodes);
        let node = nodes.find(|node| node.id.as_ref().is_some_and(|id| id.value == name));
        let instructions = node.and_then(|node| match Work::of(node) {
            Work::Model(work) => work.instructions.as_ref(),
            _ => None,
        });
        instructions.map(|text| (text.value.as_str(), text.at)).into_iter().collect()
    }

    fn offers_every_tool(&self) -> bool {
        true
    }

    fn judge_approves(&self) -> bool {
        true
    }

    fn opening(&self, question: &ModelQuestion) -> Option<OpeningText> {
        prompts::opening_text(question)
    }

    fn temperature(&self, purpose: Purpose) -> Option<f64> {
        (purpose == Purpose::Judge).then_some(prompts::JUDGE_TEMPERATURE)
    }
}

/// Adds what a node needs. Its model has the name of the node.
fn add_node(wiring: &mut Wiring, node: &GraphNode) {
    match Work::of(node) {
        Work::Tool(work) => {
            if let Some(tool) = &work.tool {
                wiring.tools.entry(tool.value.clone()).or_default();
            }
        }
        Work::Model(_) => {
            let id = node.id.as_ref().map(|id| id.value.clone()).unwrap_or_default();
            let own = node.host.as_ref().and_then(|host| host.llm.as_ref());
            let (model, provider) =
                own.map(|own| (named(&own.model), named(&own.provider))).unwrap_or_default();
            wiring.agents.insert(id, Agent { model, provider, output: None });
        }
        Work::Human(work) => {
            let judge = work.automation.as_ref().and_then(|automation| automation.judge.as_ref());
            if let (Some(judge), Some(id)) = (judge, &node.id) {
                let (model, provider) = (named(&judge.model), named(&judge.provider));
                wiring.agents.insert(id.value.clone(), Agent { model, provider, output: None });
            }
        }
        Work::Router(_)
        | Work::Subgraph(_)
        | Work::Extension(_)
        | Work::Guardrail(_)
        | Work::Voice(_)
        | Work::Unknown => {}
    }
}

fn named(word: &Option<Located<SmolStr>>) -> Option<SmolStr> {
    word.as_ref().map(|word| word.value.clone()).filter(|word| !word.is_empty())
}
