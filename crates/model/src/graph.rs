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
    /// Its name for people.
    pub name: Option<Located<SmolStr>>,
    /// The first line, where something missing is reported.
    pub head: Origin,
    /// Whether it is one node by itself, without the graph around it.
    pub is_fragment: bool,
    pub nodes: ThinVec<GraphNode>,
    /// The key of the nodes, if they are a list.
    pub nodes_at: Option<Origin>,
    /// The edges, in the order in which they are tried.
    pub edges: ThinVec<GraphEdge>,
    /// The key of the edges, if they are a list; where a missing edge is reported.
    pub edges_at: Option<Origin>,
    /// The node where a run begins, where the graph names it beside its edges.
    pub start: Option<Located<SmolStr>>,
    /// The nodes where a run ends, where the graph names them beside its edges.
    pub ends: Option<Located<Vec<Located<SmolStr>>>>,
    /// The keys that a run is given; `None` when the graph declares nothing.
    pub inputs: Option<Vec<Port>>,
    /// The keys that a run gives back; `None` when the graph declares nothing.
    pub outputs: Option<Vec<Port>>,
    /// Whether reading a key that nobody writes is an error.
    pub strict_keys: bool,
    /// Whether a condition that touches a tainted key never holds.
    pub strict_taint: bool,
    /// The parts of the state and the schema of each; `None` when the graph does not say.
    pub state: Option<Located<Vec<Partition>>>,
    /// How parallel or repeated writes of a state key are combined.
    pub reducers: Vec<Reducer>,
    /// When the whole graph saves checkpoints: the word.
    pub checkpoints: Option<Located<SmolStr>>,
    /// How memory is isolated over the whole graph: the word.
    pub memory_consistency: Option<Located<SmolStr>>,
    /// The names to which its system gives a meaning.
    pub conventions: &'static Conventions,
}

#[derive(Debug, Clone)]
pub struct GraphNode {
    pub id: Option<Located<SmolStr>>,
    /// The word for its type, as written.
    pub type_word: Option<Located<SmolStr>>,
    /// The first line of the node.
    pub head: Origin,
    /// The whole node.
    pub at: Origin,
    /// What runs when it is visited.
    pub work: AnyWork,
    /// The word that decides what runs, where that is another than the node's own.
    pub work_word: Option<Located<SmolStr>>,
    /// Settings of other work that the node carries: nothing runs them.
    pub idle: Vec<AnyWork>,
    /// The agent that the node names, whatever for.
    pub agent: Option<Reference>,
    /// Where tools come from; `None` when the node does not say.
    pub tools: Option<Located<Vec<ToolSource>>>,
    /// What it may read and write of the state.
    pub access: Access,
    /// What happens when it fails.
    pub failure: FailurePolicy,
    /// What it may cost.
    pub budget: Budget,
    /// Memory that is fetched before it runs.
    pub memory_query: Option<Box<MemoryQuery>>,
    /// The features of a host that the node asks for.
    pub host: Option<Box<HostPolicies>>,
    /// How it is executed, whatever its work is: side effects, checkpoints.
    pub execution: ExecutionOptions,
}

/// What a node may read and write of the state.
#[derive(Debug, Clone, Default)]
pub struct Access {
    /// The keys that it may read; `*` is all.
    pub reads: Vec<Located<SmolStr>>,
    /// The key of the list of reads, if it was written.
    pub reads_at: Option<Origin>,
    /// The keys that it may write; `*` is all.
    pub writes: Vec<Located<SmolStr>>,
    /// The key of the list of writes, if it was written.
    pub writes_at: Option<Origin>,
    /// The key that takes a plain answer.
    pub default_write: Option<Located<SmolStr>>,
}

/// What happens when a node fails. Absent parts have the dialect's defaults, already filled in.
#[derive(Debug, Clone, Default)]
pub struct FailurePolicy {
    /// The policy, if it was written.
    pub at: Option<Origin>,
    /// How often the node is tried in all.
    pub attempts: Option<Located<f64>>,
    /// How the wait grows: the word.
    pub backoff: Option<Located<SmolStr>>,
    /// The first wait, in milliseconds.
    pub first_wait_ms: Option<Located<f64>>,
    /// The longest wait, in milliseconds.
    pub longest_wait_ms: Option<Located<f64>>,
    /// Parts of error texts that are tried again; `None` is every error.
    pub only_on: Option<Located<Vec<Located<SmolStr>>>>,
    /// How long the node may take, in milliseconds.
    pub timeout_ms: Option<Located<f64>>,
    /// When it is not tried any more for a while.
    pub breaker: Option<Box<CircuitBreaker>>,
}

