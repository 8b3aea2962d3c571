//! A call of an agent (cycgraph:6.5): memory is fetched, then model and tools take turns until the model has nothing
//! more to call, or its steps are used up. The agent writes what it saved, or else what it said.
//!
//! In: an [`AgentJob`]; out: an action, or the failure. It runs as a task of its own, or as a part of tasks that use
//! its result. Invariant: it asks nothing after it has yielded.

mod answer;
mod prompt;

pub(crate) use answer::{effective_writes, may_write, saved};
pub(crate) use prompt::{client_retry, constraints, has_facts, recall, surroundings};

use std::sync::Arc;

use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

use super::action::{NodeAction, Output, Stopped, Tokens};
use super::host::{HostAgent, Source};
use super::input::Input;
use super::program::{NodeProgram, Query};
use super::report::Reporter;
use super::slice::StateSlice;
use super::tools::{SAVE, ToolSet};
use super::{Cycgraph, failures};
use crate::ask::{
    Answer, Message, ModelQuestion, ModelReply, Purpose, Question, Reply, Role, ToolCall, ToolQuestion,
};
use crate::event::AskId;
use crate::kernel::{Flow, Task, TaskContext, TimerId, Wake};
use crate::opening::{self, OpeningParts, PromptOpening};
use crate::outcome::Failure;
use crate::time::Millis;

/// How long an agent may take if its node does not say.
const DEFAULT_TIMEOUT: Millis = Millis(120_000);
/// The most model calls that may follow an empty answer.
const MOST_CONTINUATION_STEPS: u32 = 3;

/// Everything that a call of an agent needs to know.
#[derive(Debug, Clone)]
pub(crate) struct AgentJob {
    pub(crate) agent: SmolStr,
    /// The name of the node that it works as: the node itself, or a name for a part of the node's work.
    pub(crate) label: SmolStr,
    /// The part of the memory that it sees.
    pub(crate) slice: StateSlice,
    /// The subject of this call, if it is one of several.
    pub(crate) context: Option<Value>,
    /// Where its tools come from; `None` means the agent's own.
    pub(crate) tools: Option<Arc<[Source]>>,
    /// The keys that it may write.
    pub(crate) granted: Arc<[SmolStr]>,
    /// The key that a plain answer is written to if the node names none.
    pub(crate) output_key: SmolStr,
    /// The key that the node names for a plain answer.
    pub(crate) default_write: Option<SmolStr>,
    /// What is fetched from long-term memory first.
    pub(crate) memory_query: Option<Arc<Query>>,
    /// The sampling temperature; `None` means the agent's.
    pub(crate) temperature: Option<f64>,
    /// How long it may take; `None` means [`DEFAULT_TIMEOUT`].
    pub(crate) timeout: Option<Millis>,
    pub(crate) attempt: u32,
}

#[derive(Debug, Clone)]
pub(crate) struct AgentCall {
    job: AgentJob,
    input: Input,
    reporter: Reporter,
    agent: Arc<HostAgent>,
    tools: ToolSet,
    slice: StateSlice,
    writes: Arc<[SmolStr]>,
    phase: Phase,
    prompt: Arc<[Message]>,
    opening: Option<Arc<PromptOpening>>,
    timer: Option<TimerId>,
    steps_left: u32,
    /// Whether the model was asked again because its answer was empty.
    is_continuing: bool,
    progress: Progress,
    /// What had been used before the model was asked again because its answer was empty.
    used_before: Option<Tokens>,
}

/// What has happened so far.
#[derive(Debug, Clone, Default)]
struct Progress {
    usage: Tokens,
    steps: u32,
    text: SmolStr,
    last_spoken: Option<SmolStr>,
    saved: Map,
    /// The tools that were called, without the one that saves.
    called: Vec<SmolStr>,
    taint: Option<Value>,
    has_facts: bool,
}

/// What the call waits for.
#[derive(Debug, Clone)]
enum Phase {
    Begin,
    Recall(AskId),
    Model {
        ask: AskId,
        failures: u32,
    },
    /// The client library waits before it asks the model again.
    ModelAgain {
        timer: TimerId,
        failures: u32,
    },
    Tools {
        waiting: Vec<(AskId, usize)>,
        results: Vec<(ToolCall, Value)>,
    },
}

/// The result of a call; `None` while it is not over.
pub(crate) type Done = Option<Result<NodeAction, Failure>>;

