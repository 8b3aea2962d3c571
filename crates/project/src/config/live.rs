//! The settings of real runs in `nodewise.toml`: models, tools, people, where runs are kept.
//!
//! Input: the table `[live]`, through serde. Output: plain data. Invariant: no key to a service can stand in the file; it names
//! the variable of the environment, or the command, that has it.

use std::collections::BTreeMap;

use serde::Deserialize;

/// How long a call may take by default, in seconds.
pub const TIMEOUT_S: f64 = 120.0;
/// How often a failed call of a model is repeated by default.
pub const RETRIES: u32 = 2;
/// How long links to the page of decisions are valid by default, in hours.
pub const LINK_HOURS: u32 = 72;
/// How many calls of one provider may be under way at once.
pub const CALLS_AT_ONCE: usize = 8;

/// The table `[live]`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Live {
    /// The model where a declaration names none: one of `models`, or a name that its provider knows.
    pub model: Option<String>,
    /// The provider where a declaration names none.
    pub provider: Option<String>,
    /// How long a call may take, in seconds.
    pub timeout_s: Option<f64>,
    /// How often a call of a model is repeated after a failure that may be temporary.
    pub retries: Option<u32>,
    /// The Python interpreter: a command, or a path relative to the configuration's folder.
    pub python: Option<String>,
    /// Folders of Python sources, relative to the configuration's folder.
    pub python_path: Option<Vec<String>>,
    /// The environment variables that Python functions get in addition to those that every program needs.
    pub python_env: Vec<String>,
    /// Providers of models, by the name that declarations use.
    pub providers: BTreeMap<String, ProviderConfig>,
    /// Models, by the name that declarations use.
    pub models: BTreeMap<String, ModelConfig>,
    /// Models of agents and nodes that name none themselves, by agent or node.
    pub agents: BTreeMap<String, String>,
    /// Files with the prompts of agents and nodes, by agent or node. Paths are relative to the configuration's folder.
    pub prompts: BTreeMap<String, String>,
    /// Servers of tools that speak the Model Context Protocol, by the name that declarations use.
    pub mcp: BTreeMap<String, ToolServerConfig>,
    /// Tools that neither a server nor a declaration provides, by name.
    pub tools: BTreeMap<String, ToolConfig>,
    /// Python functions for what the program around a graph does, by the kind of question.
    pub services: BTreeMap<Service, String>,
    /// Where spans are sent.
    pub telemetry: Option<TelemetryConfig>,
    /// Durable engines that carry runs on other machines, by the name that `--on` uses.
    pub engines: BTreeMap<String, EngineConfig>,
    /// How people learn that runs wait for them, and where they decide.
    pub decisions: DecisionsConfig,
}

/// How people learn that runs wait for them, and where they decide.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DecisionsConfig {
    /// The address that gets a message when a run begins to wait.
    pub webhook: Option<Header>,
    /// Where people reach the page of `nodewise serve --decisions`, for instance `https://decide.example`.
    pub url: Option<String>,
    /// How long links to the page are valid, in hours.
    pub link_hours: Option<u32>,
}

/// A durable engine.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineConfig {
    /// Where runs are started and decided.
    pub url: Addresses,
    /// Where runs are listed and cancelled.
    pub admin: Option<String>,
    /// The key for a gateway in front of the engine.
    pub key: Option<Key>,
}

/// One address, or several addresses of the same engine.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged, expecting = "an address, or a list of addresses")]
pub enum Addresses {
    One(String),
    /// If one does not answer, the next one is tried.
    Several(Vec<String>),
}

/// How a worker answers a durable engine: the table `[serve]`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ServeConfig {
    pub listen: String,
    /// The public keys of the engines that may call.
    pub identity: Vec<String>,
    /// How many calls may be under way at once.
    pub calls_at_once: usize,
    /// For how many days finished runs are kept.
    pub keep_days: u32,
}

