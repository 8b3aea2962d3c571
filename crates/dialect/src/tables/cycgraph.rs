//! cycgraph 1.4.0: graphs, bundles, lone nodes and agents, their fields, bounds, defaults and docs
//! (cycgraph:1 and cycgraph:2). Data only; what a field's type means stands in [`crate::bind`].

mod agent_work;
mod builders;
mod bundle;
mod example;
mod flow;
mod habits;
mod judging;
mod keys;
mod node;
mod scopes;

use nodewise_model::conventions::{Conventions, TerminalKeys};
use nodewise_model::project_rule::PartProperty;

use crate::lower;
use crate::packed_text::PackedText;
use crate::table::{
    Dialect, DocumentTemplate, Field, Kind, KindRole, Mark, NameUse, Outside, Recognition, ReviewTopic,
    Shape, Symbol, Type, ViolationPolicy, field, up_to,
};
pub use agent_work::BY_TOURNAMENT;
pub(crate) use agent_work::{ANNEALING, EVOLUTION as EVOLUTION_CONFIG, SWARM};
use bundle::{AGENT_SHAPE, BUNDLE_SHAPE};
pub(crate) use flow::{
    APPROVAL as APPROVAL_CONFIG, MAP as MAP_CONFIG, SUBGRAPH as SUBGRAPH_CONFIG,
    SUPERVISOR as SUPERVISOR_CONFIG,
};
pub use judging::BY_JUDGE;
pub(crate) use judging::{ASSERTION, EXTRACTOR, VERIFIER as VERIFIER_CONFIG, VOTING as VOTING_CONFIG};
use node::NODE_SHAPE;
pub use node::{
    A2A, AGENT_NODE, APPROVAL, BUILTIN_TOOLS, EVOLUTION, GRANTED_READS, GRANTED_WRITES, MAP, NODE_TYPES,
    REFLECTION, ROUTER, SUBGRAPH, SUPERVISOR, SYNTHESIZER, TOOL_NODE, VERIFIER, VOTING,
};
pub(crate) use node::{CIRCUIT_BREAKER, FAILURE_POLICY};
use nodewise_expr::{filtrex, jsonpath};
pub use scopes::{AGENT, GRAPH};
pub use scopes::{AGENT_KIND_NAME, GRAPH_KIND_NAME};

/// The list of memory keys that a program seeds a run with.
pub const SEEDED_KEYS: &str = "keys";

/// The one class of everything that the release's schema refuses.
const REFUSED: &str = "cycgraph:schema";

/// The list of custom tools that a program registers.
pub const OUTSIDE_TOOLS: &str = "tools";
/// The list of servers that a program registers.
pub const OUTSIDE_SERVERS: &str = "servers";

/// Conditions have a language; no id has a meaning of its own.
pub static CONVENTIONS: Conventions = Conventions {
    terminal_keys: Some(TerminalKeys { start: "start_node", ends: "end_nodes" }),
    conditions: Some(filtrex::EDGE),
    state: nodewise_model::cycgraph::STATE,
    ..Conventions::NONE
};

static SPECIFICATION: PackedText =
    PackedText::new(include_bytes!(concat!(env!("OUT_DIR"), "/cycgraph.packed")));

