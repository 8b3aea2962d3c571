//! A graph that one document declares: its nodes, the edges between them, what it takes and gives. What runs
//! when a node is visited stands in [`crate::work`]. Nodes and edges keep the order of the document, which
//! decides routing. A part that is absent or unreadable is `None` or empty; nothing here can be invalid by type.

mod bundle;

use nodewise_expr::value::Value;
use smol_str::SmolStr;
use thin_vec::ThinVec;

use crate::condition::Condition;
use crate::conventions::Conventions;
use crate::origin::{Located, Origin, Setting};
use crate::reference::Reference;
use crate::uuid::is_uuid;
use crate::work::AnyWork;
pub use bundle::{
    AgentDefinition, Bundle, RequirementKind, Requirements, ToolSource, ToolSourceKind, Undeclared,
};

#[derive(Debug, Clone)]
pub struct Graph {
    pub id: Option<Located<SmolStr>>,
    /// The display name.
    pub name: Option<Located<SmolStr>>,
    /// The first line of the graph. Findings about missing keys are reported there.
    pub head: Origin,
    /// Whether the graph is only the wrapper around a node that is declared in a document of its own.
    pub is_fragment: bool,
    pub nodes: ThinVec<GraphNode>,
    /// The key of the nodes, if its value is a list.
    pub nodes_at: Option<Origin>,
    /// The edges, in the order in which they are tried.
    pub edges: ThinVec<GraphEdge>,
    /// The key of the edges, if its value is a list. Findings about missing edges are reported there.
    pub edges_at: Option<Origin>,
    /// The node where a run begins, if a key of the graph names it.
    pub start: Option<Located<SmolStr>>,
    /// The nodes where a run ends, if a key of the graph names them.
    pub ends: Option<Located<Vec<Located<SmolStr>>>>,
    /// The keys of the input; `None` if the graph declares none.
    pub inputs: Option<Vec<Port>>,
    /// The keys of the output; `None` if the graph declares none.
    pub outputs: Option<Vec<Port>>,
    /// Whether it is an error to read a key that no node writes.
    pub strict_keys: bool,
    /// Whether a condition that reads a tainted key is always false.
    pub strict_taint: bool,
    /// The parts of the state with their schemas; `None` if the graph does not declare any.
    pub state: Option<Located<Vec<Partition>>>,
    /// How parallel or repeated writes of a state key are combined.
    pub reducers: Vec<Reducer>,
    /// When the graph saves checkpoints, as the word in the file.
    pub checkpoints: Option<Located<SmolStr>>,
    /// How memory is isolated in the graph, as the word in the file.
    pub memory_consistency: Option<Located<SmolStr>>,
    /// The names to which the system of the graph gives a meaning.
    pub conventions: &'static Conventions,
}

#[derive(Debug, Clone)]
pub struct GraphNode {
    pub id: Option<Located<SmolStr>>,
    /// The word for the type of the node, as written.
    pub type_word: Option<Located<SmolStr>>,
    /// The first line of the node.
    pub head: Origin,
    /// The whole node.
    pub at: Origin,
    /// What runs when the node is visited.
    pub work: AnyWork,
    /// The word that decides what runs, if it is not `type_word`.
    pub work_word: Option<Located<SmolStr>>,
    /// Settings of other node types that the node also has. Nothing runs them.
    pub idle: Vec<AnyWork>,
    /// The agent that the node names, for whatever purpose.
    pub agent: Option<Reference>,
    /// Where the tools come from; `None` if the node does not say.
    pub tools: Option<Located<Vec<ToolSource>>>,
    /// What the node may read and write in the state.
    pub access: Access,
    /// What happens when the node fails.
    pub failure: FailurePolicy,
    /// The limits of tokens and cost.
    pub budget: Budget,
    /// The query for memory that is fetched before the node runs.
    pub memory_query: Option<Box<MemoryQuery>>,
    /// The features of the host program that the node uses.
    pub host: Option<Box<HostPolicies>>,
    /// Options that do not depend on the kind of work: side effects, checkpoints.
    pub execution: ExecutionOptions,
}

