//! An agent chooses the next node (cycgraph:6.13). In: the slice, and earlier choices; out: a hand-over, or the end
//! of the run.

use nodewise_expr::value::{Map, Value};
use nodewise_model::cycgraph::{SupervisorWork, Work};
use smol_str::SmolStr;

use super::done;
use crate::ask::{Message, Purpose, Question, Reply, Role};
use crate::kernel::{Flow, Task, TaskContext, Wake};
use crate::opening::{self, OpeningParts};
use crate::outcome::Failure;
use crate::systems::cycgraph::action::{Effect, Handoff, NodeAction, Output, Tokens};
use crate::systems::cycgraph::agent_call::{constraints, has_facts, recall, surroundings};
use crate::systems::cycgraph::input::Input;
use crate::systems::cycgraph::state::{Handover, WorkflowStatus};
use crate::systems::cycgraph::structured::StructuredCall;
use crate::systems::cycgraph::{Cycgraph, failures};

/// The choice that ends the run.
const DONE: &str = "__done__";

/// An attempt of a supervisor node.
#[derive(Debug, Clone)]
pub(super) struct Supervisor {
    input: Input,
    agent: SmolStr,
    call: Option<Box<StructuredCall>>,
}

impl Supervisor {
    pub(super) fn new(input: Input) -> Supervisor {
        Supervisor { input, agent: SmolStr::default(), call: None }
    }

    /// Asks memory or the agent. A supervisor that has reached its number of choices ends the run.
    fn begin(&mut self, context: &mut TaskContext<'_, Cycgraph>) -> Result<Option<NodeAction>, Failure> {
        let program = context.program().clone();
        let node = self.input.node(&program);
        let settings = work(&node.work);
        let own = settings.and_then(|settings| settings.agent.as_ref()).map(|agent| agent.name.clone());
        let agent = own.or_else(|| node.agent.clone());
        if let Some(agent) = &agent {
            program.agent(agent).ok_or_else(|| failures::agent_not_found(agent))?;
        }
        let Some(settings) = settings else {
            let fact = "supervisor_config is required for supervisor nodes";
            return Err(failures::supervisor_config(&node.id, fact));
        };
        let chosen = self.input.state.handovers.iter().filter(|handover| handover.by == node.id).count();
        if chosen as f64 >= settings.max_iterations.value {
            return Ok(Some(NodeAction::of(Effect::Status(WorkflowStatus::Completed))));
        }
        self.agent = agent.ok_or_else(|| {
            let fact = "supervisor node requires agent_id on the node or in supervisor_config";
            failures::supervisor_config(&node.id, fact)
        })?;
        match node.memory_query.as_ref().filter(|_| program.host.memory_retriever) {
            Some(query) => {
                let question = Question::Recall(recall(query, &self.input.state.goal));
                context.ask(self.input.visit, self.input.ask(&program, question));
            }
            None => self.choose(&Value::Undefined, context)?,
        }
        Ok(None)
    }

    fn choose(&mut self, facts: &Value, context: &mut TaskContext<'_, Cycgraph>) -> Result<(), Failure> {
        let program = context.program().clone();
        let Some(settings) = work(&self.input.node(&program).work) else { return Ok(()) };
        let (messages, parts) = (self.messages(settings, facts), self.parts(settings, facts));
        let call = StructuredCall::begin(&self.agent, Purpose::Route, messages, parts, &self.input, context)?;
        self.call = Some(Box::new(call));
        Ok(())
    }

