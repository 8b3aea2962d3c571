//! What nodes and edges of an AgentOS graph ask of a host (agentos:2.10 to agentos:2.13).
//! The base runtime looks at none of it.

use super::CONSISTENCIES;
use super::guardrails::{A_GUARDRAIL, ACTIONS_ON_VIOLATION, REROUTE_ACTION};
use crate::table::{Field, NameUse, Shape, Symbol, Type, Word, field, integer_from, number, word};

/// The traits of the HEXACO model.
pub const TRAITS: &[&str] =
    &["honesty_humility", "emotionality", "extraversion", "agreeableness", "conscientiousness", "openness"];

pub(super) const CAPABILITIES: &[Word] = &[
    word("tool", "tools"),
    word("skill", "skills"),
    word("extension", "extensions"),
    word("any", "all of them"),
];

const MEMORY_TYPES: &[Word] = &[
    word("episodic", "what happened"),
    word("semantic", "what is known"),
    word("procedural", "how things are done"),
    word("prospective", "what is to be done"),
    word("relational", "who is who"),
];

const MEMORY_SCOPES: &[Word] = &[
    word("global", "of everybody"),
    word("persona", "of the persona"),
    word("session", "of the session"),
    word("conversation", "of the conversation"),
];

const DISCOVERY_FALLBACKS: &[Word] =
    &[word("all", "every capability"), word("error", "none; the node fails")];

static A_MEMORY_TYPE: Type = Type::Word(MEMORY_TYPES);

const CONSISTENCY: Field = field("consistency", Type::Word(CONSISTENCIES), "How the memory is isolated.");
const READ: Field = field("read", Type::Object(&MEMORY_READ), "What is fetched before the node runs.");
const WRITE: Field = field("write", Type::Object(&MEMORY_WRITE), "What is kept after it ran.");

pub(super) static MEMORY_POLICY: Shape = Shape {
    name: "MemoryPolicy",
    doc: "What a node reads from and writes to long-term memory.",
    fields: &[CONSISTENCY.required(), READ, WRITE],
};

/// The documentation's own workflows leave `consistency` out.
pub(super) static STEP_MEMORY: Shape = Shape {
    name: "StepMemory",
    doc: "What a step of a workflow reads from and writes to long-term memory.",
    fields: &[CONSISTENCY, READ, WRITE],
};

static MEMORY_READ: Shape = Shape {
    name: "MemoryRead",
    doc: "What is fetched from long-term memory.",
    fields: &[
        field("types", Type::List(&A_MEMORY_TYPE), "Which memories. Default: all.").unordered(),
        field("scope", Type::Word(MEMORY_SCOPES), "Whose memories."),
        field("maxTraces", integer_from(1), "The most memories.").range_class("agentos:I32"),
        field("minStrength", number(0.0, 1.0), "How strong a memory must be.").range_class("agentos:I32"),
        field(
            "semanticQuery",
            Type::Text,
            "What to look for; `{input.topic}` stands for a part of the input.",
        ),
    ],
};

static MEMORY_WRITE: Shape = Shape {
    name: "MemoryWrite",
    doc: "What is kept in long-term memory.",
    fields: &[
        field("autoEncode", Type::Boolean, "Keeps the output as a memory; needs `type`."),
        field("type", Type::Word(MEMORY_TYPES), "Which memory it becomes."),
        field("scope", Type::Word(MEMORY_SCOPES), "Whose memory it becomes."),
    ],
};

pub(super) static DISCOVERY_POLICY: Shape = Shape {
    name: "DiscoveryPolicy",
    doc: "How capabilities are found for a node.",
    fields: &[
        field("enabled", Type::Boolean, "Whether the policy is used. With `false`, the rest has no effect.")
            .required(),
        field("query", Type::Text, "What to look for."),
        field("kind", Type::Word(CAPABILITIES), "What kind of capability."),
        field("maxResults", integer_from(1), "The most capabilities.").range_class("agentos:I33"),
        field("fallback", Type::Word(DISCOVERY_FALLBACKS), "What the node gets when nothing is found."),
    ],
};

pub(super) static PERSONA_POLICY: Shape = Shape {
    name: "PersonaPolicy",
    doc: "Which persona a node has.",
    fields: &[
        field(
            "traits",
            Type::MapOf(&(Type::Symbol(Symbol::Trait, NameUse::Refers), number(0.0, 1.0))),
            "How strong each trait is, from 0 to 1. The names of the HEXACO model are understood.",
        )
        .range_class("agentos:I34"),
        field("mood", Type::Text, "The mood."),
        field("adaptStyle", Type::Boolean, "Whether to follow the other side's style."),
    ],
};

pub(super) static GUARDRAIL_POLICY: Shape = Shape {
    name: "GuardrailPolicy",
    doc: "Guardrails before and after a node, or on an edge. The base runtime evaluates none; a guardrail node does.",
    fields: &[
        field("input", Type::List(&A_GUARDRAIL), "Guardrails of what goes in."),
        field("output", Type::List(&A_GUARDRAIL), "Guardrails of what comes out."),
        field("onViolation", Type::Word(ACTIONS_ON_VIOLATION), "What a violation leads to.").required(),
        field(
            "rerouteTarget",
            Type::Symbol(Symbol::Node, NameUse::Refers),
            "Where a violation leads when it is rerouted.",
        )
        .needed_beside("onViolation", &[REROUTE_ACTION]),
    ],
};
