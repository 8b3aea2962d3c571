//! A language model and tools take turns.
//!
//! Input: the model's answers and the tools' reports; output: all that the model said, or a report of the tools where it
//! said nothing. Invariant: failures of tools and the end of the rounds are no failures of the node; the setting that says
//! how turns are taken decides nothing in the release.

mod report;

use std::sync::Arc;

use nodewise_expr::value::{Map, Value};
use nodewise_model::agentos::ModelWork;
use rustc_hash::FxHashMap;
use smol_str::{SmolStr, format_smolstr};

use self::report::Findings;
use super::super::Output;
use super::super::machine;
use super::super::machine::{Machine, MachineContext, Progress, Report};
use super::super::result::NodeResult;
use super::super::turns;
use crate::ask::{
    Answer, Message, ModelQuestion, ModelReply, Purpose, Question, Reply, Role, ToolCall, ToolQuestion,
};
use crate::event::AskId;
use crate::kernel::Wake;
use crate::opening::{OpeningParts, PromptOpening};

/// A model and tools that take turns.
#[derive(Debug, Clone)]
pub(super) struct Model {
    instructions: Option<SmolStr>,
    max_rounds: f64,
    in_parallel: bool,
    rounds: u32,
    messages: Vec<Message>,
    opening: Option<Arc<PromptOpening>>,
    text: String,
    findings: Findings,
    calls: Vec<ToolCall>,
    /// The results of the calls of this round, by position.
    results: Vec<Option<Result<Value, SmolStr>>>,
    asked: FxHashMap<AskId, usize>,
}

const NO_TOOLS: &str = "No ToolOrchestrator configured";

impl Model {
    pub(super) fn new(work: &ModelWork) -> Model {
        Model {
            instructions: work.instructions.as_ref().map(|text| text.value.clone()),
            max_rounds: work.max_rounds,
            in_parallel: work.parallel_tools,
            rounds: 0,
            messages: Vec::new(),
            opening: None,
            text: String::new(),
            findings: Findings::default(),
            calls: Vec::new(),
            results: Vec::new(),
            asked: FxHashMap::default(),
        }
    }

    fn begin(&mut self, work: &mut MachineContext<'_, '_>) -> Progress {
        if !work.host().models {
            return Progress::done(NodeResult::done(Value::from("gmi-placeholder")));
        }
        let instructions = self.instructions.clone().map_or(Value::Undefined, Value::Text);
        self.messages =
            vec![Message::new(Role::System, instructions), Message::new(Role::State, work.state().shown())];
        self.opening = Some(Arc::new(PromptOpening {
            messages: self.messages.len(),
            author: self.instructions.clone().unwrap_or_default(),
            parts: OpeningParts::State(work.state().as_value()),
        }));
        self.next_round(work)
    }

    fn next_round(&mut self, work: &mut MachineContext<'_, '_>) -> Progress {
        if f64::from(self.rounds) >= self.max_rounds || self.max_rounds.is_nan() {
            work.turns.take(turns::LOOP);
            return Progress::done(self.end(true));
        }
        self.rounds = self.rounds.saturating_add(1);
        let question = ModelQuestion {
            agent: work.node().name.clone(),
            purpose: Purpose::Work,
            prompt: self.messages.as_slice().into(),
            tools: Arc::default(),
            temperature: None,
            opening: self.opening.clone(),
        };
        work.ask(Question::Model(question));
        Progress::Wait
    }

    fn said(&mut self, reply: ModelReply, work: &mut MachineContext<'_, '_>) -> Progress {
        self.text.push_str(&reply.text);
        work.turns.take(turns::ROUND + if reply.text.is_empty() { 0 } else { turns::TEXT });
        if reply.calls.is_empty() {
            work.turns.take(turns::LOOP);
            return Progress::done(self.end(false));
        }
        work.turns.take(turns::tools(reply.calls.len(), self.in_parallel, work.host().tools));
        let message = Message::new(Role::Model, Value::Text(reply.text));
        self.messages.push(Message { calls: reply.calls.clone(), ..message });
        self.calls = reply.calls;
        self.results = vec![None; self.calls.len()];
        if !work.host().tools {
            self.results.fill(Some(Err(NO_TOOLS.into())));
            return self.end_round(work);
        }
        let at_once = if self.in_parallel { self.calls.len() } else { 1 };
        (0..at_once).for_each(|position| self.call(position, work));
        Progress::Wait
    }

