//! An agent that may hand the run to a peer (cycgraph:6.14). In: the slice and how often agents handed over; out: what
//! the agent wrote, or a hand-over.

use nodewise_expr::value::{Map, Value};
use nodewise_model::cycgraph::{HANDOFF_KEY, Swarm as SwarmWork, Work};
use smol_str::{SmolStr, format_smolstr};

use super::done;
use crate::kernel::{Flow, Task, TaskContext, Wake};
use crate::outcome::Failure;
use crate::systems::cycgraph::action::{Effect, Handoff, NodeAction, Output};
use crate::systems::cycgraph::agent_call::{AgentCall, AgentJob};
use crate::systems::cycgraph::input::Input;
use crate::systems::cycgraph::{Cycgraph, failures};

/// An attempt of a swarm node.
#[derive(Debug, Clone)]
pub(super) struct Swarm {
    input: Input,
    call: Option<Box<AgentCall>>,
}

impl Swarm {
    pub(super) fn new(input: Input) -> Swarm {
        Swarm { input, call: None }
    }

    fn begin(&self, context: &TaskContext<'_, Cycgraph>) -> Result<Box<AgentCall>, Failure> {
        let node = self.input.node(context.program());
        let agent = node.agent.clone().ok_or_else(|| failures::node_config("agent", &node.id, "agent_id"))?;
        let mut job = AgentJob::of_node(&self.input, node, agent);
        job.context = settings(&node.work).map(|settings| self.task_context(settings));
        AgentCall::new(job, &self.input, context).map(Box::new)
    }

    fn task_context(&self, settings: &SwarmWork) -> Value {
        let mut swarm = Map::new();
        swarm.insert(
            "peer_nodes",
            settings.peers.iter().map(|peer| Value::Text(peer.value.clone())).collect(),
        );
        swarm.insert("max_handoffs", Value::Number(settings.max_handoffs.value));
        swarm.insert("handoff_count", Value::Number(self.input.state.swarm_handovers as f64));
        let mut context = Map::new();
        context.insert("swarm", swarm.into());
        context.into()
    }

    /// Makes a hand-over of what the agent wrote, if it asked for one.
    fn handed_over(
        &self,
        action: NodeAction,
        context: &TaskContext<'_, Cycgraph>,
    ) -> Result<NodeAction, Failure> {
        let node = self.input.node(context.program());
        let (Some(settings), Some(delegation)) = (settings(&node.work), delegation(&action)) else {
            return Ok(action);
        };
        let part = |key: &str| match &delegation {
            Value::Map(delegation) => delegation.get(key).cloned(),
            _ => None,
        };
        let target = match part("peer_node_id") {
            Some(Value::Text(target)) => target,
            other => SmolStr::from(nodewise_expr::javascript::to_text(&other.unwrap_or(Value::Undefined))),
        };
        if !settings.peers.iter().any(|peer| peer.value == target) {
            let lacks = format_smolstr!("valid peer (attempted handoff to \"{target}\")");
            return Err(failures::node_config("swarm", &node.id, &lacks));
        }
        let mut updates = action.updates().cloned().unwrap_or_default();
        updates.remove(HANDOFF_KEY);
        let handovers = self.input.state.swarm_handovers;
        if handovers as f64 >= settings.max_handoffs.value {
            return Ok(NodeAction { effect: Effect::Update(updates.into()), ..action });
        }
        let reasoning = match part("reason") {
            Some(Value::Text(reason)) => reason,
            _ => SmolStr::default(),
        };
        let handoff = Handoff { target, reasoning, updates, swarm_handovers: Some(handovers + 1) };
        Ok(NodeAction { taint: action.taint, ..NodeAction::of(Effect::Handoff(Box::new(handoff))) })
    }

    fn goes_on(
        &mut self,
        wake: Wake<Output>,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Option<Result<NodeAction, Failure>> {
        let result = match &mut self.call {
            Some(call) => call.wake(wake, context)?,
            None => match self.begin(context) {
                Ok(call) => self.call.insert(call).begin(context)?,
                Err(failure) => Err(failure),
            },
        };
        Some(result.and_then(|action| self.handed_over(action, context)))
    }
}

fn settings(work: &Work) -> Option<&SwarmWork> {
    match work {
        Work::Agent(agent) => agent.swarm.as_deref(),
        _ => None,
    }
}

/// The value by which an agent asked for a hand-over.
fn delegation(action: &NodeAction) -> Option<Value> {
    action.updates()?.get(HANDOFF_KEY).filter(|value| nodewise_expr::javascript::is_truthy(value)).cloned()
}

impl Task<Cycgraph> for Swarm {
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
