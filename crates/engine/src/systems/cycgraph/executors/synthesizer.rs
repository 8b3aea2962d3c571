//! Results are merged: by an agent, or by joining lists (cycgraph:6.7). In: the slice; out: what the agent wrote, or one
//! list of all lists under keys that end in `_results`.

use nodewise_expr::value::{Map, Value};
use smol_str::format_smolstr;

use super::done;
use crate::kernel::{Flow, Task, TaskContext, Wake};
use crate::outcome::Failure;
use crate::systems::cycgraph::Cycgraph;
use crate::systems::cycgraph::action::{NodeAction, Output};
use crate::systems::cycgraph::agent_call::{AgentCall, AgentJob};
use crate::systems::cycgraph::input::Input;

/// An attempt of a synthesizer node.
#[derive(Debug, Clone)]
pub(super) struct Synthesizer {
    input: Input,
    call: Option<Box<AgentCall>>,
}

impl Synthesizer {
    pub(super) fn new(input: Input) -> Synthesizer {
        Synthesizer { input, call: None }
    }

    fn goes_on(
        &mut self,
        wake: Wake<Output>,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Option<Result<NodeAction, Failure>> {
        if let Some(call) = &mut self.call {
            return call.wake(wake, context);
        }
        let node = self.input.node(context.program());
        let Some(agent) = node.agent.clone().filter(|agent| !agent.is_empty()) else {
            let mut updates = Map::new();
            updates.insert(format_smolstr!("{}_synthesis", node.id), joined(&self.input.slice.memory));
            return Some(Ok(NodeAction::update(updates)));
        };
        match AgentCall::new(AgentJob::of_node(&self.input, node, agent), &self.input, context) {
            Ok(call) => self.call.insert(Box::new(call)).begin(context),
            Err(failure) => Some(Err(failure)),
        }
    }
}

fn joined(memory: &Map) -> Value {
    let lists =
        memory.iter().filter(|(key, _)| key.ends_with("_results")).filter_map(|(_, value)| match value {
            Value::List(items) => Some(items),
            _ => None,
        });
    lists.flat_map(|items| items.iter().cloned()).collect()
}

impl Task<Cycgraph> for Synthesizer {
    fn step(&mut self, wake: Wake<Output>, context: &mut TaskContext<'_, Cycgraph>) -> Flow<Output> {
        self.goes_on(wake, context).map_or(Flow::Wait, done)
    }

    fn copied(&self) -> Box<dyn Task<Cycgraph>> {
        Box::new(self.clone())
    }

    fn cut_off(&self, _: &mut TaskContext<'_, Cycgraph>) -> Option<Output> {
        self.call.as_ref().map(|call| Output::Stopped(Box::new(call.stopped())))
    }
}