/// What a node may read and write in the state.
#[derive(Debug, Clone, Default)]
pub struct Access {
    /// The keys that it may read; `*` means all.
    pub reads: Vec<Located<SmolStr>>,
    /// The key of the list of reads, if it was written.
    pub reads_at: Option<Origin>,
    /// The keys that it may write; `*` means all.
    pub writes: Vec<Located<SmolStr>>,
    /// The key of the list of writes, if it was written.
    pub writes_at: Option<Origin>,
    /// The key that receives an answer without a key.
    pub default_write: Option<Located<SmolStr>>,
}

/// What happens when a node fails. Parts that were not written already have the default of the dialect.
#[derive(Debug, Clone, Default)]
pub struct FailurePolicy {
    /// The place of the policy, if it was written.
    pub at: Option<Origin>,
    /// The maximum number of attempts, the first one included.
    pub attempts: Option<Located<f64>>,
    /// How the waiting time grows, as the word in the file.
    pub backoff: Option<Located<SmolStr>>,
    /// The waiting time before the first retry, in milliseconds.
    pub first_wait_ms: Option<Located<f64>>,
    /// The maximum waiting time, in milliseconds.
    pub longest_wait_ms: Option<Located<f64>>,
    /// The node is retried only after errors whose text contains one of these; `None` means after every error.
    pub only_on: Option<Located<Vec<Located<SmolStr>>>>,
    /// The maximum time for the node, in milliseconds.
    pub timeout_ms: Option<Located<f64>>,
    /// The circuit breaker, which stops calls of the node for a while.
    pub breaker: Option<Box<CircuitBreaker>>,
}

/// Stops calls of a node that keeps failing for a while.
#[derive(Debug, Clone)]
pub struct CircuitBreaker {
    /// The whole breaker.
    pub at: Origin,
    /// Whether it is on.
    pub enabled: Setting<bool>,
    /// It opens after this many failures in a row.
    pub failures: f64,
    /// It closes again after this many successes in a row.
    pub successes: f64,
    /// How long it stays open, in milliseconds.
    pub cool_down_ms: f64,
}

/// The limits of what a node may use.
#[derive(Debug, Clone, Default)]
pub struct Budget {
    /// Its key, if it was written.
    pub at: Option<Origin>,
    /// The maximum number of tokens.
    pub max_tokens: Option<Located<f64>>,
    /// The maximum cost, in US dollars.
    pub max_cost_usd: Option<Located<f64>>,
}

/// Memory that is fetched before a node runs.
#[derive(Debug, Clone, Default)]
pub struct MemoryQuery {
    /// Its key.
    pub at: Option<Origin>,
    /// The text to search for.
    pub text: Option<SmolStr>,
    /// The entities that the facts must be about.
    pub entities: Vec<SmolStr>,
    /// The tags that the facts must have.
    pub tags: Vec<Located<SmolStr>>,
    /// The maximum number of facts.
    pub max_facts: Option<f64>,
    /// Whether the fetched facts taint what the node writes.
    pub untrusted: bool,
}

/// Options of how a node is executed, whatever its work is.
#[derive(Debug, Clone, Default)]
pub struct ExecutionOptions {
    /// How a model node takes its turns, as the word in the file.
    pub execution_mode: Option<Located<SmolStr>>,
    /// Which side effects the node has, as the word in the file.
    pub effect: Option<Located<SmolStr>>,
    /// When the node saves a checkpoint, as the word in the file.
    pub checkpoint: Option<Located<SmolStr>>,
    /// Whether its side effects must be undone when the run fails.
    pub compensated: bool,
    /// How difficult the task is, from 0 to 1.
    pub complexity: Option<Located<f64>>,
    /// The key under which its output is stored; `None` means the id of the node.
    pub output_as: Option<Located<SmolStr>>,
    /// Where the run continues, depending on why the node ended.
    pub exits: Vec<Exit>,
    /// The key of these exits, if it was written.
    pub exits_at: Option<Origin>,
}

/// Where the run continues when a node ends for a certain reason.
#[derive(Debug, Clone)]
pub struct Exit {
    /// The reason, as written.
    pub reason: Located<SmolStr>,
    /// The reason; `None` if the word is not a known reason.
    pub kind: Option<ExitReason>,
    /// The node that the run continues at.
    pub target: Option<Located<SmolStr>>,
}

/// Why a session ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExitReason {
    /// The session completed its task.
    Completed,
    /// It was aborted.
    Interrupted,
    /// The other side hung up.
    Hangup,
    /// The maximum number of turns was reached.
    Turns,
    /// Nobody spoke for a while.
    Silence,
    /// This word was heard.
    Keyword(SmolStr),
}

