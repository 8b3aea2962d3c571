//! A node's own fields: access to the memory, tools, failure, budget, memory queries
//! (cycgraph:2.3). What runs when it is visited stands in the blocks of the other files.

use super::keys::{A_READ_KEY, A_WRITE};
use super::scopes::{AGENT, GRAPH};
use super::{METADATA, agent_work, flow, judging};
use crate::table::{
    Case, Discriminator, Field, FieldOrigin, Form, LengthBounds, NameUse, ReviewTopic, Shape, ShortForms,
    ShortKey, Symbol, Type, Variant, Word, at_least, field, integer, integer_from, number_above, up_to, word,
};

/// The type of a node that runs an agent.
pub const AGENT_NODE: &str = "agent";
/// The type of a node that calls a tool.
pub const TOOL_NODE: &str = "tool";
/// The type of a node that runs another graph.
pub const SUBGRAPH: &str = "subgraph";
/// The type of a node that merges results.
pub const SYNTHESIZER: &str = "synthesizer";
/// The type of a node whose edges alone decide.
pub const ROUTER: &str = "router";
/// The type of a node that lets a model choose the next node.
pub const SUPERVISOR: &str = "supervisor";
/// The type of a node that runs a worker for each item.
pub const MAP: &str = "map";
/// The type of a node that lets agents vote.
pub const VOTING: &str = "voting";
/// The type of a node that waits for a person.
pub const APPROVAL: &str = "approval";
/// The type of a node that breeds answers over generations.
pub const EVOLUTION: &str = "evolution";
/// The type of a node that judges a key of the memory.
pub const VERIFIER: &str = "verifier";
/// The type of a node that keeps facts for later runs.
pub const REFLECTION: &str = "reflection";
/// The type of a node that calls a remote agent.
pub const A2A: &str = "a2a";

/// The types of nodes.
pub const NODE_TYPES: &[Word] = &[
    word(AGENT_NODE, "runs an agent: a language model with tools"),
    word(TOOL_NODE, "calls one tool, without a model"),
    word(SUBGRAPH, "runs another graph with a memory of its own"),
    word(SYNTHESIZER, "merges results, with an agent or by joining lists"),
    word(ROUTER, "does nothing itself; its edges decide what comes next"),
    word(SUPERVISOR, "lets a model choose the next node among those it manages"),
    word(MAP, "runs a worker node once for each item, in parallel"),
    word(VOTING, "lets several agents vote and takes their consensus"),
    word(APPROVAL, "pauses the run until a person has decided"),
    word(EVOLUTION, "breeds candidates over generations and takes the fittest"),
    word(VERIFIER, "judges a key of the memory and writes whether it passed"),
    word(REFLECTION, "distils keys of the memory to facts and keeps them for later runs"),
    word(A2A, "calls an agent of another system over the a2a protocol"),
];

/// The types that no other system's documents are likely to have.
pub(super) const TELLING_NODE_TYPES: &[Word] = &[
    word(SYNTHESIZER, ""),
    word(SUPERVISOR, ""),
    word(EVOLUTION, ""),
    word(VERIFIER, ""),
    word(REFLECTION, ""),
    word(A2A, ""),
];

/// The tools that the engine has.
pub const BUILTIN_TOOLS: &[Word] = &[
    word("save_to_memory", "writes a key of the memory"),
    word("architect_draft_workflow", "drafts a graph"),
    word("architect_publish_workflow", "publishes a drafted graph"),
    word("architect_get_workflow", "reads a published graph"),
];

/// The keys that a node may read or write, at most this many.
const KEYS_MAX: LengthBounds = up_to(1000);

static READ_KEYS: Type = Type::List(&A_READ_KEY);
static WRITE_KEYS: Type = Type::List(&A_WRITE_KEY);
static A_WRITE_KEY: Type = A_WRITE;
static TOOL_SOURCES: Type = Type::List(&A_TOOL_SOURCE);

/// The key of the memory keys that a node may read.
pub const GRANTED_READS: &str = "read_keys";
/// The key of the memory keys that a node may write.
pub const GRANTED_WRITES: &str = "write_keys";

