//! A call of a model for a value of a fixed shape: a route, a score, facts. In: the agent and its prompt; out: the
//! value and the usage. The caller checks the shape. Invariant: one question at a time.

use std::sync::Arc;

use nodewise_expr::json::from_json;
use nodewise_expr::value::Value;
use smol_str::SmolStr;

use super::action::{Output, Tokens};
use super::agent_call::client_retry;
use super::host::HostAgent;
use super::input::Input;
use super::{Cycgraph, failures};
use crate::ask::{Message, ModelQuestion, ModelReply, Purpose, Question, Reply, Role};
use crate::event::AskId;
use crate::kernel::{TaskContext, TimerId, Wake};
use crate::opening::{OpeningParts, PromptOpening};
use crate::outcome::Failure;

/// A call of a model for a value of a fixed shape.
#[derive(Debug, Clone)]
pub(crate) struct StructuredCall {
    input: Input,
    id: SmolStr,
    agent: Arc<HostAgent>,
    purpose: Purpose,
    prompt: Arc<[Message]>,
    opening: Arc<PromptOpening>,
    failures: u32,
    ask: Option<AskId>,
    timer: Option<TimerId>,
}

/// The result of a call; `None` while it is not over.
pub(crate) type Structured = Option<Result<(Value, Tokens), Failure>>;

impl StructuredCall {
    /// Asks an agent. The prompt comes after the agent's system prompt. Fails if the host has no such agent.
    pub(crate) fn begin(
        id: &SmolStr,
        purpose: Purpose,
        messages: Vec<Message>,
        parts: OpeningParts,
        input: &Input,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Result<StructuredCall, Failure> {
        let agent = context.program().loaded_agent(id)?.clone();
        let system = Message::new(Role::System, Value::Text(agent.prompt.clone()));
        let prompt: Arc<[Message]> = std::iter::once(system).chain(messages).collect();
        let opening = PromptOpening { messages: prompt.len(), author: agent.prompt.clone(), parts };
        let mut call = StructuredCall {
            input: input.clone(),
            id: id.clone(),
            agent,
            purpose,
            prompt,
            opening: Arc::new(opening),
            failures: 0,
            ask: None,
            timer: None,
        };
        call.ask(context);
        Ok(call)
    }

    /// The model that is asked.
    pub(crate) fn model(&self) -> &SmolStr {
        &self.agent.model
    }

    /// Continues after a wake. Wakes that belong to others are ignored.
    pub(crate) fn wake(
        &mut self,
        wake: &Wake<Output>,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Structured {
        match wake {
            Wake::Timer(timer) if self.timer == Some(*timer) => {
                self.timer = None;
                self.ask(context);
                None
            }
            Wake::Answer(ask, answer) if self.ask == Some(*ask) => match &answer.result {
                Ok(Reply::Model(reply)) => Some(self.parsed(reply, Tokens::from(answer.usage))),
                Ok(_) => Some(Err(failures::no_object(&self.id))),
                Err(failure) => self.failed(failure, context),
            },
            _ => None,
        }
    }

    fn ask(&mut self, context: &mut TaskContext<'_, Cycgraph>) {
        let question = ModelQuestion {
            agent: self.id.clone(),
            purpose: self.purpose,
            prompt: self.prompt.clone(),
            tools: Arc::default(),
            temperature: Some(self.agent.temperature),
            opening: Some(self.opening.clone()),
        };
        let ask = self.input.ask(context.program(), Question::Model(question));
        self.ask = Some(context.ask(self.input.visit, ask));
    }

    fn failed(&mut self, failure: &Failure, context: &mut TaskContext<'_, Cycgraph>) -> Structured {
        self.ask = None;
        match client_retry(failure, self.failures) {
            Ok(wait) => {
                self.failures += 1;
                self.timer = Some(context.set_timer(wait));
                None
            }
            Err(failure) => Some(Err(failures::agent_execution(&self.id, &failure))),
        }
    }

    fn parsed(&self, reply: &ModelReply, tokens: Tokens) -> Result<(Value, Tokens), Failure> {
        if !reply.calls.is_empty() {
            return Err(failures::no_output(&self.id));
        }
        if let Some(value) = &reply.value {
            return Ok((value.clone(), tokens));
        }
        match serde_json::from_str(&reply.text) {
            Ok(json) => Ok((from_json(json), tokens)),
            Err(_) => Err(failures::not_parsed(&self.id)),
        }
    }
}