impl AgentJob {
    /// The job of an agent that does the work of a node itself.
    pub(crate) fn of_node(input: &Input, node: &NodeProgram, agent: SmolStr) -> AgentJob {
        AgentJob {
            agent,
            label: node.id.clone(),
            slice: input.slice.clone(),
            context: None,
            tools: None,
            granted: node.writes.clone(),
            output_key: node.output_key.clone(),
            default_write: node.default_write.clone(),
            memory_query: node.memory_query.clone(),
            temperature: None,
            timeout: None,
            attempt: input.attempt,
        }
    }
}

impl AgentCall {
    /// A call that has not begun. It fails if the host has no such agent.
    pub(crate) fn new(
        job: AgentJob,
        input: &Input,
        context: &TaskContext<'_, Cycgraph>,
    ) -> Result<AgentCall, Failure> {
        let program = context.program();
        let agent = program.loaded_agent(&job.agent)?.clone();
        let sources = job.tools.as_ref().unwrap_or(&agent.tools);
        let tools = ToolSet::resolve(sources, &program.host)?;
        Ok(AgentCall {
            slice: job.slice.narrowed(agent.reads.as_deref()),
            writes: answer::effective_writes(&job.granted, agent.writes.as_ref()),
            reporter: Reporter::new(input.prefix.clone()),
            input: input.clone(),
            phase: Phase::Begin,
            prompt: Arc::default(),
            opening: None,
            timer: None,
            steps_left: agent.max_steps,
            is_continuing: false,
            progress: Progress::default(),
            used_before: None,
            job,
            agent,
            tools,
        })
    }

    pub(crate) fn begin(&mut self, context: &mut TaskContext<'_, Cycgraph>) -> Done {
        let query = self.job.memory_query.clone();
        match query.filter(|_| context.program().host.memory_retriever) {
            Some(query) => {
                let recall = prompt::recall(&query, &self.input.state.goal);
                self.phase = Phase::Recall(self.ask(Question::Recall(recall), context));
            }
            None => self.begin_with(&Value::Undefined, context),
        }
        None
    }

    /// Continues after a wake. Wakes that belong to others are ignored.
    pub(crate) fn wake(&mut self, wake: Wake<Output>, context: &mut TaskContext<'_, Cycgraph>) -> Done {
        match wake {
            Wake::Start => self.begin(context),
            Wake::Answer(ask, answer) => self.answered(ask, answer, context),
            Wake::Timer(timer) if self.timer == Some(timer) => {
                let timeout = self.job.timeout.unwrap_or(DEFAULT_TIMEOUT);
                Some(Err(failures::agent_timeout(&self.job.agent, timeout.0)))
            }
            Wake::Timer(timer) => {
                if let Phase::ModelAgain { timer: own, failures } = self.phase
                    && own == timer
                {
                    self.ask_model(failures, context);
                }
                None
            }
            _ => None,
        }
    }

    fn begin_with(&mut self, facts: &Value, context: &mut TaskContext<'_, Cycgraph>) {
        self.progress.has_facts = prompt::has_facts(facts);
        let state = &self.input.state;
        self.prompt = prompt::messages(&self.job, &self.agent, &self.slice, state, facts).into();
        self.opening = Some(Arc::new(PromptOpening {
            messages: self.prompt.len(),
            author: self.agent.prompt.clone(),
            parts: OpeningParts::Work(opening::WorkParts {
                surroundings: surroundings(state, &self.slice, facts),
                context: self.job.context.clone(),
                saves: self.tools.has(SAVE).then(|| self.writes.clone()),
                attempt: self.job.attempt,
            }),
        }));
        self.timer = Some(context.set_timer(self.job.timeout.unwrap_or(DEFAULT_TIMEOUT)));
        match self.tools.names.is_empty() {
            true => self.ask_model(0, context),
            // The release prepares the tools first, so of several agents those without tools ask their models earlier.
            false => self.ask_model_soon(context),
        }
    }

    /// Asks the model after everything else that is due at this moment: agents that only begin, or fail, come first.
    fn ask_model_soon(&mut self, context: &mut TaskContext<'_, Cycgraph>) {
        self.phase = Phase::ModelAgain { timer: context.set_timer(Millis::ZERO), failures: 0 };
    }

