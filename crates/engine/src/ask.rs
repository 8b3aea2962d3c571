//! What a run asks the world, and what the world answers: models, tools, functions, people, memory, other systems.
//!
//! Input: the executors' questions; output: the providers' answers. Invariant: a question holds everything that its
//! answer may depend on, and an answer everything that the run learns from it, so that answers alone replay a run.

use std::sync::Arc;

use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

use crate::opening::PromptOpening;
use crate::outcome::Failure;
use crate::time::Millis;
use crate::usage::Usage;

/// A question to the world.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// The graph that asks, by its id; for traces and for scripts of inner graphs.
    pub graph: SmolStr,
    /// The node that asks.
    pub node: SmolStr,
    /// Which attempt of its visit the node is at, from 1.
    pub attempt: u32,
    /// What is asked.
    pub what: Question,
}

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub enum Question {
    /// A language model continues a conversation.
    Model(ModelQuestion),
    /// A tool is called.
    Tool(ToolQuestion),
    /// A function of the host program is called.
    Function(FunctionQuestion),
    /// A method of an extension is called.
    Extension(ExtensionQuestion),
    /// A person decides.
    Human(HumanQuestion),
    /// Guardrails look at something.
    Guardrail(GuardrailQuestion),
    /// A search for a capability.
    Discovery(DiscoveryQuestion),
    /// Facts are looked for in long-term memory.
    Recall(RecallQuestion),
    /// Facts are written to long-term memory: a list of facts.
    Remember(Value),
    /// An agent of another system works.
    Remote(RemoteQuestion),
    /// The host's own function scores a candidate.
    Fitness(Value),
    /// A voice session is held.
    Session(SessionQuestion),
}

/// A language model continues a conversation.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelQuestion {
    /// Who is asked: the agent's id, or the node where models have no other name.
    pub agent: SmolStr,
    /// What the answer is for.
    pub purpose: Purpose,
    /// The prompt, in order.
    pub prompt: Arc<[Message]>,
    /// The tools that it may call.
    pub tools: Arc<[SmolStr]>,
    /// The sampling temperature.
    pub temperature: Option<f64>,
    /// How the prompt begins, where the system's runtime writes it in sections. Records do not hold it.
    pub opening: Option<Arc<PromptOpening>>,
}

/// What a model's answer is for; all but [`Purpose::Work`] want a value of a fixed shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// An answer, or tool calls.
    Work,
    /// The next node.
    Route,
    /// A score.
    Judge,
    /// Facts.
    Extract,
}

/// A part of the prompt of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// Who says it.
    pub role: Role,
    /// What is said: a text, or a value that is shown as JSON.
    pub content: Value,
    /// The tool calls that a model asked for.
    pub calls: Vec<ToolCall>,
    /// The tool call that a tool's message answers.
    pub answers: Option<ToolCall>,
}

/// The author of a part of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The author of the graph.
    System,
    /// The user.
    Human,
    Model,
    Tool,
    /// The state, as far as the node may read it.
    State,
    /// The engine: what the work is about.
    Task,
}

/// A model asks for a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// The call's id.
    pub id: SmolStr,
    pub tool: SmolStr,
    pub arguments: Value,
}

/// A tool is called.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolQuestion {
    pub tool: SmolStr,
    pub arguments: Value,
    /// The id of the model's call, where a model asked for it.
    pub call: Option<SmolStr>,
}

/// A function of the host program is called.
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionQuestion {
    /// The dotted path of the function.
    pub path: SmolStr,
    /// What it is given; nothing for the function of a condition.
    pub input: Value,
}

/// A method of an extension is called.
#[derive(Debug, Clone, PartialEq)]
pub struct ExtensionQuestion {
    pub extension: SmolStr,
    pub method: SmolStr,
    /// What it is given.
    pub input: Value,
}

/// A person decides.
#[derive(Debug, Clone, PartialEq)]
pub struct HumanQuestion {
    /// The message for the person.
    pub prompt: SmolStr,
    /// What the person is shown of the state.
    pub review: Value,
}

/// Guardrails look at something.
#[derive(Debug, Clone, PartialEq)]
pub struct GuardrailQuestion {
    /// The guardrails, in the order in which they are evaluated.
    pub guardrails: Arc<[SmolStr]>,
    /// What they look at.
    pub content: Value,
}

/// A search for a capability.
#[derive(Debug, Clone, PartialEq)]
pub struct DiscoveryQuestion {
    /// What is looked for.
    pub query: SmolStr,
    /// The kind of capability.
    pub kind: Option<SmolStr>,
}

/// Facts are looked for in long-term memory.
#[derive(Debug, Clone, PartialEq)]
pub struct RecallQuestion {
    /// What is looked for.
    pub text: Option<SmolStr>,
    /// The entities that the facts must be about.
    pub entities: Vec<SmolStr>,
    /// The tags that the facts must have.
    pub tags: Vec<SmolStr>,
    /// The most facts.
    pub max_facts: Option<f64>,
}

/// An agent of another system works.
#[derive(Debug, Clone, PartialEq)]
pub struct RemoteQuestion {
    /// The server, as the host has registered it.
    pub server: SmolStr,
    /// The skill of the remote agent.
    pub skill: Option<SmolStr>,
    /// What it is given.
    pub input: Value,
    /// The task that continues with a person's data; `None` for a new one.
    pub resumed: Option<ResumedTask>,
}

