//! Bundles and agents (cycgraph:2.14, cycgraph:2.15).

use super::node::{FILLED_TEXT, TOOLS_OF_AGENT};
use super::{GRAPH_STATIC, INPUTS, OUTPUTS};
use crate::table::{NameUse, ReviewTopic, Shape, Symbol, Type, at_least, field, integer_from, number, up_to};

pub(super) const BUNDLE_SHAPE: Shape = Shape {
    name: "Bundle",
    doc: "A graph with the agents and graphs that it needs, and a manifest that says what a host must provide.",
    fields: &[
        field("manifest", Type::Object(&MANIFEST), "What the bundle is, and what it needs.").required(),
        field("graph", Type::Object(&GRAPH_STATIC), "The main graph.").required(),
        field("agents", Type::Sized(&AGENTS, up_to(10_000)), "The agents.").unordered().default("[]"),
        field("graphs", Type::Sized(&GRAPHS, up_to(1000)), "The graphs that subgraph nodes run.")
            .unordered()
            .default("[]"),
    ],
};

static GRAPHS: Type = Type::List(&A_GRAPH);
static A_GRAPH: Type = Type::Object(&GRAPH_STATIC);
static AGENTS: Type = Type::List(&AN_AGENT);
static AN_AGENT: Type = Type::Object(&AGENT);
static AGENT: Shape = AGENT_SHAPE;

static MANIFEST: Shape = Shape {
    name: "Manifest",
    doc: "What a bundle is, and what it needs.",
    fields: &[
        field("name", FILLED_TEXT, "The bundle's name.").required(),
        field("version", FILLED_TEXT, "The bundle's version, as text: quote `\"1.0\"`.").required(),
        field("description", Type::Text, "What the bundle does."),
        field("source", Type::Text, "Where the bundle comes from."),
        INPUTS.default("{}"),
        OUTPUTS.default("{}"),
        field(
            "requires",
            Type::Object(&REQUIRES),
            "What the host must provide; what is used must stand here.",
        )
        .topic(ReviewTopic::Grant)
        .required(),
    ],
};

static REQUIRES: Shape = Shape {
    name: "Requirements",
    doc: "What a host must provide. Whatever nodes and agents of the bundle use must be listed.",
    fields: &[
        field("tools", Type::Sized(&TOOLS, up_to(10_000)), "The custom tools.").unordered().default("[]"),
        field("mcp_servers", Type::Sized(&SERVERS, up_to(10_000)), "The MCP servers.")
            .unordered()
            .default("[]"),
        field("models", Type::Sized(&MODELS, up_to(10_000)), "The models of the bundle's agents.")
            .unordered()
            .default("[]"),
    ],
};

static TOOLS: Type = Type::List(&A_TOOL);
static A_TOOL: Type = Type::Object(&REQUIRED_TOOL);
static SERVERS: Type = Type::List(&A_SERVER);
static A_SERVER: Type = Type::Object(&REQUIRED_SERVER);
static MODELS: Type = Type::List(&A_MODEL);
static A_MODEL: Type = Type::Symbol(Symbol::Model, NameUse::Declares);
static A_TOOL_NAME: Type = Type::Symbol(Symbol::Tool, NameUse::Declares);
static A_SERVER_ID: Type = Type::Symbol(Symbol::Server, NameUse::Declares);
static AN_AGENT_ID: Type = Type::Symbol(Symbol::Agent, NameUse::Declares);
static A_MODEL_NAME: Type = Type::Symbol(Symbol::Model, NameUse::Refers);

static REQUIRED_TOOL: Shape = Shape {
    name: "RequiredTool",
    doc: "A custom tool that the host must register.",
    fields: &[
        field("name", Type::Sized(&A_TOOL_NAME, at_least(1)), "The tool's name.").required(),
        field("input_schema", Type::JsonSchema, "The JSON Schema of its arguments."),
        field("taints", Type::Boolean, "Whether its results are not to be trusted."),
    ],
};

static REQUIRED_SERVER: Shape = Shape {
    name: "RequiredServer",
    doc: "An MCP server that the host must register.",
    fields: &[
        field("id", Type::Sized(&A_SERVER_ID, at_least(1)), "The server's id.").required(),
        field("description", Type::Text, "What the server is used for."),
    ],
};

pub(super) const AGENT_SHAPE: Shape = Shape {
    name: "Agent",
    doc: "An agent: a model with a system prompt and tools.",
    fields: &[
        field("id", Type::Sized(&AN_AGENT_ID, at_least(1)), "The agent's id, which `agent_id` refers to.")
            .required(),
        field("name", Type::Text, "The agent's name, for people.").label().required(),
        field("description", Type::Text, "What the agent does.").nullable(),
        field("model", Type::Sized(&A_MODEL_NAME, at_least(1)), "The model's id.").required(),
        field("provider", FILLED_TEXT, "Whose model it is, as the host has registered it.")
            .topic(ReviewTopic::Model)
            .required(),
        field("system_prompt", Type::Text, "The first instructions for the model.")
            .topic(ReviewTopic::Prompt)
            .required(),
        field("temperature", number(0.0, 1.0), "The sampling temperature; 0.7 if not given.")
            .topic(ReviewTopic::Model),
        field(
            "max_steps",
            integer_from(1),
            "The model calls of one visit at most; the engine takes 10, at most 50.",
        )
        .topic(ReviewTopic::Budget),
        TOOLS_OF_AGENT,
        field(
            "provider_options",
            Type::MapOf(&(Type::Text, super::METADATA)),
            "Options that are handed to the provider, one mapping each.",
        )
        .topic(ReviewTopic::Model)
        .nullable(),
        field("model_preference", Type::Text, "`high`, `medium` or `low`, where the host chooses the model.")
            .topic(ReviewTopic::Model),
        field(
            "permissions",
            Type::Object(&PERMISSIONS),
            "The keys that the agent may read and write at most, whatever its nodes grant.",
        )
        .topic(ReviewTopic::Grant)
        .nullable(),
    ],
};

const READ_CEILING: Type = Type::Lenient(&READ_KEYS);
static READ_KEYS: Type = Type::List(&A_READ_KEY);
static A_READ_KEY: Type = Type::Symbol(Symbol::State, NameUse::Reads);
const WRITE_CEILING: Type = Type::Lenient(&WRITE_KEYS);
static WRITE_KEYS: Type = Type::List(&A_WRITTEN_KEY);
static A_WRITTEN_KEY: Type = Type::Symbol(Symbol::State, NameUse::Writes);

static PERMISSIONS: Shape = Shape {
    name: "Permissions",
    doc: "The keys that an agent may read and write at most. Release 1.4.0 accepts any mapping here.",
    fields: &[
        field("read_keys", READ_CEILING, "The keys that the agent may read: a list; without it no limit.")
            .unordered(),
        field(
            "write_keys",
            WRITE_CEILING,
            "The keys that the agent may write: a list; an empty one denies all.",
        )
        .unordered(),
    ],
};
