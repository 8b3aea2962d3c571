//! What a host program wires to a run: agents with their models and ceilings, tools, memory, other systems, policies,
//! options. In: the declarations of a bundle or scenario file, if any; out: plain data. Invariant: what a host does
//! not wire is absent, and a run fails there as in the release.

mod prices;

use std::collections::BTreeMap;
use std::sync::Arc;

use nodewise_expr::value::Value;
use nodewise_model::graph::{AgentDefinition, ToolSourceKind};
use smol_str::SmolStr;

use crate::usage::Usage;

/// The temperature of agents that give none.
const DEFAULT_TEMPERATURE: f64 = 0.7;
/// The model calls of one visit, if an agent does not say.
const DEFAULT_MAX_STEPS: u32 = 10;

/// The range of temperatures that the release accepts.
const TEMPERATURES: (f64, f64) = (0.0, 2.0);
const STEPS: (f64, f64) = (1.0, 50.0);

/// What a host program wires to a run.
#[derive(Debug, Clone, Default)]
pub struct Host {
    /// The agents, by id.
    pub agents: BTreeMap<SmolStr, HostAgent>,
    /// The prices of models; models that are missing here have the release's prices.
    pub prices: BTreeMap<SmolStr, HostPrice>,
    /// The tools. `None` means that the host has no tools at all; then every tool name answers with its arguments.
    pub tools: Option<HostTools>,
    /// Whether facts can be written to long-term memory.
    pub memory_writer: bool,
    /// Whether facts can be looked for in long-term memory.
    pub memory_retriever: bool,
    /// Whether the host scores the candidates of evolutions.
    pub fitness: bool,
    /// The remote agents, by server; `None` if the host knows no servers.
    pub remote: Option<BTreeMap<SmolStr, HostServer>>,
    /// The security policy for nodes that read tainted keys. Nodes that are missing here are allowed.
    pub policy: BTreeMap<SmolStr, PolicyDecision>,
    /// The actions that undo a node's work, by node of the main graph.
    pub compensations: BTreeMap<SmolStr, Value>,
    /// Whether a run counts as completed if no edge leads on.
    pub implicit_completion: bool,
    /// Whether a failing run undoes its work.
    pub auto_rollback: bool,
}

#[derive(Debug, Clone)]
pub struct HostAgent {
    pub model: SmolStr,
    /// The provider of its model.
    pub provider: SmolStr,
    /// The system prompt.
    pub prompt: SmolStr,
    /// Where its tools come from.
    pub tools: Arc<[Source]>,
    /// The only keys that it may read; `None` is no limit.
    pub reads: Option<Arc<[SmolStr]>>,
    /// The only keys that it may write; `None` is no limit.
    pub writes: Option<Arc<[SmolStr]>>,
    /// The sampling temperature.
    pub temperature: f64,
    /// The most model calls of one visit.
    pub max_steps: u32,
}

/// A source of tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A tool of the engine itself.
    Builtin(SmolStr),
    /// A tool that the host registers.
    Custom(SmolStr),
    /// A server of tools, and which of its tools to use; `None` means all.
    Server(SmolStr, Option<Vec<SmolStr>>),
}

/// The price of a model, in US dollars for a million tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct HostPrice {
    /// For tokens that the model reads.
    pub input: f64,
    /// For tokens that the model writes.
    pub output: f64,
}

#[derive(Debug, Clone, Default)]
pub struct HostTools {
    /// The tools that it registers, each with whether its results are tainted.
    pub defined: BTreeMap<SmolStr, bool>,
    /// The tools of servers, by server; `None` if the host reaches no servers.
    pub servers: Option<BTreeMap<SmolStr, Vec<SmolStr>>>,
}

/// A server with a remote agent.
#[derive(Debug, Clone, Default)]
pub struct HostServer {
    /// The agents that may use it; `None` means all.
    pub allowed: Option<Vec<SmolStr>>,
    /// How long a task may take, in milliseconds.
    pub task_timeout_ms: Option<f64>,
}

/// The policy's decision about a node that reads tainted keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyDecision {
    /// What happens to the node.
    pub effect: PolicyEffect,
    pub reason: Option<SmolStr>,
    /// The message for the person who approves.
    pub prompt: Option<SmolStr>,
}

