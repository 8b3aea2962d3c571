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
    /// The question itself, with everything that the answer depends on.
    pub what: Question,
}

/// A question, by who or what answers it.
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
    /// The agent's id, or the node's id in systems where models have no other name.
    pub agent: SmolStr,
    /// What the answer is for.
    pub purpose: Purpose,
    /// The prompt, in order.
    pub prompt: Arc<[Message]>,
    /// The tools that the model may call.
    pub tools: Arc<[SmolStr]>,
    /// The sampling temperature.
    pub temperature: Option<f64>,
    /// How the prompt begins, in systems whose runtime writes it in sections; `None` in others. Records do not contain it.
    pub opening: Option<Arc<PromptOpening>>,
}

/// What a model's answer is for; all but [`Purpose::Work`] want a value of a fixed shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// An answer, or tool calls.
    Work,
    /// The node that comes next.
    Route,
    /// A score for something.
    Judge,
    /// Facts that a text contains.
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
    /// The id of the model's call; `None` if no model asked for the tool.
    pub call: Option<SmolStr>,
}

/// A function of the host program is called.
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionQuestion {
    /// The dotted path by which the host program names the function.
    pub path: SmolStr,
    /// What it is given; nothing for the function of a condition.
    pub input: Value,
}

/// A method of an extension is called.
#[derive(Debug, Clone, PartialEq)]
pub struct ExtensionQuestion {
    pub extension: SmolStr,
    pub method: SmolStr,
    /// The method's argument.
    pub input: Value,
}

/// A person decides.
#[derive(Debug, Clone, PartialEq)]
pub struct HumanQuestion {
    /// The message for the person.
    pub prompt: SmolStr,
    /// The part of the state that the person is shown.
    pub review: Value,
}

/// Guardrails look at something.
#[derive(Debug, Clone, PartialEq)]
pub struct GuardrailQuestion {
    /// The guardrails, in the order in which they are evaluated.
    pub guardrails: Arc<[SmolStr]>,
    /// What the guardrails check.
    pub content: Value,
}

/// A search for a capability.
#[derive(Debug, Clone, PartialEq)]
pub struct DiscoveryQuestion {
    /// What is looked for.
    pub query: SmolStr,
    /// The kind of capability that the search is limited to.
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
    /// The greatest number of facts in the answer.
    pub max_facts: Option<f64>,
}

/// An agent of another system works.
#[derive(Debug, Clone, PartialEq)]
pub struct RemoteQuestion {
    /// The server, as the host has registered it.
    pub server: SmolStr,
    /// The skill of the remote agent.
    pub skill: Option<SmolStr>,
    /// The input for the remote agent.
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
    /// The word for what the session does.
    pub mode: SmolStr,
    /// The line that the session speaks.
    pub line: Option<SmolStr>,
}

/// An answer to a question of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The time from the question to this answer.
    pub after: Millis,
    /// The tokens and money that the answer cost.
    pub usage: Usage,
    /// The answer, or the failure in place of one.
    pub result: Result<Reply, Failure>,
    /// Data beside the result, in a form that only the system knows: context, or changes of results.
    pub aside: Option<Value>,
    /// Calls that failed and were repeated before this answer. The node does not see them.
    pub retries: Vec<CallRetry>,
    /// The provider and the model that answered, if they are not the planned ones.
    pub fallback: Option<SmolStr>,
    /// The stored run that this answer was copied from; `None` if the question was really asked.
    pub pinned: Option<SmolStr>,
}

/// A call that failed and was repeated before there was an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallRetry {
    /// How long the repetition was delayed.
    pub wait: Millis,
    /// Why the call failed.
    pub reason: SmolStr,
}

/// The content of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// A model's answer.
    Model(ModelReply),
    /// A value from a tool, a function, an extension, memory, a search or a fitness function.
    Value(Value),
    /// A person's decision.
    Decision(Decision),
    /// What guardrails found.
    Verdict(Verdict),
    /// How a remote agent ended its task.
    Remote(RemoteReply),
    /// The events of a voice session, in order.
    Session(Vec<SessionEvent>),
}

/// A model's answer.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelReply {
    /// What it says.
    pub text: SmolStr,
    /// The value, if the question wants one of a fixed shape.
    pub value: Option<Value>,
    /// The tools that the model wants called.
    pub calls: Vec<ToolCall>,
}

/// A person's decision.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// The word: `approved`, `rejected` or another one.
    pub word: SmolStr,
    /// What the person adds.
    pub data: Option<Value>,
    /// Keys of the state that the person changes.
    pub updates: Map,
    /// How long the person takes to decide.
    pub after: Millis,
}

/// What guardrails found.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// Whether no guardrail found a violation.
    pub passed: bool,
    /// What each guardrail found.
    pub results: Value,
}

/// What a remote agent made of its task.
#[derive(Debug, Clone, PartialEq)]
pub struct RemoteReply {
    pub task: SmolStr,
    /// The word for the state of the task.
    pub state: SmolStr,
    /// The results of the task, by name.
    pub artifacts: Vec<(SmolStr, Value)>,
    /// A text that the agent sends with the result.
    pub message: Option<SmolStr>,
}

/// An event of a voice session.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionEvent {
    /// The word for the kind of event.
    pub name: SmolStr,
    /// The time since the event before it.
    pub after: Millis,
    /// The data of the event.
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
    /// The whole prompt as one text. Values that are not texts are shown as JSON with two spaces of indentation.
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
    /// An answer that arrives at once and costs nothing.
    #[must_use]
    pub fn now(reply: Reply) -> Answer {
        Answer::of(Ok(reply))
    }

    /// A value that arrives at once.
    #[must_use]
    pub fn value(value: Value) -> Answer {
        Answer::now(Reply::Value(value))
    }

    /// A failure that arrives at once.
    #[must_use]
    pub fn failed(failure: Failure) -> Answer {
        Answer::of(Err(failure))
    }

    /// A reply or a failure that arrives at once and costs nothing.
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
