//! An agent of another system works (cycgraph:6.20). In: what is mapped of the slice; out: what is mapped of its artifacts,
//! all of it tainted. Invariant: a task that asked a person continues as the same task.

use nodewise_expr::value::{Map, Value};
use nodewise_model::cycgraph::{HUMAN_RESPONSE, RemoteAgentWork, Work};
use smol_str::{SmolStr, format_smolstr};

use super::done;
use crate::ask::{Answer, Question, RemoteQuestion, RemoteReply, Reply, ResumedTask};
use crate::kernel::{Flow, Task, TaskContext, Wake};
use crate::outcome::Failure;
use crate::systems::cycgraph::action::{Effect, NodeAction, Output, Pause};
use crate::systems::cycgraph::boundary;
use crate::systems::cycgraph::input::Input;
use crate::systems::cycgraph::pending::{PendingApproval, PendingKind};
use crate::systems::cycgraph::program::NodeProgram;
use crate::systems::cycgraph::state::ResumePoint;
use crate::systems::cycgraph::{Cycgraph, failures, taint};
use crate::time::Millis;

/// The source that taint entries name.
const SOURCE: &str = "a2a";

/// An attempt of an a2a node.
#[derive(Debug, Clone)]
pub(super) struct Remote {
    input: Input,
}

impl Remote {
    pub(super) fn new(input: Input) -> Remote {
        Remote { input }
    }

    fn ask(&self, context: &mut TaskContext<'_, Cycgraph>) -> Result<(), Failure> {
        let program = context.program().clone();
        let node = self.input.node(&program);
        let lacks = |what: &str| failures::node_config("a2a", &node.id, what);
        let settings = settings(&node.work).ok_or_else(|| lacks("a2a_config"))?;
        let servers = program.host.remote.as_ref().ok_or_else(|| lacks("a2aRegistry"))?;
        let server = server(settings);
        let known = servers.get(&server).ok_or_else(|| lacks(&format!("a2a server \"{server}\"")))?;
        let agent = node.agent.clone().filter(|agent| !agent.is_empty());
        let is_allowed = |allowed: &Vec<SmolStr>| {
            allowed.is_empty() || agent.as_ref().is_some_and(|agent| allowed.contains(agent))
        };
        if !known.allowed.as_ref().is_none_or(is_allowed) {
            let agent = agent.unwrap_or_else(|| "unknown".into());
            return Err(lacks(&format!("agent \"{agent}\" permitted to use a2a server \"{server}\"")));
        }
        let response = || self.input.state.memory.get(HUMAN_RESPONSE).cloned().unwrap_or(Value::Undefined);
        let resumed = match self.input.state.checkpoints.get(&node.id) {
            Some(ResumePoint::Task(task)) => Some(ResumedTask { task: task.clone(), response: response() }),
            _ => None,
        };
        let input = boundary::inbound(&self.input.slice, &settings.inputs).values.into();
        let question = RemoteQuestion { server, skill: settings.skill.clone(), input, resumed };
        let ask = self.input.ask(&program, Question::Remote(question));
        context.ask(self.input.visit, ask);
        Ok(())
    }

    fn answered(&self, answer: Answer, context: &TaskContext<'_, Cycgraph>) -> Result<NodeAction, Failure> {
        let node = self.input.node(context.program());
        let lacks = || failures::node_config("a2a", &node.id, "a2a_config");
        let settings = settings(&node.work).ok_or_else(lacks)?;
        let reply = match answer.result? {
            Reply::Remote(reply) => reply,
            _ => {
                return Err(failures::not_simulated(
                    &node.id,
                    "the reply is not the answer of a remote agent",
                ));
            }
        };
        match reply.state.as_str() {
            "completed" => Ok(completed(reply, settings, node, context.now())),
            "input-required" => Ok(paused(reply, settings, node)),
            _ => Err(failures::remote_task(&server(settings), &reply)),
        }
    }

    fn goes_on(
        &mut self,
        wake: Wake<Output>,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Option<Result<NodeAction, Failure>> {
        match wake {
            Wake::Start => self.ask(context).err().map(Err),
            Wake::Answer(_, answer) => Some(self.answered(answer, context)),
            _ => None,
        }
    }
}

fn settings(work: &Work) -> Option<&RemoteAgentWork> {
    match work {
        Work::RemoteAgent(remote) if remote.settings_at.is_some() => Some(remote),
        _ => None,
    }
}

fn server(settings: &RemoteAgentWork) -> SmolStr {
    settings.server.as_ref().map(|server| server.value.clone()).unwrap_or_default()
}

fn completed(reply: RemoteReply, settings: &RemoteAgentWork, node: &NodeProgram, now: Millis) -> NodeAction {
    let entry = taint::entry(SOURCE, &[("server_id", Value::Text(server(settings)))]);
    let mark = |value: &Value| taint::of_value(&entry, value, &node.id, now);
    let marks: Map = reply.artifacts.iter().map(|(name, value)| (name.clone(), mark(value))).collect();
    let artifacts: Map = reply.artifacts.into_iter().collect();
    // Remote agents declare no schemas, so no value can violate one.
    let crossing = boundary::outbound(&artifacts, &marks, &settings.outputs, None).unwrap_or_default();
    NodeAction { taint: crossing.taint, ..NodeAction::update(crossing.values) }
}

fn paused(reply: RemoteReply, settings: &RemoteAgentWork, node: &NodeProgram) -> NodeAction {
    let server = server(settings);
    let prompt =
        reply.message.unwrap_or_else(|| format_smolstr!("Remote agent \"{server}\" requires input."));
    let pending = PendingApproval {
        node: node.id.clone(),
        kind: PendingKind::Remote(server, reply.task.clone()),
        prompt: Some(prompt),
        review: Value::Undefined,
    };
    let pause = Pause { pending, timeout: None, checkpoint: Some(ResumePoint::Task(reply.task)) };
    NodeAction::of(Effect::Pause(Box::new(pause)))
}

impl Task<Cycgraph> for Remote {
    fn step(&mut self, wake: Wake<Output>, context: &mut TaskContext<'_, Cycgraph>) -> Flow<Output> {
        self.goes_on(wake, context).map_or(Flow::Wait, done)
    }

    fn copied(&self) -> Box<dyn Task<Cycgraph>> {
        Box::new(self.clone())
    }
}