/// What happens to a node that reads tainted keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PolicyEffect {
    /// The run fails.
    Block,
    /// A person must approve first.
    RequireApproval,
    /// The run continues and reports it.
    Monitor,
}

impl PolicyEffect {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            PolicyEffect::Block => "block",
            PolicyEffect::RequireApproval => "require_approval",
            PolicyEffect::Monitor => "monitor",
        }
    }
}

impl Host {
    /// The cost of a model call, in US dollars.
    #[must_use]
    pub fn cost(&self, model: &str, usage: &Usage) -> f64 {
        let count = |tokens: f64| if tokens.is_finite() && tokens > 0.0 { tokens } else { 0.0 };
        let price = self.prices.get(model).copied().unwrap_or_else(|| prices::of(model));
        count(usage.input_tokens) * price.input / 1_000_000.0
            + count(usage.output_tokens) * price.output / 1_000_000.0
    }
}

/// A setting of an agent that the release does not accept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct OutOfBounds {
    /// The setting's name in error texts.
    pub(crate) setting: &'static str,
    /// The bound that the value violates.
    pub(crate) bound: f64,
    /// Whether the value is above the bound, not below it.
    pub(crate) is_more: bool,
}

impl HostAgent {
    /// The settings that the release does not accept.
    pub(crate) fn out_of_bounds(&self) -> Vec<OutOfBounds> {
        let settings =
            [("temperature", self.temperature, TEMPERATURES), ("maxSteps", f64::from(self.max_steps), STEPS)];
        let beyond = |(setting, value, (least, most)): (&'static str, f64, (f64, f64))| {
            if value < least {
                Some(OutOfBounds { setting, bound: least, is_more: false })
            } else if value > most {
                Some(OutOfBounds { setting, bound: most, is_more: true })
            } else {
                None
            }
        };
        settings.into_iter().filter_map(beyond).collect()
    }
}

impl Default for HostAgent {
    fn default() -> HostAgent {
        HostAgent {
            model: SmolStr::default(),
            provider: SmolStr::default(),
            prompt: SmolStr::default(),
            tools: Arc::default(),
            reads: None,
            writes: None,
            temperature: DEFAULT_TEMPERATURE,
            max_steps: DEFAULT_MAX_STEPS,
        }
    }
}

impl From<&AgentDefinition> for HostAgent {
    fn from(definition: &AgentDefinition) -> HostAgent {
        let keys = |keys: &Option<Vec<nodewise_model::Located<SmolStr>>>| {
            keys.as_ref().map(|keys| keys.iter().map(|key| key.value.clone()).collect())
        };
        // If a ceiling names keys for one side only, it allows nothing on the other side.
        let has_ceiling = definition.reads.is_some() || definition.writes.is_some();
        let ceiling = |side: &Option<_>| match has_ceiling {
            true => Some(keys(side).unwrap_or_default()),
            false => None,
        };
        let text = |text: &Option<nodewise_model::Located<SmolStr>>| {
            text.as_ref().map(|text| text.value.clone()).unwrap_or_default()
        };
        HostAgent {
            model: text(&definition.model),
            provider: text(&definition.provider),
            prompt: text(&definition.prompt),
            tools: definition.tools.iter().map(|source| Source::from(&source.kind)).collect(),
            reads: ceiling(&definition.reads),
            writes: ceiling(&definition.writes),
            temperature: definition.temperature.unwrap_or(DEFAULT_TEMPERATURE),
            max_steps: definition.max_steps.map_or(DEFAULT_MAX_STEPS, |steps| (steps as u32).max(1)),
        }
    }
}

impl From<&ToolSourceKind> for Source {
    fn from(kind: &ToolSourceKind) -> Source {
        match kind {
            ToolSourceKind::Builtin(name) => Source::Builtin(name.value.clone()),
            ToolSourceKind::Custom(name) => Source::Custom(name.value.clone()),
            ToolSourceKind::Server(server, tools) => Source::Server(
                server.value.clone(),
                tools.as_ref().map(|tools| tools.iter().map(|tool| tool.value.clone()).collect()),
            ),
        }
    }
}