/// The cycgraph dialect.
pub static CYCGRAPH: Dialect = Dialect {
    id: "cycgraph",
    title: "cycgraph",
    follows: &["@cycgraph/orchestrator 1.4.0"],
    specification: Some(&SPECIFICATION),
    profiles: &[],
    extensions: &["yaml", "yml", "json"],
    loads_by_extension: false,
    file_names: &[],
    recognition: Recognition::ByShape,
    violations: ViolationPolicy {
        broken_text: None,
        empty_file: None,
        not_a_mapping: None,
        repeated_key: None,
        missing: Some(REFUSED),
        wrong_type: Some(REFUSED),
        bad_word: Some(REFUSED),
        unknown_key: None,
        out_of_range: Some(REFUSED),
        undeclared: Some("cycgraph:integrity"),
        range_is_refused: true,
        halt: true,
    },
    outside: &[
        Outside {
            key: "agents",
            kinds: AGENT.kinds,
            symbol: None,
            doc: "Agents that the program registers in code.",
        },
        Outside {
            key: "graphs",
            kinds: GRAPH.kinds,
            symbol: None,
            doc: "Graphs that the program loads from elsewhere.",
        },
        Outside {
            key: OUTSIDE_TOOLS,
            kinds: &[],
            symbol: None,
            doc: "Custom tools that the program registers in code.",
        },
        Outside {
            key: OUTSIDE_SERVERS,
            kinds: &[],
            symbol: None,
            doc: "Servers that the program registers: MCP and a2a.",
        },
        Outside {
            key: SEEDED_KEYS,
            kinds: &[],
            symbol: Some(Symbol::State),
            doc: "Memory keys that the program seeds a run with.",
        },
    ],
    languages: &[filtrex::EDGE, filtrex::VERIFIER, jsonpath::STATE, jsonpath::UPDATES, jsonpath::VALUE],
    conventions: &CONVENTIONS,
    state_schema: None,
    reducers: &[],
    traits: &[],
    keyword_exit: None,
    overlays: None,
    exclusive: &[],
    graphs: Some(&GRAPH),
    terminals: &[],
    builtin_tools: BUILTIN_TOOLS,
    generated_tools: None,
    plain_node: Some(ROUTER),
    registrations: None,
    builders: Some(&builders::BUILDERS),
    kinds: &[BUNDLE_KIND, GRAPH_KIND, NODE_KIND, AGENT_KIND],
    templates: TEMPLATES,
    example: example::FILES,
    properties: &[
        PartProperty::Id,
        PartProperty::Name,
        PartProperty::Kind,
        PartProperty::TypeWord,
        PartProperty::Agent,
        PartProperty::Model,
        PartProperty::Provider,
        PartProperty::Tools,
        PartProperty::Servers,
        PartProperty::Reads,
        PartProperty::Writes,
        PartProperty::ReadsAll,
        PartProperty::WritesAll,
        PartProperty::MaxTokens,
        PartProperty::MaxCost,
        PartProperty::Timeout,
        PartProperty::Attempts,
        PartProperty::Runs,
        PartProperty::Temperature,
        PartProperty::MaxSteps,
        PartProperty::NodeCount,
        PartProperty::EdgeCount,
    ],
    has_plugins: false,
    aliases: habits::ALIASES,
    synonyms: habits::SYNONYMS,
    foreign: habits::FOREIGN,
    lower: lower::cycgraph::declaration,
};

const TEMPLATES: &[DocumentTemplate] = &[
    DocumentTemplate {
        label: "cycgraph graph",
        kind: GRAPH_KIND_NAME,
        doc: "two agents, one after the other",
        text: include_str!("cycgraph/templates/graph.yaml"),
    },
    DocumentTemplate {
        label: "cycgraph agent",
        kind: AGENT_KIND_NAME,
        doc: "a model with its prompt",
        text: include_str!("cycgraph/templates/agent.yaml"),
    },
    DocumentTemplate {
        label: "cycgraph bundle",
        kind: BUNDLE_KIND_NAME,
        doc: "a graph and its agents, packed together",
        text: include_str!("cycgraph/templates/bundle.yaml"),
    },
];

const BUNDLE_KIND_NAME: &str = "Bundle";

const BUNDLE_KIND: Kind = Kind {
    name: BUNDLE_KIND_NAME,
    role: KindRole::Bundle,
    evidence: &[
        &[Mark::Has("manifest"), Mark::Has("graph")],
        &[Mark::Has("manifest"), Mark::List("agents")],
        &[Mark::Has("manifest"), Mark::List("graphs")],
    ],
    shape: BUNDLE_SHAPE,
};

const GRAPH_KIND: Kind = Kind {
    name: GRAPH_KIND_NAME,
    role: KindRole::Graph,
    evidence: &[
        &[Mark::List("nodes"), Mark::Has("start_node")],
        &[Mark::List("nodes"), Mark::Has("end_nodes")],
        &[Mark::List("edges"), Mark::Has("start_node")],
        &[Mark::Has("start_node"), Mark::Has("end_nodes")],
        &[Mark::List("nodes"), Mark::Has("strict_keys")],
        &[Mark::List("nodes"), Mark::Has("strict_taint")],
        &[Mark::ItemHas("nodes", "read_keys")],
        &[Mark::ItemHas("nodes", "write_keys")],
        &[Mark::ItemHas("nodes", "default_write_key")],
        &[Mark::ItemHas("nodes", "requires_compensation")],
        &[Mark::ItemHas("nodes", "subgraph_config")],
        &[Mark::ItemHas("nodes", "a2a_config")],
        &[Mark::ItemHas("nodes", "supervisor_config")],
        &[Mark::ItemHas("nodes", "approval_config")],
        &[Mark::ItemHas("nodes", "annealing_config")],
        &[Mark::ItemHas("nodes", "map_reduce_config")],
        &[Mark::ItemHas("nodes", "voting_config")],
        &[Mark::ItemHas("nodes", "swarm_config")],
        &[Mark::ItemHas("nodes", "evolution_config")],
        &[Mark::ItemHas("nodes", "verifier_config")],
        &[Mark::ItemHas("nodes", "reflection_config")],
        &[Mark::ItemWord("nodes", "type", NODE_TYPES), Mark::ItemHas("nodes", "agent_id")],
        &[Mark::ItemWord("nodes", "type", NODE_TYPES), Mark::ItemHas("nodes", "tool_id")],
    ],
    shape: GRAPH_SHAPE,
};

