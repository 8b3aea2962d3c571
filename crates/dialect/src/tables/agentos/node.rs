//! Nodes of an AgentOS graph (agentos:2.2, agentos:2.8, agentos:2.9).

use super::executor::NODE_TYPES;
use super::policy::{DISCOVERY_POLICY, GUARDRAIL_POLICY, MEMORY_POLICY, PERSONA_POLICY};
use super::voice::EXIT_REASONS;
use super::work::EXECUTOR;
use crate::table::{
    NameUse, ReviewTopic, Shape, Symbol, Type, Word, at_least, field, integer_from, number, number_above,
    word,
};

pub(super) static A_NODE: Type = Type::Object(&NODE_SHAPE_REF);

static NODE_SHAPE_REF: Shape = NODE_SHAPE;

static A_TEXT: Type = Type::Text;

static SOME_TEXTS: Type = Type::List(&A_TEXT);

/// The effect of asking a person.
pub const HUMAN_EFFECT: &str = "human";
/// The effect of a node that does nothing outside of the run.
pub const PURE_EFFECT: &str = "pure";
/// The effect of a node that only reads.
pub const READ_EFFECT: &str = "read";

/// The effect that builders write for a voice session.
pub const VOICE_EFFECT: &str = "external";

/// The execution mode that builders write for a voice session.
pub const VOICE_MODE: &str = "react_bounded";

/// The words for side effects.
pub const EFFECTS: &[Word] = &[
    word(PURE_EFFECT, "none; run again on resume"),
    word(READ_EFFECT, "reads only; run again on resume"),
    word("write", "writes; replayed on resume, even after a failure"),
    word(VOICE_EFFECT, "acts on the world; replayed on resume, even after a failure"),
    word(HUMAN_EFFECT, "a person's decision; replayed on resume"),
];

const EXECUTION_MODES: &[Word] = &[
    word("single_turn", "one call of the model"),
    word(VOICE_MODE, "a loop of calls and tools, up to `maxInternalIterations`"),
    word("planner_controlled", "a planner decides"),
];

/// The word of a node that saves no checkpoint.
const NO_CHECKPOINT: &str = "none";

const CHECKPOINTS: &[Word] = &[
    word("before", "before the node runs"),
    word("after", "after it ran and routed"),
    word("both", "before and after"),
    word(NO_CHECKPOINT, "only on interrupts and failures"),
];

const BACKOFFS: &[Word] = &[
    word("fixed", "`backoffMs` each time"),
    word("linear", "`backoffMs` times the number of the retry"),
    word("exponential", "`backoffMs` doubled with each retry"),
];

pub(super) static RETRY_POLICY: Shape = Shape {
    name: "RetryPolicy",
    doc: "How often a failed node is tried again. Interrupts are never tried again.",
    fields: &[
        field("maxAttempts", integer_from(1), "Attempts in all, the first included; 1 is no retry.")
            .required()
            .range_class("agentos:I31"),
        field("backoff", Type::Word(BACKOFFS), "How the wait grows.").required(),
        field(
            "backoffMs",
            number(0.0, f64::INFINITY),
            "The first wait in milliseconds; 0 waits 1 millisecond.",
        )
        .required()
        .range_class("agentos:I31"),
        field(
            "retryOn",
            Type::Sized(&SOME_TEXTS, at_least(1)),
            "Retries only errors whose text holds one of these, in any case. Every error when absent or empty.",
        ).unordered()
        .range_class("agentos:I31")
        .tolerated_as("agentos:I31"),
    ],
};

static MODEL_OVERRIDE: Shape = Shape {
    name: "NodeLlmConfig",
    doc: "The model that a host should use for the node. The base runtime ignores it.",
    fields: &[
        field("providerId", Type::Text, "Whose model it is, for instance `anthropic`.").required(),
        field("model", Type::Symbol(Symbol::Model, NameUse::Refers), "The model.").required(),
        field("reason", Type::Text, "Why, for audits."),
    ],
};

/// The key of a node's free notes.
pub const NODE_NOTES: &str = "metadata";
/// The key, among the notes, of the name under which a node leaves its output.
pub const OUTPUT_NAME: &str = "outputAs";

