//! How the program around a graph is set up. Data only.

use crate::table::{NameUse, Shape, Symbol, Type, Word, field, integer_from, number, word};

/// What the release does counts.
pub const RELEASE: &str = "release";
/// What the documentation says counts.
pub const DOCUMENTED: &str = "documented";
/// The word for checkpoints that are copies.
pub const SNAPSHOT: &str = "snapshot";

static A_TEXT: Type = Type::Text;
static A_TOOL: Type = Type::Symbol(Symbol::Tool, NameUse::Refers);

pub(super) static HOST: Shape = Shape {
    name: "HostSetup",
    doc: "How the program around the graph is set up: what it registers, allows and plugs in.",
    fields: &[
        field(
            "profile",
            Type::Word(&[
                word("spec", "the specification"),
                word("0.1.1", "release 0.1.1: nodes jump to each other"),
                word("0.1.0", "release 0.1.0: nodes call each other and return"),
            ]),
            "Liman: the version that is followed. By default what `nodewise.toml` says.",
        ),
        field(
            "reading",
            Type::Word(&[
                word(RELEASE, "what the release does"),
                word(DOCUMENTED, "what the documentation says, where the release does something else"),
            ]),
            "AgentOS alone: what counts where release and documentation differ.",
        )
        .default(RELEASE),
        field("max_iterations", integer_from(0), "The most steps (Liman 50, cycgraph 50)."),
        field("max_tokens", number(0.0, f64::INFINITY), "cycgraph: the most tokens of the run."),
        field("max_cost", number(0.0, f64::INFINITY), "cycgraph: the most money of the run, in US dollars."),
        field(
            "max_time",
            super::answer::SPAN,
            "cycgraph: the longest time of the run, in milliseconds or as `5 min`.",
        ),
        field("run_id", Type::Text, "cycgraph: the id of the run."),
        field(
            "now",
            number(0.0, f64::INFINITY),
            "Liman: what time conditions have when the run begins, in seconds since 1970.",
        )
        .default("0"),
        field(
            "implicit_completion",
            Type::Boolean,
            "cycgraph: whether a node that leads nowhere completes the run.",
        )
        .default("false"),
        field("auto_rollback", Type::Boolean, "cycgraph: whether a failed run undoes its effects.")
            .default("false"),
        field("strict", Type::Boolean, "Liman: whether a missing credential is an error."),
        field(
            "accounts",
            Type::Boolean,
            "Liman: whether service accounts are registered; the releases skip them.",
        ),
        field(
            "tools",
            Type::List(&A_TOOL),
            "The tools that the program registers beside those that are scripted.",
        ),
        field("untrusted_tools", Type::List(&A_TOOL), "cycgraph: the tools whose results are tainted."),
        field(
            "agents",
            Type::MapOf(&(Type::Symbol(Symbol::Agent, NameUse::Refers), Type::Object(&AGENT))),
            "cycgraph: agents that the program registers in code, or other settings of declared ones.",
        ),
        field(
            "prices",
            Type::MapOf(&(Type::Symbol(Symbol::Model, NameUse::Refers), Type::Object(&PRICE))),
            "cycgraph: what models cost.",
        ),
        field(
            "without",
            Type::List(&Type::Word(&[
                word("gmi", "no model"),
                word("tools", "no tools"),
                word("extension", "no extensions"),
                word("guardrails", "no guardrails"),
                word("subgraph", "no other graphs"),
                word("voice", "no voice sessions"),
                word("discovery", "no search for capabilities"),
            ])),
            "AgentOS: the services that the program does not plug in.",
        ),
        field(
            "traits",
            Type::MapOf(&(Type::Symbol(Symbol::Trait, NameUse::Refers), number(0.0, 1.0))),
            "AgentOS: the traits of the persona.",
        ),
        field(
            "checkpoint_store",
            Type::Word(&[
                word("memory", "checkpoints share the run's values, as the release's own store does"),
                word(SNAPSHOT, "checkpoints are copies"),
            ]),
            "AgentOS: how checkpoints are kept.",
        )
        .default("memory"),
        field(
            "servers",
            Type::MapOf(&(Type::Symbol(Symbol::Server, NameUse::Refers), Type::Object(&SERVER))),
            "cycgraph: servers with agents of other systems that the program registers beside those that are scripted.",
        ),
        field(
            "mcp",
            Type::MapOf(&(Type::Symbol(Symbol::Server, NameUse::Refers), Type::List(&A_TOOL))),
            "cycgraph: the tools that servers have beside those that declarations name, where a node or an agent may use all \
             of a server's.",
        ),
        field(
            "policy",
            Type::MapOf(&(Type::Symbol(Symbol::Node, NameUse::Refers), Type::Word(POLICY_EFFECTS))),
            "cycgraph: what the security policy says about nodes.",
        ),
        field(
            "compensations",
            Type::MapOf(&(Type::Symbol(Symbol::Node, NameUse::Refers), Type::Any)),
            "cycgraph: what undoes the effect of nodes.",
        ),
    ],
};

const POLICY_EFFECTS: &[Word] = &[
    word("allow", "the node runs"),
    word("block", "the run fails"),
    word("require_approval", "a person must approve first"),
    word("monitor", "the node runs, and an event says so"),
];

static AGENT: Shape = Shape {
    name: "RegisteredAgent",
    doc: "An agent that the program registers.",
    fields: &[
        field("system_prompt", Type::Text, "The system prompt."),
        field("tools", Type::List(&A_TOOL), "The tools that it may call."),
        field("read_keys", Type::List(&A_TEXT), "The keys that it may read."),
        field("write_keys", Type::List(&A_TEXT), "The keys that it may write."),
        field("max_steps", integer_from(1), "The model calls of one visit at most."),
        field("temperature", number(0.0, 2.0), "The sampling temperature."),
        field("price", Type::Object(&PRICE), "What its model costs."),
    ],
};

static PRICE: Shape = Shape {
    name: "Price",
    doc: "What a model costs, in US dollars a million tokens.",
    fields: &[
        field("input", number(0.0, f64::INFINITY), "Tokens that it reads.").default("0"),
        field("output", number(0.0, f64::INFINITY), "Tokens that it writes.").default("0"),
    ],
};

static SERVER: Shape = Shape {
    name: "RegisteredServer",
    doc: "A server with agents of other systems.",
    fields: &[field("allowed_agents", Type::List(&A_TEXT), "The agents that may call it; by default all.")],
};