const NODE_KIND: Kind = Kind {
    name: "LoneNode",
    role: KindRole::GraphNode,
    evidence: &[
        &[A_TYPE, NO_NODES, Mark::Has("read_keys")],
        &[A_TYPE, NO_NODES, Mark::Has("write_keys")],
        &[A_TYPE, NO_NODES, Mark::Has("agent_id")],
        &[A_TYPE, NO_NODES, Mark::Has("tool_id")],
        &[A_TYPE, NO_NODES, Mark::Has("failure_policy")],
        &[A_TYPE, NO_NODES, Mark::Has("requires_compensation")],
        &[AN_ID, NO_NODES, Mark::Has("read_keys"), Mark::Has("write_keys")],
        &[AN_ID, NO_NODES, Mark::Has("subgraph_config")],
        &[AN_ID, NO_NODES, Mark::Has("a2a_config")],
        &[AN_ID, NO_NODES, Mark::Has("supervisor_config")],
        &[AN_ID, NO_NODES, Mark::Has("approval_config")],
        &[AN_ID, NO_NODES, Mark::Has("annealing_config")],
        &[AN_ID, NO_NODES, Mark::Has("map_reduce_config")],
        &[AN_ID, NO_NODES, Mark::Has("voting_config")],
        &[AN_ID, NO_NODES, Mark::Has("swarm_config")],
        &[AN_ID, NO_NODES, Mark::Has("evolution_config")],
        &[AN_ID, NO_NODES, Mark::Has("verifier_config")],
        &[AN_ID, NO_NODES, Mark::Has("reflection_config")],
        &[AN_ID, NO_NODES, Mark::Word("type", node::TELLING_NODE_TYPES), Mark::Lacks("executorConfig")],
    ],
    shape: NODE_SHAPE,
};

const A_TYPE: Mark = Mark::Word("type", NODE_TYPES);
const AN_ID: Mark = Mark::Has("id");
const NO_NODES: Mark = Mark::Lacks("nodes");

const AGENT_KIND: Kind = Kind {
    name: AGENT_KIND_NAME,
    role: KindRole::Agent,
    evidence: &[
        &[Mark::Has("model"), Mark::Has("provider"), Mark::Has("system_prompt")],
        &[Mark::Has("id"), Mark::Has("provider"), Mark::Has("system_prompt")],
    ],
    shape: AGENT_SHAPE,
};

pub(super) static GRAPH_STATIC: Shape = GRAPH_SHAPE;

const GRAPH_SHAPE: Shape = Shape {
    name: "Graph",
    doc: "A graph: nodes that share one memory, and edges between them that are tried in order.",
    fields: &[
        field(
            "id",
            Type::Symbol(Symbol::Graph, NameUse::Declares),
            "The graph's id, which `subgraph_id` refers to. Any text passes; the one-call `run()` of release 1.4.0 \
             starts only a graph whose id is a UUID. Without it each load makes up a UUID.",
        ),
        field("name", Type::Text, "The graph's name, for people.").label().required(),
        field("description", Type::Text, "What the graph is for. It must be there and may be empty.").required(),
        INPUTS,
        OUTPUTS,
        field("nodes", Type::Sized(&NODES, up_to(10_000)), "The nodes.").unordered().required(),
        field(
            "edges",
            Type::Sized(&EDGES, up_to(10_000)),
            "The edges. Their order decides: the first edge whose condition holds is followed.",
        )
        .required(),
        field("start_node", A_NODE, "The node where a run begins.").required(),
        field(
            "end_nodes",
            Type::Sized(&NODE_IDS, up_to(10_000)),
            "The nodes where a run ends; edges that leave them are never followed. May be empty: then only a \
             supervisor, an iteration limit or a timeout ends a run.",
        ).unordered()
        .required(),
        field(
            "strict_taint",
            Type::Boolean,
            "Whether a condition that names a tainted key counts as false. Without it there is a log line only.",
        ).topic(ReviewTopic::Policy)
        .default("false"),
        field(
            "strict_keys",
            Type::Boolean,
            "Whether reading a key that no node writes and no input declares is an error instead of a warning.",
        ).topic(ReviewTopic::Policy)
        .default("false"),
    ],
};

