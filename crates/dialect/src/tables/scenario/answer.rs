//! Answers: who is asked says which of their keys mean something. Data only.

use crate::table::{
    Discriminator, Field, Form, NameUse, Shape, Symbol, Type, Word, field, integer_from, number, word,
};

/// Answers echo what they are given.
pub const ECHO: &str = "echo";
/// Answers fail.
pub const FAIL: &str = "fail";
/// An answer is given whenever it fits.
pub const ALWAYS: &str = "always";

/// One answer, or several in order.
pub(super) const ANSWERS: Type = Type::OneOrMany(&AN_ANSWER);

/// One decision, or several in order.
pub(super) const DECISIONS: Type = Type::OneOrMany(&AN_ANSWER);

/// A span of time: milliseconds, or a text with a unit.
pub(super) const SPAN: Type = Type::OneOf(&[
    Form { when: Discriminator::Text, ty: Type::Text },
    Form { when: Discriminator::Otherwise, ty: number(0.0, f64::INFINITY) },
]);

static AN_ANSWER: Type = Type::OneOf(&[
    Form { when: Discriminator::HasKey("one_of"), ty: Type::Object(&CHOICE) },
    Form { when: Discriminator::Mapping, ty: A_WHOLE_ANSWER },
    Form { when: Discriminator::Otherwise, ty: Type::Any },
]);

const A_WHOLE_ANSWER: Type = Type::Object(&ANSWER);
static ONE_ANSWER: Type = Type::OneOf(&[
    Form { when: Discriminator::Mapping, ty: A_WHOLE_ANSWER },
    Form { when: Discriminator::Otherwise, ty: Type::Any },
]);

static CHOICE: Shape = Shape {
    name: "Choice",
    doc: "Answers, one of which is chosen at random.",
    fields: &[
        field("one_of", Type::List(&ONE_ANSWER), "The answers, each with its `weight`.").required(),
        WHEN,
        TIMES,
    ],
};

const WHEN: Field = field(
    "when",
    Type::TextOr(&A_TEXT, &ANSWER_CONDITION),
    "Which questions it answers: a text that the prompt holds, or a mapping.",
);
const TIMES: Field = field(
    "times",
    Type::OneOf(&[
        Form {
            when: Discriminator::Text,
            ty: Type::Word(&[word(ALWAYS, "whenever it fits, and no other answer before it")]),
        },
        Form { when: Discriminator::Otherwise, ty: integer_from(1) },
    ]),
    "How often it is given before the next one: a number, or `always`.",
)
.default("1");

static A_TEXT: Type = Type::Text;

static ANSWER: Shape = Shape {
    name: "Answer",
    doc: "An answer. A simple value is allowed instead: a model's text, what a tool yields, a person's \
          decision.",
    fields: &[
        field("text", Type::Text, "What a model says."),
        field(
            "value",
            Type::Any,
            "What a tool, function, extension or search yields; the structured value of a supervisor, judge or extractor.",
        ),
        field("calls", Type::List(&A_CALL), "The tools that a model asks for, before it is asked again."),
        field(
            "error",
            Type::TextOr(&A_TEXT, &ERROR),
            "Why there is no answer: a text, or a mapping with its class.",
        )
        .excludes(&["text", "value", "calls"]),
        field("after", SPAN, "How long it takes: milliseconds, or a text such as `2 s`, `5 min`, `3 d`.")
            .default("0"),
        field("tokens", TOKENS, "The tokens that a model read and wrote; a number is what it wrote."),
        field(
            "cost",
            number(0.0, f64::INFINITY),
            "What it costs, in US dollars, where prices do not say it.",
        ),
        WHEN,
        TIMES,
        field("weight", number(0.0, f64::INFINITY), "Below `one_of`: how likely it is, beside the others.")
            .default("1"),
        field("decision", Type::Text, "A person's decision, for instance `approved` or `rejected`."),
        field("data", Type::Any, "What a person adds to the decision."),
        field(
            "updates",
            Type::MapOf(&(Type::Symbol(Symbol::State, NameUse::Refers), Type::Any)),
            "What a person changes in the state.",
        ),
        field(
            "passed",
            Type::Boolean,
            "Whether guardrails are content; whether a tool's result counts as success.",
        ),
        field("results", Type::Any, "What each guardrail found."),
        field("events", Type::List(&AN_EVENT), "What happens in a voice session, in order."),
        field("state", Type::Word(TASK_STATES), "The state of a task on another server."),
        field(
            "artifacts",
            Type::MapOf(&(Type::Text, Type::Any)),
            "What a task on another server made, by name.",
        ),
        field("message", Type::Text, "What the agent on the other server says."),
        field("task", Type::Text, "The id of the task on the other server."),
        field(
            "context",
            Type::MapOf(&(Type::Text, Type::Any)),
            "Liman: what a tool merges into the context of its node.",
        ),
        field("result", Type::Any, "AgentOS: the whole result of the node; its work is not done."),
        field("patch", Type::Any, "AgentOS: what is put over the result of the node's work."),
    ],
};