    fn call(&mut self, position: usize, work: &mut MachineContext<'_, '_>) {
        if let Some(call) = self.calls.get(position) {
            let question = ToolQuestion {
                tool: call.tool.clone(),
                arguments: call.arguments.clone(),
                call: Some(call.id.clone()),
            };
            self.asked.insert(work.ask(Question::Tool(question)), position);
        }
    }

    fn called(&mut self, position: usize, answer: Answer, work: &mut MachineContext<'_, '_>) -> Progress {
        let result = match machine::report(answer) {
            Report::Thrown(error) if !self.in_parallel => return Progress::done(failed(&error)),
            Report::Thrown(error) => Err(format_smolstr!("Error: {error}")),
            Report::Came { success: true, output, .. } => Ok(output),
            Report::Came { error, .. } => Err(error.unwrap_or_else(|| "unknown error".into())),
        };
        if let Some(slot) = self.results.get_mut(position) {
            *slot = Some(result);
        }
        if !self.in_parallel && position + 1 < self.calls.len() {
            self.call(position + 1, work);
            return Progress::Wait;
        }
        match self.asked.is_empty() {
            true => self.end_round(work),
            false => Progress::Wait,
        }
    }

    /// Gives the model the results when all tools of a round are done.
    fn end_round(&mut self, work: &mut MachineContext<'_, '_>) -> Progress {
        for (call, result) in
            std::mem::take(&mut self.calls).into_iter().zip(std::mem::take(&mut self.results))
        {
            let content = match result {
                Some(Ok(output)) => {
                    self.findings.result(&call.tool, &output);
                    output
                }
                Some(Err(error)) => {
                    self.findings.error(&call.tool, &error);
                    Value::Text(error)
                }
                None => Value::Undefined,
            };
            self.messages.push(Message { answers: Some(call), ..Message::new(Role::Tool, content) });
        }
        self.next_round(work)
    }

    fn end(&mut self, is_exhausted: bool) -> NodeResult {
        let rounds = if is_exhausted { self.max_rounds } else { f64::from(self.rounds) };
        let text = match report::is_blank(&self.text) && !self.findings.is_empty() {
            true => self.findings.report(is_exhausted),
            false => std::mem::take(&mut self.text),
        };
        let mut telemetry = Map::new();
        telemetry.insert("iterations", Value::Number(rounds));
        telemetry.insert("toolCalls", Value::Number(self.findings.results() as f64));
        telemetry.insert("toolErrors", Value::Number(self.findings.errors() as f64));
        telemetry.insert("iterationsExhausted", Value::Bool(is_exhausted));
        NodeResult { telemetry: Some(telemetry.into()), ..NodeResult::done(Value::Text(text.into())) }
    }
}

impl Machine for Model {
    fn go(&mut self, wake: Wake<Output>, work: &mut MachineContext<'_, '_>) -> Progress {
        match wake {
            Wake::Start => self.begin(work),
            Wake::Answer(id, answer) => match (self.asked.remove(&id), answer.result) {
                (Some(position), result) => self.called(position, Answer { result, ..answer }, work),
                (None, Ok(Reply::Model(reply))) => self.said(reply, work),
                (None, ended) => {
                    work.turns.take(turns::LOOP);
                    let error =
                        ended.err().map_or("the model gave no answer".into(), |failure| failure.message);
                    Progress::done(failed(&error))
                }
            },
            _ => Progress::Wait,
        }
    }

    fn copied(&self) -> Box<dyn Machine> {
        Box::new(self.clone())
    }
}

fn failed(error: &str) -> NodeResult {
    NodeResult::failed(format_smolstr!("GMI execution failed: {error}"))
}