    fn answered(&mut self, ask: AskId, answer: Answer, context: &mut TaskContext<'_, Cycgraph>) -> Done {
        match &mut self.phase {
            Phase::Recall(own) if *own == ask => {
                // A failed search counts as a search without a result.
                let facts = match answer.result {
                    Ok(Reply::Value(facts)) => facts,
                    _ => Value::Undefined,
                };
                self.begin_with(&facts, context);
                None
            }
            Phase::Model { ask: own, failures } if *own == ask => {
                let failures = *failures;
                match answer.result {
                    Ok(Reply::Model(reply)) => {
                        self.progress.usage.add(&Tokens::from(answer.usage));
                        self.spoke(reply, context)
                    }
                    Ok(_) => self.model_failed(&prompt::no_answer(), failures, context),
                    Err(failure) => self.model_failed(&failure, failures, context),
                }
            }
            Phase::Tools { waiting, .. } => {
                let position = waiting.iter().position(|(waiting, _)| *waiting == ask)?;
                let (_, place) = waiting.remove(position);
                self.tool_answered(place, answer, context);
                self.after_tools(context)
            }
            _ => None,
        }
    }

    fn ask(&self, what: Question, context: &mut TaskContext<'_, Cycgraph>) -> AskId {
        let ask = self.input.ask(context.program(), what);
        context.ask(self.input.visit, ask)
    }

    fn ask_model(&mut self, failures: u32, context: &mut TaskContext<'_, Cycgraph>) {
        let question = ModelQuestion {
            agent: self.job.agent.clone(),
            purpose: Purpose::Work,
            prompt: self.prompt.clone(),
            tools: self.tools.names.clone(),
            temperature: Some(prompt::temperature(self.job.temperature, &self.agent)),
            opening: self.opening.clone(),
        };
        self.phase = Phase::Model { ask: self.ask(Question::Model(question), context), failures };
    }