pub(super) const NODE_SHAPE: Shape = Shape {
    name: "GraphNode",
    doc: "A step of a graph: what runs, what it may read and write, what happens when it fails.",
    fields: &[
        field("id", Type::Symbol(Symbol::Node, NameUse::Declares), "The node's id, unique in its graph.").required(),
        field("type", Type::Word(NODE_TYPES), "What runs when the node is visited.").required(),
        field(
            "agent_id",
            Type::Reference(&AGENT),
            "The agent. An `agent` node needs it; a `supervisor` falls back to it; a `synthesizer` merges with it; a \
             `tool` or `a2a` node shows it to access lists. Other types ignore it.",
        ).topic(ReviewTopic::Grant)
        .beside("type", &[AGENT_NODE, SUPERVISOR, SYNTHESIZER, TOOL_NODE, A2A])
        .needed_beside("type", &[AGENT_NODE]),
        field(
            "tools",
            TOOLS_OF_NODE,
            "Where tools come from. On a plain `agent` node it replaces the agent's own tools, on a `tool` node it \
             says where `tool_id` is found; every other use ignores it. An empty list means no tools.",
        ).topic(ReviewTopic::Grant).unordered()
        .beside("type", &[AGENT_NODE, TOOL_NODE]),
        field(
            "tool_id",
            Type::Symbol(Symbol::Tool, NameUse::Refers),
            "The tool that a `tool` node calls; one of `tools` must provide it. Its arguments are the keys that the \
             node reads, its result goes to `<id>_result`.",
        )
        .beside("type", &[TOOL_NODE])
        .needed_beside("type", &[TOOL_NODE]),
        field(
            "subgraph_id",
            Type::Reference(&GRAPH),
            "Known from the documentation; release 1.4.0 reads `subgraph_config.subgraph_id` only.",
        )
        .origin(FieldOrigin::Unheeded),
        field("subgraph_config", Type::Object(&flow::SUBGRAPH), "The graph to run, for a `subgraph` node.")
        .beside("type", &[SUBGRAPH])
        .needed_beside("type", &[SUBGRAPH]),
        field("a2a_config", Type::Object(&flow::A2A), "The remote agent to call, for an `a2a` node.")
        .beside("type", &[A2A])
        .needed_beside("type", &[A2A]),
        field(
            "supervisor_config",
            Type::Object(&flow::SUPERVISOR),
            "Which nodes a `supervisor` chooses from, and how often.",
        )
        .beside("type", &[SUPERVISOR])
        .needed_beside("type", &[SUPERVISOR]),
        field("approval_config", Type::Object(&flow::APPROVAL), "What a person sees at an `approval` node.")
        .beside("type", &[APPROVAL])
        .needed_beside("type", &[APPROVAL]),
        field(
            "annealing_config",
            Type::Object(&agent_work::ANNEALING),
            "Repeats an `agent` node at falling temperature until its answer is good enough. Beats `swarm_config`.",
        )
        .beside("type", &[AGENT_NODE]),
        field("map_reduce_config", Type::Object(&flow::MAP), "The items and the worker of a `map` node.")
        .beside("type", &[MAP])
        .needed_beside("type", &[MAP]),
        field("voting_config", Type::Object(&judging::VOTING), "Who votes at a `voting` node, and how votes count.")
        .beside("type", &[VOTING])
        .needed_beside("type", &[VOTING]),
        field(
            "swarm_config",
            Type::Object(&agent_work::SWARM),
            "Lets an `agent` node hand the run to a peer by writing `peer_delegation`.",
        )
        .beside("type", &[AGENT_NODE]),
        field(
            "evolution_config",
            Type::Object(&agent_work::EVOLUTION),
            "How an `evolution` node breeds and judges candidates.",
        )
        .beside("type", &[EVOLUTION])
        .needed_beside("type", &[EVOLUTION]),
        field(
            "verifier_config",
            Type::Variant(&judging::VERIFIER),
            "What a `verifier` node judges, and how: by a model, an expression or a JSONPath.",
        )
        .beside("type", &[VERIFIER])
        .needed_beside("type", &[VERIFIER]),
        field(
            "reflection_config",
            Type::Object(&judging::REFLECTION),
            "What a `reflection` node distils to facts, and how.",
        )
        .beside("type", &[REFLECTION])
        .needed_beside("type", &[REFLECTION]),
        field(
            "memory_query",
            Type::Object(&MEMORY_QUERY),
            "Facts to fetch from long-term memory before an agent or supervisor runs.",
        ).topic(ReviewTopic::Policy)
        .beside("type", &[AGENT_NODE, SUPERVISOR]),
        field(
            GRANTED_READS,
            Type::Sized(&READ_KEYS, KEYS_MAX),
            "The memory keys that the node sees; `*` is all, dots pick parts (`user.name`). Keys that begin with `_` \
             are never seen. `goal` and `constraints` need no entry.",
        ).unordered()
        .default("[]"),
        field(
            GRANTED_WRITES,
            Type::Sized(&WRITE_KEYS, KEYS_MAX),
            "The memory keys that the node's agent may write; `*` is all. Results that the engine itself writes \
             (`<id>_result` and the like) need no entry.",
        ).unordered()
        .default("[]"),
        field(
            "default_write_key",
            A_WRITE,
            "The key that takes the agent's plain text, where several may be written; one of `write_keys`.",
        ),
        field("failure_policy", Type::Object(&FAILURE_POLICY), "What happens when the node fails.").topic(ReviewTopic::Policy)
            .default("{max_retries: 3, backoff_strategy: exponential, initial_backoff_ms: 1000, max_backoff_ms: 60000}"),
        field("budget", Type::Object(&BUDGET), "What one visit of the node may cost; more fails the run.").topic(ReviewTopic::Budget),
        field(
            "requires_compensation",
            Type::Boolean,
            "Whether the node's effects are undone when the run fails. Works only where the host's middleware \
             attaches a compensation to the node's action.",
        ).topic(ReviewTopic::Policy)
        .default("false"),
        field("metadata", METADATA, "Anything; the engine does not read it."),
    ],
};