    fn messages(&self, settings: &SupervisorWork, facts: &Value) -> Vec<Message> {
        let state = &self.input.state;
        let mut messages = vec![Message::new(Role::Task, Value::Text(state.goal.clone()))];
        if !state.constraints.is_empty() {
            messages.push(Message::new(Role::System, constraints(&state.constraints)));
        }
        if has_facts(facts) {
            messages.push(Message::new(Role::State, facts.clone()));
        }
        let nodes = settings.managed.iter().map(|node| node.value.as_str()).chain([DONE]);
        let nodes: Vec<String> = nodes.map(|node| format!("  - \"{node}\"")).collect();
        messages.push(Message::new(Role::Task, Value::Text(nodes.join("\n").into())));
        let history = state.handovers.iter().map(|handover| {
            format!(
                "- Iteration {}: Routed to \"{}\" — {}",
                handover.iteration, handover.to, handover.reasoning
            )
        });
        let history: Vec<String> = history.collect();
        messages.push(Message::new(Role::Task, Value::Text(history.join("\n").into())));
        messages.push(Message::new(Role::State, self.input.slice.value()));
        messages
    }

    fn parts(&self, settings: &SupervisorWork, facts: &Value) -> OpeningParts {
        let state = &self.input.state;
        let decision = |handover: &Handover| opening::EarlierChoice {
            iteration: handover.iteration,
            to: handover.to.clone(),
            reasoning: handover.reasoning.clone(),
        };
        OpeningParts::Route(opening::RouteParts {
            surroundings: surroundings(state, &self.input.slice, facts),
            workers: settings.managed.iter().map(|node| node.value.clone()).collect(),
            done: DONE.into(),
            decisions: state.handovers.iter().map(decision).collect(),
        })
    }

    fn action(
        &self,
        decision: &Value,
        tokens: Tokens,
        context: &TaskContext<'_, Cycgraph>,
    ) -> Result<NodeAction, Failure> {
        let node = self.input.node(context.program());
        let text = |key: &str| match decision {
            Value::Map(decision) => match decision.get(key) {
                Some(Value::Text(text)) => Some(text.clone()),
                _ => None,
            },
            _ => None,
        };
        let (Some(target), Some(reasoning)) = (text("next_node"), text("reasoning")) else {
            return Err(failures::no_object(&self.agent));
        };
        let managed: Vec<SmolStr> = match work(&node.work) {
            Some(settings) => settings.managed.iter().map(|node| node.value.clone()).collect(),
            None => Vec::new(),
        };
        let effect = if target == DONE {
            Effect::Status(WorkflowStatus::Completed)
        } else if managed.contains(&target) {
            Effect::Handoff(Box::new(Handoff {
                target,
                reasoning,
                updates: Map::new(),
                swarm_handovers: None,
            }))
        } else {
            return Err(failures::supervisor_routing(&node.id, &target, &managed));
        };
        let model = self.call.as_ref().map(|call| call.model().clone());
        Ok(NodeAction { usage: Some(tokens), model, ..NodeAction::of(effect) })
    }

    fn goes_on(
        &mut self,
        wake: Wake<Output>,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Option<Result<NodeAction, Failure>> {
        if let Some(call) = &mut self.call {
            let result = call.wake(&wake, context)?;
            return Some(result.and_then(|(decision, tokens)| self.action(&decision, tokens, context)));
        }
        match wake {
            Wake::Start => self.begin(context).transpose(),
            Wake::Answer(_, answer) => {
                let facts = match answer.result {
                    Ok(Reply::Value(facts)) => facts,
                    _ => Value::Undefined,
                };
                self.choose(&facts, context).err().map(Err)
            }
            _ => None,
        }
    }
}

/// The settings of the supervisor, if it has any.
fn work(work: &Work) -> Option<&SupervisorWork> {
    match work {
        Work::Supervisor(supervisor) if supervisor.settings_at.is_some() => Some(supervisor),
        _ => None,
    }
}

impl Task<Cycgraph> for Supervisor {
    fn step(&mut self, wake: Wake<Output>, context: &mut TaskContext<'_, Cycgraph>) -> Flow<Output> {
        self.goes_on(wake, context).map_or(Flow::Wait, done)
    }

    fn copied(&self) -> Box<dyn Task<Cycgraph>> {
        Box::new(self.clone())
    }
}
