//! What runs when a node of a graph is visited: one variant for each kind of executor, its settings in a struct.
//! Defaults of the dialect are filled in where the engine needs a value; `None` is what only the author can say.

mod agent;
mod extension;
mod guardrail;
mod judging;
mod model;
mod parallel;
mod voice;

use nodewise_expr::value::Value;
use smol_str::SmolStr;

use crate::graph::{EdgeCondition, Mapping};
use crate::origin::{Located, Origin};
use crate::reference::Reference;
pub use agent::{AgentWork, Annealing, RemoteAgentWork, SupervisorWork, Swarm};
pub use extension::ExtensionWork;
pub use guardrail::GuardrailWork;
pub use judging::{Assertion, Extractor, JsonPathCheck, ReflectionWork, Verification, VerifierWork};
pub use model::ModelWork;
pub use parallel::{EvolutionWork, MapWork, VotingWork};
pub use voice::{VoiceTrigger, VoiceWork};

/// What runs when a node is visited.
#[derive(Debug, Clone)]
pub enum Work {
    /// A tool is called.
    Tool(Box<ToolWork>),
    /// Edges, or an expression, decide what comes next.
    Router(Box<RouterWork>),
    /// Another graph runs.
    Subgraph(Box<SubgraphWork>),
    /// A person decides.
    Human(Box<HumanWork>),
    /// A language model and tools take turns.
    Model(Box<ModelWork>),
    /// A method of an extension is called.
    Extension(Box<ExtensionWork>),
    /// Guardrails look at the state.
    Guardrail(Box<GuardrailWork>),
    /// A voice session is held.
    Voice(Box<VoiceWork>),
    /// An agent works, perhaps several times over.
    Agent(Box<AgentWork>),
    /// An agent chooses the next node, again and again.
    Supervisor(Box<SupervisorWork>),
    /// Results are merged: by the node's agent, or by joining lists.
    Synthesizer,
    /// An agent of another system works.
    RemoteAgent(Box<RemoteAgentWork>),
    /// A worker handles each item, in parallel.
    Map(Box<MapWork>),
    /// Agents vote.
    Voting(Box<VotingWork>),
    /// Candidates are bred over generations.
    Evolution(Box<EvolutionWork>),
    /// A part of the state is evaluated.
    Verifier(Box<VerifierWork>),
    /// Parts of the state are distilled to facts for later runs.
    Reflection(Box<ReflectionWork>),
    /// Nothing that is known: the type is missing or misspelt.
    Unknown,
}

/// A call of a tool.
#[derive(Debug, Clone, Default)]
pub struct ToolWork {
    /// The tool's name.
    pub tool: Option<Located<SmolStr>>,
    /// What it is called with; `None` when that is the node's part of the state.
    pub arguments: Option<Value>,
}

/// A choice of what comes next.
#[derive(Debug, Clone, Default)]
pub struct RouterWork {
    /// What yields the name of the next node; `None` when edges decide.
    pub condition: Option<EdgeCondition>,
}

/// A run of another graph.
#[derive(Debug, Clone, Default)]
pub struct SubgraphWork {
    /// The graph.
    pub graph: Option<Reference>,
    /// The settings, where the dialect wants them.
    pub settings_at: Option<Origin>,
    /// From this graph's state to the other's input.
    pub inputs: Vec<Mapping>,
    /// From the other's results to this graph's state.
    pub outputs: Vec<Mapping>,
    /// How many steps it may take.
    pub max_iterations: Option<f64>,
}

/// A decision of a person.
#[derive(Debug, Clone, Default)]
pub struct HumanWork {
    /// The settings, where the dialect wants them.
    pub settings_at: Option<Origin>,
    /// The question.
    pub prompt: Option<Located<SmolStr>>,
    /// The keys of the state that are shown; `*` is all.
    pub review_keys: Option<Vec<Located<SmolStr>>>,
    /// How long the answer may take, in milliseconds.
    pub timeout_ms: Option<f64>,
    /// Where a rejection leads.
    pub rejection: Option<Located<SmolStr>>,
    /// Answers without a person; `None` when the dialect has none.
    pub automation: Option<HumanAutomation>,
}

/// Answers without a person, in the order in which they count.
#[derive(Debug, Clone, Default)]
pub struct HumanAutomation {
    /// Approves at once.
    pub auto_accept: Option<Located<bool>>,
    /// Rejects at once, with a reason or without: where it is on.
    pub auto_reject: Option<Located<SmolStr>>,
    /// A model that judges.
    pub judge: Option<Judge>,
    /// What no answer in time means: the word.
    pub on_timeout: Option<Located<SmolStr>>,
    /// Whether guardrails may veto an automated approval.
    pub guardrails_may_veto: bool,
}

/// A model that judges in a person's place.
#[derive(Debug, Clone)]
pub struct Judge {
    /// Its key.
    pub at: Origin,
    /// The model.
    pub model: Option<Located<SmolStr>>,
    /// Whose model it is.
    pub provider: Option<Located<SmolStr>>,
    /// How sure it must be, from 0 to 1.
    pub threshold: Option<Located<f64>>,
    /// How much it thinks: the word.
    pub effort: Option<Located<SmolStr>>,
    /// What it decides by.
    pub criteria: Option<Located<SmolStr>>,
    /// Whether its provider works without a model being named.
    pub has_default_model: bool,
}