const TOOLS_OF_NODE: Type = Type::List(&A_SHORT_TOOL_SOURCE);

/// A source in any form: graphs accept short ones.
static A_SHORT_TOOL_SOURCE: Type = Type::OneOf(&[
    Form { when: Discriminator::Text, ty: Type::Slug(Symbol::Tool) },
    Form { when: Discriminator::HasKey("mcp"), ty: Type::Object(&SHORT_SERVER) },
    Form { when: Discriminator::Otherwise, ty: Type::Variant(&TOOL_SOURCE) },
]);
/// A source in its full form: agents of bundles accept no other.
static A_TOOL_SOURCE: Type = Type::Variant(&TOOL_SOURCE);
/// An agent's sources.
pub(super) const TOOLS_OF_AGENT: Field = field(
    "tools",
    Type::Sized(&TOOL_SOURCES, up_to(1000)),
    "Where the agent's tools come from, in full form only.",
)
.topic(ReviewTopic::Grant)
.unordered()
.default("[]");

static SHORT_SERVER: Shape = Shape {
    name: "ShortToolSource",
    doc: "A server of tools in short form.",
    fields: &[
        field("mcp", Type::Slug(Symbol::Server), "The id of the MCP server.").required(),
        field("tools", TOOL_NAMES, "The tools that are used; without it all of the server's.")
            .topic(ReviewTopic::Grant)
            .unordered(),
        field("tool_names", TOOL_NAMES, "The same as `tools`, which wins.").unordered(),
        field("type", Type::Any, "Not looked at beside `mcp`."),
        field("server_id", Type::Any, "Not looked at beside `mcp`."),
        field("name", Type::Any, "Not looked at beside `mcp`."),
    ],
};

const TOOL_NAMES: Type = Type::List(&A_TOOL_NAME);
static A_TOOL_NAME: Type = Type::Symbol(Symbol::Tool, NameUse::Refers);

const BUILTIN: Word = word("builtin", "a tool of the engine");
const MCP: Word = word("mcp", "tools of an MCP server");
const CUSTOM: Word = word("custom", "a tool that the host registers");
const SOURCES: &[Word] = &[BUILTIN, MCP, CUSTOM];
const SOURCE_TYPE: Field = field("type", Type::Word(SOURCES), "Where the tool comes from.").required();

/// A text is the tool of the engine that has the name, or else one that the host registers.
static SHORT_TOOL_SOURCES: ShortForms = ShortForms {
    text: "name",
    other: CUSTOM.text,
    keys: &[ShortKey {
        key: "mcp",
        case: MCP.text,
        field: "server_id",
        others: &[("tools", "tool_names"), ("tool_names", "tool_names")],
    }],
};

