//! What nodes of an AgentOS graph run: one case for each type of node (agentos:2.3, agentos:2.7).

use super::GRAPH;
use super::executor::TYPE;
use super::guardrails::A_GUARDRAIL;
use super::guardrails::ACTIONS_ON_VIOLATION;
use super::guardrails::REROUTE_ACTION;
use super::human::HUMAN_FIELDS;
use super::voice::VOICE_CONFIG;
use crate::table::{
    Case, FieldOrigin, NameUse, ReviewTopic, Shape, Symbol, Type, Variant, Word, at_least, field,
    integer_from, number, word,
};
use nodewise_expr::agentos;

/// The settings of a node by its type.
pub(super) static EXECUTOR: Variant = Variant {
    name: "ExecutorConfig",
    doc: "How a node runs. Its `type` decides, whatever the node's own says.",
    key: "type",
    short: None,
    cases: &[
        Case {
            word: word("gmi", "calls a language model"),
            shape: Shape {
                name: "GmiConfig",
                doc: "A call of a language model, with tools in a loop.",
                fields: &[
                    TYPE,
                    field("instructions", Type::Text, "The instructions for the model.").topic(ReviewTopic::Prompt).required(),
                    field(
                        "maxInternalIterations",
                        integer_from(1),
                        "The most rounds of model and tools, in every execution mode. At the limit the node still succeeds.",
                    ).topic(ReviewTopic::Budget)
                    .default("10")
                    .range_class("agentos:I28"),
                    field("parallelTools", Type::Boolean, "Runs the tools of one round at once.").default("false"),
                    field(
                        "temperature",
                        number(0.0, 2.0),
                        "How much chance there is in the answer. The base runtime does not hand it to the model.",
                    ).topic(ReviewTopic::Model)
                    .range_class("agentos:I28")
                    .origin(FieldOrigin::Unheeded),
                    field(
                        "maxTokens",
                        integer_from(1),
                        "The longest answer. The base runtime does not hand it to the model.",
                    ).topic(ReviewTopic::Budget)
                    .range_class("agentos:I28")
                    .origin(FieldOrigin::Unheeded),
                ],
            },
        },
        Case {
            word: word("tool", "calls a tool"),
            shape: Shape {
                name: "ToolConfig",
                doc: "A call of a tool. Its result is kept in artifacts, never in scratch.",
                fields: &[
                    TYPE,
                    field("toolName", Type::Symbol(Symbol::Tool, NameUse::Refers), "The tool.").required(),
                    field(
                        "args",
                        Type::MapOf(&(Type::Text, Type::Any)),
                        "What the tool is called with, as it is: no state is merged in.",
                    )
                    .default("{}"),
                ],
            },
        },
        Case {
            word: word("extension", "calls a method of an extension"),
            shape: Shape {
                name: "ExtensionConfig",
                doc: "A call of a method of an extension. A mapping that it returns is also written to scratch, key by key.",
                fields: &[
                    TYPE,
                    field("extensionId", Type::Symbol(Symbol::Extension, NameUse::Refers), "The extension.").required(),
                    field("method", Type::Text, "The method; it is given `{input, scratch}`.").required(),
                ],
            },
        },
        Case {
            word: word("human", "asks a person"),
            shape: Shape {
                name: "HumanConfig",
                doc: "A question for a person. The run is interrupted until a host resumes it, unless the answer is automated.",
                fields: HUMAN_FIELDS,
            },
        },
        Case {
            word: word("guardrail", "lets guardrails look at scratch"),
            shape: Shape {
                name: "GuardrailConfig",
                doc: "Guardrails that look at scratch. A violation halts the run, unless it is rerouted.",
                fields: &[
                    TYPE,
                    field(
                        "guardrailIds",
                        Type::Sized(&SOME_GUARDRAILS, at_least(1)),
                        "The guardrails, evaluated in this order as one call.",
                    )
                    .required()
                    .range_class("agentos:I19"),
                    field("onViolation", Type::Word(ACTIONS_ON_VIOLATION), "What a violation leads to.").required(),
                    field(
                        "rerouteTarget",
                        Type::Symbol(Symbol::Node, NameUse::Refers),
                        "Where a violation leads when it is rerouted; draw an edge to it too.",
                    )
                    .needed_beside("onViolation", &[REROUTE_ACTION]),
                ],
            },
        },
        Case {
            word: word("router", "names the node that comes next"),
            shape: Shape {
                name: "RouterConfig",
                doc: "A choice by name: the text that the condition yields is the id of the node that comes next.",
                fields: &[
                    TYPE,
                    field("condition", Type::Variant(&CONDITION), "What yields the name.")
                        .required()
                        .refused_as("agentos:I20"),
                ],
            },
        },
        Case {
            word: word("subgraph", "runs another graph"),
            shape: Shape {
                name: "SubgraphConfig",
                doc: "A run of another graph with a state of its own. It counts as a success even when the other graph fails.",
                fields: &[
                    TYPE,
                    field("graphId", Type::Reference(&GRAPH), "The id of the graph.").required(),
                    field(
                        "inputMapping",
                        Type::MapOf(&(
                            Type::Symbol(Symbol::State, NameUse::Reads),
                            Type::Symbol(Symbol::ForeignState, NameUse::Writes),
                        )),
                        "From a path in this graph's scratch to a path in the other's input; neither has a prefix.",
                    ),
                    field(
                        "outputMapping",
                        Type::MapOf(&(
                            Type::Symbol(Symbol::ForeignState, NameUse::Reads),
                            Type::Symbol(Symbol::State, NameUse::Writes),
                        )),
                        "From a path in the other's artifacts to a path in this graph's scratch; neither has a prefix.",
                    ),
                ],
            },
        },
        Case {
            word: word("voice", "holds a voice session"),
            shape: Shape {
                name: "VoiceConfig",
                doc: "A voice session over the transport that a host keeps in scratch.",
                fields: &[TYPE, field("voiceConfig", Type::Object(&VOICE_CONFIG), "The session.").required()],
            },
        },
    ],
};

/// What decides an edge, or where a router leads.
pub(super) static CONDITION: Variant = Variant {
    name: "GraphCondition",
    doc: "An expression. A function can stand here in a program only.",
    key: "type",
    short: None,
    cases: &[
        Case {
            word: word("expression", "an expression"),
            shape: Shape {
                name: "ExpressionCondition",
                doc: "A routing expression. An edge is followed on `true` or its own target's id; a router takes the text as a node id.",
                fields: &[
                    field("type", Type::Word(CONDITION_TYPES), "`expression`.").required(),
                    field(
                        "expr",
                        Type::Expression(agentos::ROUTING),
                        "The expression: references, literals, one comparison a part, `&&`, `||`, one ternary. No `!`, no brackets.",
                    )
                    .required(),
                ],
            },
        },
        Case {
            word: word("function", "a function of a program"),
            shape: Shape {
                name: "FunctionCondition",
                doc: "A function. It gets lost when a graph is written down, and the run then fails.",
                fields: &[
                    field("type", Type::Word(CONDITION_TYPES), "`function`.").required(),
                    field("fn", Type::Any, "The function, which no document can hold."),
                    field("description", Type::Text, "What it does."),
                ],
            },
        },
    ],
};

const CONDITION_TYPES: &[Word] =
    &[word("expression", "an expression"), word("function", "a function of a program")];

static SOME_GUARDRAILS: Type = Type::List(&A_GUARDRAIL);