static METADATA: Shape = Shape {
    name: "NodeMetadata",
    doc: "Free notes. Only `outputAs` means something to the runtime.",
    fields: &[field(
        OUTPUT_NAME,
        Type::Sized(&AN_ARTIFACT, at_least(1)),
        "The key under which the output is kept in artifacts. Default: the node's id.",
    )
    .range_class("agentos:I35")
    .tolerated_as("agentos:I35")],
};

static AN_ARTIFACT: Type = Type::Symbol(Symbol::Artifact, NameUse::Writes);

pub(super) const NODE_SHAPE: Shape = Shape {
    name: "GraphNode",
    doc: "A step of the graph. It runs at most once a run, as soon as all its predecessors ran or were skipped.",
    fields: &[
        field(
            "id",
            Type::Symbol(Symbol::Node, NameUse::Declares),
            "The node's id, unique in the graph. Its output is kept in artifacts under it, unless `outputAs` says otherwise.",
        )
        .required(),
        field(
            "type",
            Type::Word(NODE_TYPES),
            "What the node runs; the same word as in `executorConfig`, which decides.",
        )
        .required(),
        field("executorConfig", Type::Variant(&EXECUTOR), "How to run it.").required(),
        field(
            "executionMode",
            Type::Word(EXECUTION_MODES),
            "How a model node takes its turns. The base runtime ignores it.",
        ).topic(ReviewTopic::Model)
        .required(),
        field(
            "effectClass",
            Type::Word(EFFECTS),
            "What side effects it has. On resume `write`, `external` and `human` are replayed, without routing; the rest runs again.",
        ).topic(ReviewTopic::Policy)
        .required(),
        field(
            "timeout",
            number_above(0.0),
            "The most milliseconds an attempt may take; 0 is no limit, a negative number about 1 millisecond.",
        ).topic(ReviewTopic::Policy)
        .range_class("agentos:I30"),
        field("retryPolicy", Type::Object(&RETRY_POLICY), "How often it is tried again. Default: never.").topic(ReviewTopic::Policy),
        field("checkpoint", Type::Word(CHECKPOINTS), "When it saves a checkpoint, whatever the graph's policy.").topic(ReviewTopic::Policy)
            .required(),
        field(
            "inputSchema",
            Type::JsonSchema,
            "What the node takes, for readers. The base runtime checks nothing.",
        ),
        field(
            "outputSchema",
            Type::JsonSchema,
            "What the node yields, for readers. The base runtime checks nothing.",
        ),
        field(
            "complexity",
            number(0.0, 1.0),
            "How hard it is, for planners: below 0.3 a cheap model, from 0.7 a strong one. The base runtime ignores it.",
        )
        .range_class("agentos:I29"),
        field("llm", Type::Object(&MODEL_OVERRIDE), "Another model for this node. The base runtime ignores it.").topic(ReviewTopic::Model),
        field(
            "memoryPolicy",
            Type::Object(&MEMORY_POLICY),
            "What it reads from and writes to long-term memory. The base runtime ignores it.",
        ).topic(ReviewTopic::Policy),
        field(
            "discoveryPolicy",
            Type::Object(&DISCOVERY_POLICY),
            "How capabilities are found for it. The base runtime ignores it.",
        ).topic(ReviewTopic::Policy),
        field(
            "personaPolicy",
            Type::Object(&PERSONA_POLICY),
            "Which persona it has. The base runtime ignores it.",
        ).topic(ReviewTopic::Policy),
        field(
            "guardrailPolicy",
            Type::Object(&GUARDRAIL_POLICY),
            "Guardrails before and after it. The base runtime ignores it; a guardrail node is evaluated.",
        ).topic(ReviewTopic::Policy),
        field(NODE_NOTES, Type::Open(&METADATA), "Free notes, and `outputAs`."),
        field(
            "edges",
            Type::MapOf(&(Type::Suggested(EXIT_REASONS), Type::Symbol(Symbol::Node, NameUse::Refers))),
            "Voice nodes only: where each exit reason leads. It makes no edges: draw them in the graph's `edges` too.",
        ),
    ],
};