static TOOL_SOURCE: Variant = Variant {
    name: "ToolSource",
    doc: "Where tools come from.",
    key: "type",
    short: Some(&SHORT_TOOL_SOURCES),
    cases: &[
        Case {
            word: BUILTIN,
            shape: Shape {
                name: "BuiltinTool",
                doc: "A tool that the engine has.",
                fields: &[SOURCE_TYPE, field("name", Type::Word(BUILTIN_TOOLS), "Which one.").required()],
            },
        },
        Case {
            word: MCP,
            shape: Shape {
                name: "McpTools",
                doc: "Tools of an MCP server that the host has registered.",
                fields: &[
                    SOURCE_TYPE,
                    field(
                        "server_id",
                        Type::Slug(Symbol::Server),
                        "The id of the server: letters, digits, `-` and `_`.",
                    )
                    .required(),
                    field(
                        "tool_names",
                        TOOL_NAMES,
                        "The tools that are used; without it all of the server's.",
                    )
                    .unordered(),
                ],
            },
        },
        Case {
            word: CUSTOM,
            shape: Shape {
                name: "CustomTool",
                doc: "A tool that the host registers in code.",
                fields: &[
                    SOURCE_TYPE,
                    field("name", Type::Slug(Symbol::Tool), "The tool's name: letters, digits, `-` and `_`.")
                        .required(),
                ],
            },
        },
    ],
};

pub(crate) static FAILURE_POLICY: Shape = Shape {
    name: "FailurePolicy",
    doc: "What happens when a node fails.",
    fields: &[
        field(
            "max_retries",
            integer(0, 10),
            "How often the node is tried in all, not how often again: 0 and 1 both mean one try.",
        )
        .default("3"),
        field("backoff_strategy", Type::Word(BACKOFFS), "How the wait between tries grows.")
            .default("exponential"),
        field(
            "initial_backoff_ms",
            integer(0, 600_000),
            "The first wait, in milliseconds; at most 10 minutes.",
        )
        .default("1000"),
        field("max_backoff_ms", integer(0, 3_600_000), "The longest wait, in milliseconds; at most an hour.")
            .default("60000"),
        field(
            "timeout_ms",
            integer(1, 86_400_000),
            "How long all tries together may take, waits included, in milliseconds; at most a day. For agents it \
             also replaces the 120 seconds of one call.",
        ),
        field(
            "circuit_breaker",
            Type::Object(&CIRCUIT_BREAKER),
            "Stops trying a node that keeps failing, for a while. Counts within one run only.",
        ),
    ],
};

const BACKOFFS: &[Word] = &[
    word("linear", "the first wait, then twice, three times as long"),
    word("exponential", "each wait twice as long as the one before"),
    word("fixed", "each wait as long as the first"),
];

pub(crate) static CIRCUIT_BREAKER: Shape = Shape {
    name: "CircuitBreaker",
    doc: "When a node that keeps failing is not tried any more. A success sets the count of failures to 0, and a \
          node that used up its tries fails the run, so it matters only where `failure_threshold` is below the tries.",
    fields: &[
        field("enabled", Type::Boolean, "Whether the breaker works.").default("false"),
        field("failure_threshold", integer(1, 1000), "The failures in a row that open it.").default("5"),
        field("success_threshold", integer(1, 1000), "The successes in a row that close it again.").default("2"),
        field(
            "timeout_ms",
            integer(0, 3_600_000),
            "How long it stays open before a probe, in milliseconds: a cool-down, not a time limit of the probe.",
        )
        .default("60000"),
    ],
};

static BUDGET: Shape = Shape {
    name: "NodeBudget",
    doc: "What one visit of a node may cost. It is checked after the work is done and written.",
    fields: &[
        field("max_tokens", integer_from(1), "The most tokens; more fails the run without another try."),
        field(
            "max_cost_usd",
            number_above(0.0),
            "The most money in US dollars; models without a known price cost 0.",
        ),
    ],
};

static MEMORY_QUERY: Shape = Shape {
    name: "MemoryQuery",
    doc: "Facts to fetch from long-term memory. Without `text`, `entity_ids` and `tags` the goal is looked for.",
    fields: &[
        field("text", Type::Text, "What to look for, in plain words."),
        field("entity_ids", Type::List(&A_TEXT), "The entities that the facts are about.").unordered(),
        field("tags", Type::List(&A_TAG), "The tags of which a fact must have one.").unordered(),
        field("max_facts", integer(1, 100), "The most facts."),
        field("untrusted", Type::Boolean, "Whether facts that are found taint what the node writes."),
    ],
};

pub(super) static A_TEXT: Type = Type::Text;
static A_TAG: Type = Type::Symbol(Symbol::Tag, NameUse::Reads);
/// A text that is not empty.
pub(super) const FILLED_TEXT: Type = Type::Sized(&A_TEXT, at_least(1));