/// A remote task that continues.
#[derive(Debug, Clone, PartialEq)]
pub struct ResumedTask {
    pub task: SmolStr,
    /// What the person said.
    pub response: Value,
}

/// A voice session is held.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionQuestion {
    /// What the session does: the word.
    pub mode: SmolStr,
    /// The line that it delivers.
    pub line: Option<SmolStr>,
}

/// An answer of the world.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// How long it takes.
    pub after: Millis,
    /// What it uses.
    pub usage: Usage,
    /// The answer, or why there is none.
    pub result: Result<Reply, Failure>,
    /// What the world sets beside its answer, in a shape that the system knows: context, patches of results.
    pub aside: Option<Value>,
    /// How often the call was repeated below the node, which does not see it, and why.
    pub retries: Vec<CallRetry>,
    /// The provider and the model that answered, where it is not the one that was planned.
    pub fallback: Option<SmolStr>,
    /// The stored run that it was taken from, where nobody was asked.
    pub pinned: Option<SmolStr>,
}

/// A call that failed and was repeated before there was an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallRetry {
    /// The wait before the call was repeated.
    pub wait: Millis,
    /// Why the call before it failed.
    pub reason: SmolStr,
}

/// What the world answers.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// A model's answer.
    Model(ModelReply),
    /// A value: of a tool, a function, an extension, memory, a search, a score.
    Value(Value),
    /// A person's decision.
    Decision(Decision),
    /// What guardrails found.
    Verdict(Verdict),
    /// What a remote agent made of its task.
    Remote(RemoteReply),
    /// What happens in a voice session, in order.
    Session(Vec<SessionEvent>),
}

/// A model's answer.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelReply {
    /// What it says.
    pub text: SmolStr,
    /// The value that it answers with, where one of a fixed shape is wanted.
    pub value: Option<Value>,
    /// The tools that it asks for.
    pub calls: Vec<ToolCall>,
}

/// A person's decision.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// The word: `approved`, `rejected` or another one.
    pub word: SmolStr,
    /// What the person adds.
    pub data: Option<Value>,
    /// What the person changes in the state.
    pub updates: Map,
    /// How long the person takes.
    pub after: Millis,
}

/// What guardrails found.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// Whether all is well.
    pub passed: bool,
    /// What each one found.
    pub results: Value,
}

/// What a remote agent made of its task.
#[derive(Debug, Clone, PartialEq)]
pub struct RemoteReply {
    pub task: SmolStr,
    /// The state of the task: the word.
    pub state: SmolStr,
    /// What it made, by name.
    pub artifacts: Vec<(SmolStr, Value)>,
    /// What it says.
    pub message: Option<SmolStr>,
}

/// Something that happens in a voice session.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionEvent {
    /// What happens: the word.
    pub name: SmolStr,
    /// How long after the event before it.
    pub after: Millis,
    /// What comes with it.
    pub data: Value,
}

impl Question {
    /// What is asked, in a word.
    #[must_use]
    pub fn noun(&self) -> &'static str {
        match self {
            Question::Model(_) => "model",
            Question::Tool(_) => "tool",
            Question::Function(_) => "function",
            Question::Extension(_) => "extension",
            Question::Human(_) => "human",
            Question::Guardrail(_) => "guardrail",
            Question::Discovery(_) => "discovery",
            Question::Recall(_) => "recall",
            Question::Remember(_) => "remember",
            Question::Remote(_) => "remote agent",
            Question::Fitness(_) => "fitness",
            Question::Session(_) => "voice session",
        }
    }
}

impl Message {
    /// A message without tool calls.
    #[must_use]
    pub fn new(role: Role, content: Value) -> Message {
        Message { role, content, calls: Vec::new(), answers: None }
    }
}

impl ModelQuestion {
    /// Everything that the model reads, as one text; values stand in it as JSON with two spaces of indentation.
    #[must_use]
    pub fn prompt_text(&self) -> String {
        let mut text = String::new();
        for message in self.prompt.iter() {
            if !text.is_empty() {
                text.push('\n');
            }
            match &message.content {
                Value::Text(content) => text.push_str(content),
                content => {
                    let json = nodewise_expr::json::to_json(content);
                    text.push_str(&serde_json::to_string_pretty(&json).unwrap_or_default());
                }
            }
        }
        text
    }
}

impl Answer {
    /// An answer at once that uses nothing.
    #[must_use]
    pub fn now(reply: Reply) -> Answer {
        Answer::of(Ok(reply))
    }

    /// A value, at once.
    #[must_use]
    pub fn value(value: Value) -> Answer {
        Answer::now(Reply::Value(value))
    }

    /// No answer, at once.
    #[must_use]
    pub fn failed(failure: Failure) -> Answer {
        Answer::of(Err(failure))
    }

    /// A result, at once, that uses nothing.
    #[must_use]
    pub fn of(result: Result<Reply, Failure>) -> Answer {
        Answer {
            after: Millis::ZERO,
            usage: Usage::default(),
            result,
            aside: None,
            retries: Vec::new(),
            fallback: None,
            pinned: None,
        }
    }
}
