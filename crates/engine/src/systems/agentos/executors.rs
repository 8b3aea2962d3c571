//! What nodes do: one file for each type. Nothing but this module names these files.
//!
//! Input: a node of the model; output: the machine that each attempt starts as a copy of. Invariant: the word in the
//! node's settings decides what runs, not the node's own type.

mod extension;
mod guardrail;
mod human;
mod model;
mod router;
mod subgraph;
mod tool;
mod voice;

use nodewise_model::agentos::Work;
use nodewise_model::graph::GraphNode;
use smol_str::SmolStr;

use super::Output;
use super::machine;
use super::machine::{Machine, Progress};
use crate::kernel::Wake;

pub(super) use human::decided;

/// The machine of a node.
pub(super) fn of(node: &GraphNode) -> Box<dyn Machine> {
    match Work::of(node) {
        Work::Tool(tool) => Box::new(tool::Tool::new(tool)),
        Work::Model(model) => Box::new(model::Model::new(model)),
        Work::Extension(extension) => Box::new(extension::Extension::new(extension)),
        Work::Human(human) => Box::new(human::Human::new(human)),
        Work::Guardrail(guardrail) => Box::new(guardrail::Guardrail::new(guardrail)),
        Work::Router(router) => Box::new(router::Router::new(router)),
        Work::Subgraph(subgraph) => Box::new(subgraph::Subgraph::new(subgraph)),
        Work::Voice(voice) => Box::new(voice::Voice::new(voice)),
        Work::Unknown => Box::new(Nothing { word: node.work_word.as_ref().map(|word| word.value.clone()) }),
    }
}

/// A node without settings, or of an unknown type: the runtime throws an exception.
#[derive(Debug, Clone)]
struct Nothing {
    word: Option<SmolStr>,
}

impl Machine for Nothing {
    fn go(&mut self, _: Wake<Output>, work: &mut machine::MachineContext<'_, '_>) -> Progress {
        let node = &work.node().name;
        Progress::Thrown(match &self.word {
            Some(word) => smol_str::format_smolstr!("node `{node}`: AgentOS cannot run the type `{word}`"),
            None => smol_str::format_smolstr!("node `{node}` has no settings that say what to run"),
        })
    }

    fn copied(&self) -> Box<dyn Machine> {
        Box::new(self.clone())
    }
}