/// When a node that keeps failing is not tried any more for a while.
#[derive(Debug, Clone)]
pub struct CircuitBreaker {
    /// The whole breaker.
    pub at: Origin,
    /// Whether it is on.
    pub enabled: Setting<bool>,
    /// Failures in a row that open it.
    pub failures: f64,
    /// Successes in a row that close it again.
    pub successes: f64,
    /// How long it stays open, in milliseconds.
    pub cool_down_ms: f64,
}

/// What a node may cost.
#[derive(Debug, Clone, Default)]
pub struct Budget {
    /// Its key, if it was written.
    pub at: Option<Origin>,
    /// The tokens of models.
    pub max_tokens: Option<Located<f64>>,
    /// The money, in US dollars.
    pub max_cost_usd: Option<Located<f64>>,
}

/// Memory that is fetched before a node runs.
#[derive(Debug, Clone, Default)]
pub struct MemoryQuery {
    /// Its key.
    pub at: Option<Origin>,
    /// What is looked for.
    pub text: Option<SmolStr>,
    /// The entities that it must be about.
    pub entities: Vec<SmolStr>,
    /// The tags that it must have.
    pub tags: Vec<Located<SmolStr>>,
    /// The most facts.
    pub max_facts: Option<f64>,
    /// Whether what is found taints what the node writes.
    pub untrusted: bool,
}

/// Options of how a node is executed, whatever its work is.
#[derive(Debug, Clone, Default)]
pub struct ExecutionOptions {
    /// How a model node takes its turns: the word.
    pub execution_mode: Option<Located<SmolStr>>,
    /// What side effects it has: the word.
    pub effect: Option<Located<SmolStr>>,
    /// When it saves a checkpoint: the word.
    pub checkpoint: Option<Located<SmolStr>>,
    /// Whether its effects must be undone when the run fails.
    pub compensated: bool,
    /// How hard it is, from 0 to 1.
    pub complexity: Option<Located<f64>>,
    /// The key under which its output is kept, if not its id.
    pub output_as: Option<Located<SmolStr>>,
    /// Where it leads by the reason for which it ended.
    pub exits: Vec<Exit>,
    /// The key of these exits, if it was written.
    pub exits_at: Option<Origin>,
}

/// Where a node leads when it ends for a reason.
#[derive(Debug, Clone)]
pub struct Exit {
    /// The reason, as written.
    pub reason: Located<SmolStr>,
    /// The reason, if there is such a one.
    pub kind: Option<ExitReason>,
    /// The node.
    pub target: Option<Located<SmolStr>>,
}

/// Why a session ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExitReason {
    /// It did what it had to do.
    Completed,
    /// It was aborted.
    Interrupted,
    /// The other side hung up.
    Hangup,
    /// The turns were used up.
    Turns,
    /// Nobody spoke for a while.
    Silence,
    /// This word was heard.
    Keyword(SmolStr),
}

/// The features of a host that a node or an edge asks for.
#[derive(Debug, Clone, Default)]
pub struct HostPolicies {
    /// The model that the node asks for.
    pub llm: Option<ModelOverride>,
    /// The keys of schemas of what goes in and out.
    pub schemas_at: Vec<Origin>,
    /// The schema of what goes out.
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
    /// Whose model it is.
    pub provider: Option<Located<SmolStr>>,
}

/// What a node reads from and writes to long-term memory.
#[derive(Debug, Clone)]
pub struct MemoryPolicy {
    /// Its key.
    pub at: Origin,
    /// Whether what is written is encoded at once: the place, if so.
    pub auto_encode: Option<Origin>,
    /// Whether the type of what is written is given.
    pub has_write_type: bool,
    /// A query with templates.
    pub query: Option<Located<SmolStr>>,
}

/// How capabilities are discovered for a node.
#[derive(Debug, Clone)]
pub struct DiscoveryPolicy {
    /// Its key.
    pub at: Origin,
    /// Whether it is on; `None` when it does not say.
    pub enabled: Option<bool>,
    /// The keys beside the one that switches it on.
    pub others: Vec<Origin>,
}

/// Which persona a node has.
#[derive(Debug, Clone)]
pub struct PersonaPolicy {
    /// Its key.
    pub at: Origin,
    /// The traits with their strength, where it is a number.
    pub traits: Vec<(Located<SmolStr>, Option<Located<f64>>)>,
}