/// Where a worker listens by default.
pub const LISTEN: &str = "127.0.0.1:9080";
/// How many calls of a worker may be under way at once by default.
pub const WORKER_CALLS_AT_ONCE: usize = 64;
/// For how many days an engine keeps finished runs by default.
pub const KEEP_DAYS: u32 = 30;

impl Default for ServeConfig {
    fn default() -> ServeConfig {
        ServeConfig {
            listen: LISTEN.to_owned(),
            identity: Vec::new(),
            calls_at_once: WORKER_CALLS_AT_ONCE,
            keep_days: KEEP_DAYS,
        }
    }
}

impl Addresses {
    #[must_use]
    pub fn all(&self) -> &[String] {
        match self {
            Addresses::One(one) => std::slice::from_ref(one),
            Addresses::Several(several) => several,
        }
    }
}

/// A provider of models.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProviderConfig {
    /// Which protocol it speaks.
    pub kind: ProviderKind,
    /// Where its interface begins, for instance `https://api.openai.com/v1`.
    pub base_url: Option<String>,
    /// Where the key comes from. `None` if the provider needs no key.
    pub key: Option<Key>,
    /// How many calls may be under way at once.
    pub calls_at_once: Option<usize>,
    /// Headers that are sent with each call in addition to the key, by name.
    #[serde(default)]
    pub headers: BTreeMap<String, Header>,
    /// Parameters that are added to the address of each call, by name.
    #[serde(default)]
    pub query: BTreeMap<String, Header>,
}

/// A protocol of models.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProviderKind {
    /// Chat completions as OpenAI has them, and vLLM, Ollama, llama.cpp and many services.
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
}

/// Where a key comes from. The configuration file itself never contains one.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "lowercase")]
pub enum Key {
    /// A variable of the environment.
    Env(String),
    /// A command that prints it: a program and its arguments.
    Command(Vec<String>),
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelConfig {
    /// What its provider calls it; otherwise the name it has here.
    pub id: Option<String>,
    pub provider: Option<String>,
    /// The price of a million tokens that it reads, in US dollars.
    pub input_usd: Option<f64>,
    /// The price of a million tokens that it writes, in US dollars.
    pub output_usd: Option<f64>,
    /// The price of a million tokens that it reads from the cache of its provider, in US dollars.
    pub cached_usd: Option<f64>,
    /// The price of a million tokens that it reads and its provider puts into the cache, in US dollars.
    pub cache_write_usd: Option<f64>,
    /// How long the provider caches what the model read, if a request asks for that.
    pub prompt_cache: Option<PromptCache>,
    /// The most tokens of an answer.
    pub max_tokens: Option<u32>,
    /// How random its answers are. Overrides the value of a declaration.
    pub temperature: Option<f64>,
    /// The share of likely tokens that it chooses from.
    pub top_p: Option<f64>,
    /// A seed for repeatable answers, as far as the provider supports that.
    pub seed: Option<i64>,
    /// How much it thinks before it answers, in a word of its provider.
    pub reasoning_effort: Option<String>,
    /// How many tokens it may think before it answers.
    pub thinking_tokens: Option<u32>,
    /// What it accepts besides text. `None` stands for what its protocol supports.
    pub attachments: Option<Vec<AttachmentKind>>,
    /// More keys for the body of each call.
    pub body: BTreeMap<String, serde_json::Value>,
    /// How long an answer may take, in seconds.
    pub timeout_s: Option<f64>,
    /// How long an answer may pause, in seconds.
    pub idle_timeout_s: Option<f64>,
    /// The models that are asked, in this order, if this one gives no answer.
    pub fallback: Vec<String>,
}

/// What a model may take besides text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AttachmentKind {
    /// Images: PNG, JPEG, GIF, WebP.
    Image,
    /// PDF files.
    Pdf,
}

/// How long a provider keeps what a model read in its cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum PromptCache {
    /// Five minutes from the last use.
    #[serde(rename = "5m")]
    FiveMinutes,
    /// One hour from the last use.
    #[serde(rename = "1h")]
    OneHour,
}