/// The id of a node, where it is referred to.
pub(super) const A_NODE: Type = Type::Symbol(Symbol::Node, NameUse::Refers);
pub(super) static NODE_IDS: Type = Type::List(&A_NODE_ID);
pub(super) static A_NODE_ID: Type = A_NODE;
static NODES: Type = Type::List(&A_WHOLE_NODE);
static A_WHOLE_NODE: Type = Type::Object(&NODE);
static NODE: Shape = NODE_SHAPE;
static EDGES: Type = Type::List(&AN_EDGE);
static AN_EDGE: Type = Type::Object(&EDGE);

/// What a graph takes.
pub(super) const INPUTS: Field = field(
    "inputs",
    Type::Sized(&INPUT_DECLARATIONS, up_to(1000)),
    "The memory keys that the caller of the graph provides, each with a schema.",
);
/// What a graph gives back.
pub(super) const OUTPUTS: Field = field(
    "outputs",
    Type::Sized(&OUTPUT_DECLARATIONS, up_to(1000)),
    "The memory keys that the graph promises to produce, each with a schema.",
);
static INPUT_DECLARATIONS: Type =
    Type::MapOf(&(Type::Symbol(Symbol::State, NameUse::Writes), Type::Object(&INPUT)));
static OUTPUT_DECLARATIONS: Type =
    Type::MapOf(&(Type::Symbol(Symbol::State, NameUse::Reads), Type::Object(&OUTPUT)));

static INPUT: Shape = Shape {
    name: "GraphInput",
    doc: "A memory key that a graph is given.",
    fields: &[
        SCHEMA,
        field(
            "required",
            Type::Boolean,
            "Whether a parent graph must map the key; a missing one fails the subgraph node at run time.",
        )
        .default("true"),
        field("description", Type::Text, "What the key holds."),
    ],
};

static OUTPUT: Shape = Shape {
    name: "GraphOutput",
    doc: "A memory key that a graph produces.",
    fields: &[SCHEMA, field("description", Type::Text, "What the key holds.")],
};

const SCHEMA: Field = field(
    "schema",
    Type::JsonSchema,
    "The key's JSON Schema. Release 1.4.0 enforces `type`, text `enum`, `properties`, `required` and `items` only.",
)
.required();

/// The key of the node that an edge leaves.
pub const EDGE_SOURCE: &str = "source";
/// The key of the node that an edge leads to.
pub const EDGE_TARGET: &str = "target";

static EDGE: Shape = Shape {
    name: "GraphEdge",
    doc: "A way from one node to another.",
    fields: &[
        field(
            "id",
            Type::Symbol(Symbol::Edge, NameUse::Declares),
            "The edge's id, for messages; unique in the graph. Without it each load makes up a UUID.",
        ),
        field(EDGE_SOURCE, A_NODE, "The node that the edge leaves.").required(),
        field(EDGE_TARGET, A_NODE, "The node that the edge leads to.").required(),
        field(
            "condition",
            Type::Object(&CONDITION),
            "When the edge is followed: a mapping with `type` and `condition`, not a bare expression.",
        )
        .default("{type: always}"),
        field("metadata", METADATA, "Anything; the engine does not read it."),
    ],
};

pub(super) const METADATA: Type = Type::MapOf(&(Type::Text, Type::Any));

static CONDITION: Shape = Shape {
    name: "EdgeCondition",
    doc: "When an edge is followed.",
    fields: &[
        field("type", Type::Word(scopes::CONDITION_TYPES), "Whether an expression decides.").required(),
        field(
            "condition",
            Type::Expression(filtrex::EDGE),
            "A filtrex expression over the run's state, for instance `memory.score > 0.8`. It must hold for the \
             edge to be followed; an error counts as false. Not even parsed where `type` is `always`.",
        )
        .beside("type", &["conditional"]),
        field(
            "value",
            Type::Any,
            "Known from the documentation; release 1.4.0 accepts it and never reads it.",
        )
        .origin(crate::table::FieldOrigin::Unheeded),
    ],
};