/// The features of the host program that a node or an edge uses.
#[derive(Debug, Clone, Default)]
pub struct HostPolicies {
    /// The model that the node asks for.
    pub llm: Option<ModelOverride>,
    /// The keys of the schemas for input and output.
    pub schemas_at: Vec<Origin>,
    /// The JSON Schema that the output must match.
    pub output_schema: Option<Located<Value>>,
    pub memory: Option<MemoryPolicy>,
    pub discovery: Option<DiscoveryPolicy>,
    pub persona: Option<PersonaPolicy>,
    pub guardrails: Option<GuardrailPolicy>,
}

/// The model that a node asks for.
#[derive(Debug, Clone)]
pub struct ModelOverride {
    /// Its key.
    pub at: Origin,
    pub model: Option<Located<SmolStr>>,
    /// The provider of the model.
    pub provider: Option<Located<SmolStr>>,
}

/// What a node reads from and writes to long-term memory.
#[derive(Debug, Clone)]
pub struct MemoryPolicy {
    /// Its key.
    pub at: Origin,
    /// The place of the setting that encodes written values at once; `None` if it is off.
    pub auto_encode: Option<Origin>,
    /// Whether a type for written values is given.
    pub has_write_type: bool,
    /// A query with templates.
    pub query: Option<Located<SmolStr>>,
}

/// How capabilities are discovered for a node.
#[derive(Debug, Clone)]
pub struct DiscoveryPolicy {
    /// Its key.
    pub at: Origin,
    /// Whether discovery is on; `None` if the setting is missing.
    pub enabled: Option<bool>,
    /// The other keys of the policy, without the one for `enabled`.
    pub others: Vec<Origin>,
}

/// Which persona a node has.
#[derive(Debug, Clone)]
pub struct PersonaPolicy {
    /// Its key.
    pub at: Origin,
    /// The traits with their strengths; `None` if the strength is not a number.
    pub traits: Vec<(Located<SmolStr>, Option<Located<f64>>)>,
}

/// Which guardrails check the input and the output.
#[derive(Debug, Clone)]
pub struct GuardrailPolicy {
    /// Its key.
    pub at: Origin,
    /// The guardrails for the input.
    pub input: Vec<Located<SmolStr>>,
    /// The guardrails for the output.
    pub output: Vec<Located<SmolStr>>,
    /// What happens after a violation, as the word in the file.
    pub on_violation: Option<Located<SmolStr>>,
    /// The node that the run goes to after a violation.
    pub reroute: Option<Located<SmolStr>>,
}

#[derive(Debug, Clone)]
pub struct GraphEdge {
    /// The id, if the author gave one.
    pub id: Option<Located<SmolStr>>,
    /// The whole edge.
    pub at: Origin,
    /// The first line of the edge.
    pub head: Origin,
    /// Where the edge begins.
    pub source: Option<Endpoint>,
    /// Where the edge leads.
    pub target: Option<Endpoint>,
    /// What decides whether it is followed.
    pub guard: EdgeGuard,
    /// The features of the host program that the edge uses.
    pub host: Option<Box<HostPolicies>>,
    /// Keys of other types of edges that have no effect on this one.
    pub foreign_keys: Vec<Origin>,
}

/// An end of an edge.
#[derive(Debug, Clone)]
pub struct Endpoint {
    pub role: EndpointRole,
    /// The name as written.
    pub name: Located<SmolStr>,
}

/// What an end of an edge is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndpointRole {
    Node,
    /// Where a run begins.
    Start,
    /// Where a run ends.
    End,
    /// A placeholder for a node that the program chooses at run time.
    Placeholder,
}

/// What decides whether an edge is followed. The type of the edge says which of these it is.
#[derive(Debug, Clone)]
pub enum EdgeGuard {
    Always,
    /// The edge is followed when its condition is true.
    When(Option<EdgeCondition>),
    /// The edge is followed when the search finds a capability.
    Discovery(Box<CapabilitySearch>),
    /// A trait of the persona decides; `None` if the condition is missing.
    Personality(Option<Box<Personality>>),
    /// The type of the edge is missing or unknown.
    Unknown,
}

