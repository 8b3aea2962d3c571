//! An agent that works once (cycgraph:6.5). In: the node's slice; out: what the agent saved, or said.

use crate::kernel::{Flow, Task, TaskContext, Wake};
use crate::outcome::Failure;
use crate::systems::cycgraph::action::{NodeAction, Output};
use crate::systems::cycgraph::agent_call::{AgentCall, AgentJob};
use crate::systems::cycgraph::input::Input;
use crate::systems::cycgraph::{Cycgraph, failures};

use super::done;

/// An attempt of an agent node.
#[derive(Debug, Clone)]
pub(super) struct Agent {
    input: Input,
    call: Option<Box<AgentCall>>,
}

impl Agent {
    pub(super) fn new(input: Input) -> Agent {
        Agent { input, call: None }
    }

    fn begin(&mut self, context: &TaskContext<'_, Cycgraph>) -> Result<Box<AgentCall>, Failure> {
        let node = self.input.node(context.program());
        let agent = node.agent.clone().ok_or_else(|| failures::node_config("agent", &node.id, "agent_id"))?;
        let mut job = AgentJob::of_node(&self.input, node, agent);
        job.tools = node.tools.clone();
        job.timeout = node.timeout;
        AgentCall::new(job, &self.input, context).map(Box::new)
    }

    fn goes_on(
        &mut self,
        wake: Wake<Output>,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Option<Result<NodeAction, Failure>> {
        if let Some(call) = &mut self.call {
            return call.wake(wake, context);
        }
        match self.begin(context) {
            Ok(call) => self.call.insert(call).begin(context),
            Err(failure) => Some(Err(failure)),
        }
    }
}

impl Task<Cycgraph> for Agent {
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