    /// Handles a failed model call. The client library repeats the call if the provider says that this may help.
    fn model_failed(
        &mut self,
        failure: &Failure,
        failures: u32,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Done {
        let failure = match prompt::client_retry(failure, failures) {
            Ok(wait) => {
                self.phase = Phase::ModelAgain { timer: context.set_timer(wait), failures: failures + 1 };
                return None;
            }
            Err(failure) => failure,
        };
        match self.is_continuing {
            true => {
                // The work of the continuation is kept, but its usage is not known.
                if let Some(used) = self.used_before {
                    self.progress.usage = used;
                }
                self.finish(context)
            }
            false => {
                self.stop_timer(context);
                Some(Err(failures::agent_execution(&self.job.agent, &failure)))
            }
        }
    }

    fn spoke(&mut self, reply: ModelReply, context: &mut TaskContext<'_, Cycgraph>) -> Done {
        self.progress.steps += 1;
        self.steps_left = self.steps_left.saturating_sub(1);
        if !reply.text.trim().is_empty() {
            self.progress.last_spoken = Some(reply.text.clone());
        }
        // The text of the earlier turns is kept, unless the continuation says something.
        if !(self.is_continuing && reply.text.trim().is_empty()) {
            self.progress.text = reply.text.clone();
        }
        if reply.calls.is_empty() {
            if self.progress.text.trim().is_empty() {
                self.say([Message::new(Role::Model, Value::Text(reply.text))]);
            }
            return self.after_turns(context);
        }
        let message =
            Message { calls: reply.calls.clone(), ..Message::new(Role::Model, Value::Text(reply.text)) };
        self.say([message]);
        self.call_tools(reply.calls, context);
        self.after_tools(context)
    }

    fn call_tools(&mut self, calls: Vec<ToolCall>, context: &mut TaskContext<'_, Cycgraph>) {
        let mut waiting = Vec::new();
        let mut results = Vec::with_capacity(calls.len());
        for call in calls {
            let is_offered = self.tools.has(&call.tool);
            if is_offered {
                self.reporter.emit(context, "tool:call_start", || Value::Text(call.tool.clone()));
            }
            match call.tool == SAVE {
                true => self.note_saved(&call.arguments),
                false => self.progress.called.push(call.tool.clone()),
            }
            let result = match (is_offered, call.tool == SAVE) {
                (false, _) => prompt::unavailable(&call.tool, &self.tools.names),
                (true, true) => answer::saved(&call.arguments),
                (true, false) => {
                    let question = ToolQuestion {
                        tool: call.tool.clone(),
                        arguments: call.arguments.clone(),
                        call: Some(call.id.clone()),
                    };
                    waiting.push((self.ask(Question::Tool(question), context), results.len()));
                    Value::Undefined
                }
            };
            if is_offered && call.tool == SAVE {
                self.reporter.emit(context, "tool:call_finish", || Value::Text(call.tool.clone()));
            }
            results.push((call, result));
        }
        self.phase = Phase::Tools { waiting, results };
    }

    fn note_saved(&mut self, arguments: &Value) {
        let Value::Map(arguments) = arguments else { return };
        if let Some(Value::Text(key)) = arguments.get("key")
            && !key.is_empty()
            && !key.starts_with('_')
            && answer::may_write(&self.writes, key)
        {
            self.progress
                .saved
                .insert(key.clone(), arguments.get("value").cloned().unwrap_or(Value::Undefined));
        }
    }

    fn tool_answered(&mut self, place: usize, answer: Answer, context: &mut TaskContext<'_, Cycgraph>) {
        let Phase::Tools { results, .. } = &mut self.phase else { return };
        let Some((call, result)) = results.get_mut(place) else { return };
        if let Some(origin) = self.tools.taints(&call.tool)
            && self.progress.taint.is_none()
        {
            self.progress.taint = Some(answer::tool_taint(&origin));
        }
        *result = match answer.result {
            Ok(Reply::Value(value)) => value,
            Ok(_) => Value::Undefined,
            Err(failure) => Value::Text(failure.message),
        };
        self.reporter.emit(context, "tool:call_finish", || Value::Text(call.tool.clone()));
    }

    /// Continues after all tools have answered.
    fn after_tools(&mut self, context: &mut TaskContext<'_, Cycgraph>) -> Done {
        let Phase::Tools { waiting, results } = &mut self.phase else { return None };
        if !waiting.is_empty() {
            return None;
        }
        let results = std::mem::take(results).into_iter();
        self.say(
            results.map(|(call, result)| Message { answers: Some(call), ..Message::new(Role::Tool, result) }),
        );
        match self.steps_left {
            0 => self.after_turns(context),
            _ => {
                self.ask_model_soon(context);
                None
            }
        }
    }

    /// Ends the turns. After an empty answer, a few more steps follow, once.
    fn after_turns(&mut self, context: &mut TaskContext<'_, Cycgraph>) -> Done {
        if self.is_continuing || !self.progress.text.trim().is_empty() {
            return self.finish(context);
        }
        self.is_continuing = true;
        self.steps_left = self.steps_left.clamp(1, MOST_CONTINUATION_STEPS);
        self.used_before = Some(self.progress.usage);
        self.say([prompt::continuation()]);
        self.ask_model_soon(context);
        None
    }

    /// Adds messages to the conversation, and continues.
    fn say(&mut self, messages: impl IntoIterator<Item = Message>) {
        self.prompt = self.prompt.iter().cloned().chain(messages).collect();
    }

    fn finish(&mut self, context: &mut TaskContext<'_, Cycgraph>) -> Done {
        self.stop_timer(context);
        let progress = std::mem::take(&mut self.progress);
        Some(Ok(answer::action(&self.job, &self.agent, &self.slice, &self.writes, progress, context.now())))
    }

    /// The result if the call must stop now. Nobody waits for the tools that are still running.
    pub(crate) fn stopped(&self) -> Stopped {
        let timeout = self.job.timeout.unwrap_or(DEFAULT_TIMEOUT);
        let used = self.used_before.map(|used| (used, self.agent.model.clone()));
        Stopped { failure: failures::agent_timeout(&self.job.agent, timeout.0), used }
    }

    fn stop_timer(&mut self, context: &mut TaskContext<'_, Cycgraph>) {
        if let Some(timer) = self.timer.take() {
            context.cancel_timer(timer);
        }
    }
}

impl Task<Cycgraph> for AgentCall {
    fn step(&mut self, wake: Wake<Output>, context: &mut TaskContext<'_, Cycgraph>) -> Flow<Output> {
        match self.wake(wake, context) {
            Some(result) => Flow::Done(Output::Acted(result.map(Box::new))),
            None => Flow::Wait,
        }
    }

    fn copied(&self) -> Box<dyn Task<Cycgraph>> {
        Box::new(self.clone())
    }

    fn cut_off(&self, _: &mut TaskContext<'_, Cycgraph>) -> Option<Output> {
        Some(Output::Stopped(Box::new(self.stopped())))
    }
}