impl PromptCache {
    /// As the configuration writes it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            PromptCache::FiveMinutes => "5m",
            PromptCache::OneHour => "1h",
        }
    }
}

/// A server of tools: a command that is started and spoken to through its standard streams, or an address.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ToolServerConfig {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The environment variables that the program gets in addition to `PATH` and `HOME`.
    pub env: Vec<String>,
    /// The address of a server that already runs.
    pub url: Option<String>,
    /// Where the key for the address comes from.
    pub key: Option<Key>,
    /// How long a call of one of its tools may take, in seconds.
    pub timeout_s: Option<f64>,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ToolConfig {
    /// The Python function, as a dotted path.
    pub function: Option<String>,
    /// The server that has it, one of `mcp`.
    pub mcp: Option<String>,
    /// What the server calls it; otherwise the name it has here.
    pub name: Option<String>,
    /// What it is for, as models read it.
    pub description: Option<String>,
    /// Its arguments, as JSON Schema.
    pub parameters: Option<serde_json::Value>,
    /// How long a call may take, in seconds.
    pub timeout_s: Option<f64>,
    /// What a resumed run does with a call that was made before it stopped, and that may have had its effect.
    pub again: Option<Again>,
}

/// What a resumed run does with a call that was made before it stopped, and that may have had its effect.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Again {
    /// It makes the call again, and reports that.
    #[default]
    Repeat,
    /// It asks a person.
    Ask,
    /// It waits until someone gives it the result.
    Never,
}

/// The questions that the program around a graph answers, besides those to models, tools and people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Service {
    /// A method of an extension.
    Extension,
    /// Guardrails look at something.
    Guardrail,
    /// A search for a capability.
    Discovery,
    /// Facts are looked for in long-term memory.
    Recall,
    /// Facts are written to long-term memory.
    Remember,
    /// An agent of another system works.
    Remote,
    /// The score of a candidate.
    Fitness,
    /// A voice session is held.
    Session,
}

/// Where spans are sent.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TelemetryConfig {
    /// The collector's address for OTLP over HTTP, for instance `http://localhost:4318`.
    pub endpoint: String,
    /// Whether spans contain prompts and answers.
    #[serde(default)]
    pub content: bool,
    /// Whether metrics are sent beside the spans: tokens, times, costs.
    #[serde(default)]
    pub metrics: bool,
    /// Headers that are sent with each request in addition to the spans, by name.
    #[serde(default)]
    pub headers: BTreeMap<String, Header>,
}

/// The value of a header.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(
    untagged,
    expecting = "a text with `${NAME}` for variables of the environment, `{ env = \"NAME\" }` or `{ command = [\"…\"] }`"
)]
pub enum Header {
    /// A text with variables of the environment.
    Text(String),
    /// The variable or the command that has it.
    Key(Key),
}

/// A part of the text of a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeaderPart<'h> {
    /// As it is written.
    Literal(&'h str),
    /// The value of a variable of the environment.
    Variable(&'h str),
}

impl Header {
    /// The environment variables that it uses.
    #[must_use]
    pub fn variables(&self) -> Vec<&str> {
        match self {
            Header::Key(Key::Env(name)) => vec![name],
            Header::Key(Key::Command(_)) => Vec::new(),
            Header::Text(text) => {
                let variable = |part| match part {
                    HeaderPart::Variable(name) => Some(name),
                    HeaderPart::Literal(_) => None,
                };
                header_parts(text).into_iter().filter_map(variable).collect()
            }
        }
    }
}

/// The parts of the text of a header: `Bearer ${NAME}` has two.
#[must_use]
pub fn header_parts(text: &str) -> Vec<HeaderPart<'_>> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, (name, after))) =
        rest.split_once("${").and_then(|(before, after)| Some((before, after.split_once('}')?)))
    {
        if !before.is_empty() {
            parts.push(HeaderPart::Literal(before));
        }
        parts.push(HeaderPart::Variable(name));
        rest = after;
    }
    if !rest.is_empty() {
        parts.push(HeaderPart::Literal(rest));
    }
    parts
}