/// Which guardrails look at what goes in and out.
#[derive(Debug, Clone)]
pub struct GuardrailPolicy {
    /// Its key.
    pub at: Origin,
    /// Guardrails of what goes in.
    pub input: Vec<Located<SmolStr>>,
    /// Guardrails of what comes out.
    pub output: Vec<Located<SmolStr>>,
    /// What a violation leads to: the word.
    pub on_violation: Option<Located<SmolStr>>,
    /// The node that a violation leads to.
    pub reroute: Option<Located<SmolStr>>,
}

#[derive(Debug, Clone)]
pub struct GraphEdge {
    /// Its id, where the author gave one.
    pub id: Option<Located<SmolStr>>,
    /// The whole edge.
    pub at: Origin,
    /// The first line of the edge.
    pub head: Origin,
    /// Where it comes from.
    pub source: Option<Endpoint>,
    /// Where it leads.
    pub target: Option<Endpoint>,
    /// What decides whether it is followed.
    pub guard: EdgeGuard,
    /// The features of a host that the edge asks for.
    pub host: Option<Box<HostPolicies>>,
    /// Keys that belong to another guard than the edge's own.
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
    /// Any node, decided by a program at run time.
    Placeholder,
}

/// What decides whether an edge is followed, as the type of the edge says it.
#[derive(Debug, Clone)]
pub enum EdgeGuard {
    Always,
    /// When its condition holds.
    When(Option<EdgeCondition>),
    /// When a search for a capability finds one.
    Discovery(Box<CapabilitySearch>),
    /// By a trait of the persona; `None` while the condition is missing.
    Personality(Option<Box<Personality>>),
    /// By a word that is none of the known ones, or missing.
    Unknown,
}

/// What decides whether an edge is followed, or where a router leads.
#[derive(Debug, Clone)]
pub enum EdgeCondition {
    /// An expression; `None` while its text is missing.
    Expression(Option<Condition>),
    /// A function of the host, which no document can hold.
    Function(Origin),
}

#[derive(Debug, Clone, Default)]
pub struct CapabilitySearch {
    /// What is looked for.
    pub query: Option<Located<SmolStr>>,
    /// The kind of capability: the word.
    pub kind: Option<Located<SmolStr>>,
    /// Where the edge leads when nothing is found.
    pub fallback: Option<Located<SmolStr>>,
}

/// A choice by a trait of the persona.
#[derive(Debug, Clone)]
pub struct Personality {
    pub trait_name: Option<Located<SmolStr>>,
    /// The strength that decides, from 0 to 1.
    pub threshold: Option<Located<f64>>,
    /// Where it leads from that strength on.
    pub above: Option<Located<SmolStr>>,
    /// Where it leads below.
    pub below: Option<Located<SmolStr>>,
}

/// A key that a graph takes or gives.
#[derive(Debug, Clone)]
pub struct Port {
    pub key: Located<SmolStr>,
    /// Whether a run needs it.
    pub required: bool,
    /// Its JSON Schema.
    pub schema: Option<Value>,
    /// What it holds, in the author's words.
    pub description: Option<SmolStr>,
}

/// A part of the state.
#[derive(Debug, Clone)]
pub struct Partition {
    pub name: Located<SmolStr>,
    /// Its schema; `None` while it is no mapping.
    pub schema: Option<Value>,
    /// The keys that the schema lists; `None` when it lists none.
    pub keys: Option<Vec<Located<SmolStr>>>,
}

/// How writes of a state key are combined.
#[derive(Debug, Clone)]
pub struct Reducer {
    /// The key, as written.
    pub path: Located<SmolStr>,
    /// The word for how to combine.
    pub operation: Option<Located<SmolStr>>,
}

/// A key of one graph and the key of another that it is copied to or from.
#[derive(Debug, Clone)]
pub struct KeyMapping {
    /// The key that is read.
    pub from: Located<SmolStr>,
    /// The key that is written.
    pub to: Option<Located<SmolStr>>,
}

impl GraphNode {
    /// A node that does this work, and has nothing else.
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
    /// A graph without anything, whose document begins at `head`.
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

    /// What people call it: its name, or its id where it has none.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        let name = self.name.as_ref().map(|name| name.value.as_str()).filter(|name| !name.trim().is_empty());
        name.or(self.id.as_ref().map(|id| id.value.as_str()))
    }

    /// Its id, or what people call it if the id is a UUID.
    #[must_use]
    pub fn short_title(&self) -> Option<&str> {
        let id = self.id.as_ref().map(|id| id.value.as_str());
        id.filter(|id| !is_uuid(id)).or(self.title())
    }

    /// The first node of that id.
    #[must_use]
    pub fn node(&self, id: &str) -> Option<&GraphNode> {
        self.nodes.iter().find(|node| node.id.as_ref().is_some_and(|found| found.value == id))
    }
}