const TOKENS: Type = Type::OneOf(&[
    Form { when: Discriminator::Mapping, ty: Type::Object(&TOKEN_COUNTS) },
    Form { when: Discriminator::Otherwise, ty: integer_from(0) },
]);

static TOKEN_COUNTS: Shape = Shape {
    name: "TokenCounts",
    doc: "Tokens of a model's answer.",
    fields: &[
        field("input", integer_from(0), "Tokens that the model read.").default("10"),
        field("output", integer_from(0), "Tokens that the model wrote.").default("5"),
    ],
};

static ANSWER_CONDITION: Shape = Shape {
    name: "AnswerCondition",
    doc: "Which questions an answer is for; all of it must hold.",
    fields: &[
        field("prompt", Type::Text, "The prompt of the model contains this text."),
        field("input", Type::Any, "The arguments or input hold these values."),
        field("attempt", integer_from(1), "The node is at this attempt."),
        field("call", integer_from(1), "It is this question to the same one, from 1."),
    ],
};

static A_CALL: Type = Type::Object(&CALL);

static CALL: Shape = Shape {
    name: "ToolCall",
    doc: "A tool that a model asks for.",
    fields: &[
        field("tool", Type::Symbol(Symbol::Tool, NameUse::Refers), "The tool.").required(),
        field("arguments", Type::Any, "What it is called with.").default("{}"),
        field("id", Type::Text, "The id of the call, where it matters."),
        field("returns", Type::Any, "What the tool yields to this call; otherwise `tools` says it."),
        field("error", Type::TextOr(&A_TEXT, &ERROR), "Why the tool fails.").excludes(&["returns"]),
    ],
};

static ERROR: Shape = Shape {
    name: "ScriptedError",
    doc: "Why there is no answer.",
    fields: &[
        field("class", Type::Text, "The class of error, as the system names it."),
        field("message", Type::Text, "The error's text.").required(),
        field("retryable", Type::Boolean, "Whether trying again can help, as a provider says it."),
        field("cause", Type::Text, "The class of the error below it."),
    ],
};

static AN_EVENT: Type = Type::Open(&EVENT);

static EVENT: Shape = Shape {
    name: "SessionEvent",
    doc: "Something that happens in a voice session; other keys come with the event.",
    fields: &[
        field("event", Type::Text, "What happens, for instance `turn_complete` or `close`.").required(),
        field("after", SPAN, "How long after the event before it.").default("0"),
    ],
};

const TASK_STATES: &[Word] = &[
    word("completed", "the task is done"),
    word("failed", "the task failed"),
    word("canceled", "the task was ended"),
    word("rejected", "the agent does not do it"),
    word("input-required", "the agent asks for something"),
    word("auth-required", "the agent asks for a permission"),
    word("working", "the task continues"),
    word("submitted", "the task waits"),
    word("unknown", "nobody knows"),
];