/// What decides whether an edge is followed, or where a router leads.
#[derive(Debug, Clone)]
pub enum EdgeCondition {
    /// An expression; `None` if its text is missing.
    Expression(Option<Condition>),
    /// A function of the host program. A document cannot contain it, only its place is known.
    Function(Origin),
}

#[derive(Debug, Clone, Default)]
pub struct CapabilitySearch {
    /// The words to search for.
    pub query: Option<Located<SmolStr>>,
    /// The kind of capability, as the word in the file.
    pub kind: Option<Located<SmolStr>>,
    /// Where the edge leads if nothing is found.
    pub fallback: Option<Located<SmolStr>>,
}

/// A choice by a trait of the persona.
#[derive(Debug, Clone)]
pub struct Personality {
    pub trait_name: Option<Located<SmolStr>>,
    /// The strength that divides the two targets, from 0 to 1.
    pub threshold: Option<Located<f64>>,
    /// Where the edge leads if the strength is at least the threshold.
    pub above: Option<Located<SmolStr>>,
    /// Where the edge leads if the strength is below the threshold.
    pub below: Option<Located<SmolStr>>,
}

/// A key of a graph's input or output.
#[derive(Debug, Clone)]
pub struct Port {
    pub key: Located<SmolStr>,
    /// Whether the key must be present.
    pub required: bool,
    /// Its JSON Schema.
    pub schema: Option<Value>,
    /// What the key contains, in the words of the author.
    pub description: Option<SmolStr>,
}

/// A part of the state.
#[derive(Debug, Clone)]
pub struct Partition {
    pub name: Located<SmolStr>,
    /// The schema; `None` if it is not a mapping.
    pub schema: Option<Value>,
    /// The keys that the schema lists; `None` when it lists none.
    pub keys: Option<Vec<Located<SmolStr>>>,
}

/// How several writes of a state key are combined.
#[derive(Debug, Clone)]
pub struct Reducer {
    /// The state key, as written.
    pub path: Located<SmolStr>,
    /// How to combine the writes, as the word in the file.
    pub operation: Option<Located<SmolStr>>,
}

/// A pair of keys of two graphs: the value of one is copied to the other.
#[derive(Debug, Clone)]
pub struct KeyMapping {
    /// The key that is read.
    pub from: Located<SmolStr>,
    /// The key that is written.
    pub to: Option<Located<SmolStr>>,
}

impl GraphNode {
    /// A node with this work and no other settings.
    #[must_use]
    pub fn new(work: AnyWork, head: Origin, at: Origin) -> GraphNode {
        GraphNode {
            id: None,
            type_word: None,
            head,
            at,
            work,
            work_word: None,
            idle: Vec::new(),
            agent: None,
            tools: None,
            access: Access::default(),
            failure: FailurePolicy::default(),
            budget: Budget::default(),
            memory_query: None,
            host: None,
            execution: ExecutionOptions::default(),
        }
    }
}

impl Graph {
    /// A graph without nodes, whose document begins at `head`.
    #[must_use]
    pub fn new(head: Origin, conventions: &'static Conventions) -> Graph {
        Graph {
            id: None,
            name: None,
            head,
            is_fragment: false,
            nodes: ThinVec::new(),
            nodes_at: None,
            edges: ThinVec::new(),
            edges_at: None,
            start: None,
            ends: None,
            inputs: None,
            outputs: None,
            strict_keys: false,
            strict_taint: false,
            state: None,
            reducers: Vec::new(),
            checkpoints: None,
            memory_consistency: None,
            conventions,
        }
    }

    /// The display name: the name, or the id if there is no name.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        let name = self.name.as_ref().map(|name| name.value.as_str()).filter(|name| !name.trim().is_empty());
        name.or(self.id.as_ref().map(|id| id.value.as_str()))
    }

    /// The id, or the display name if the id is a UUID.
    #[must_use]
    pub fn short_title(&self) -> Option<&str> {
        let id = self.id.as_ref().map(|id| id.value.as_str());
        id.filter(|id| !is_uuid(id)).or(self.title())
    }

    /// The first node with this id.
    #[must_use]
    pub fn node(&self, id: &str) -> Option<&GraphNode> {
        self.nodes.iter().find(|node| node.id.as_ref().is_some_and(|found| found.value == id))
    }
}
