//! The patterns of a project's rules: the properties of nodes, agents and graphs, and what can be asked of each.

use nodewise_model::project_rule::PartProperty;

use crate::table::{Discriminator, Field, Form, Shape, Type, Word, field, integer_from, number, word};

/// The key of each property in patterns and messages.
pub const PROPERTIES: &[(&str, PartProperty)] = &[
    (ID, PartProperty::Id),
    (NAME, PartProperty::Name),
    (KIND, PartProperty::Kind),
    (TYPE, PartProperty::TypeWord),
    (AGENT_ID, PartProperty::Agent),
    (MODEL, PartProperty::Model),
    (PROVIDER, PartProperty::Provider),
    (TOOLS, PartProperty::Tools),
    (SERVERS, PartProperty::Servers),
    (GUARDRAILS, PartProperty::Guardrails),
    (READS, PartProperty::Reads),
    (WRITES, PartProperty::Writes),
    (READS_ALL, PartProperty::ReadsAll),
    (WRITES_ALL, PartProperty::WritesAll),
    (MAX_TOKENS, PartProperty::MaxTokens),
    (MAX_COST, PartProperty::MaxCost),
    (TIMEOUT, PartProperty::Timeout),
    (ATTEMPTS, PartProperty::Attempts),
    (EFFECT, PartProperty::Effect),
    (RUNS, PartProperty::Runs),
    (TEMPERATURE, PartProperty::Temperature),
    (MAX_STEPS, PartProperty::MaxSteps),
    (NODE_COUNT, PartProperty::NodeCount),
    (EDGE_COUNT, PartProperty::EdgeCount),
];

/// The property of that key.
#[must_use]
pub fn property(key: &str) -> Option<PartProperty> {
    PROPERTIES.iter().find(|(known, _)| *known == key).map(|(_, property)| *property)
}

const ID: &str = "id";
const NAME: &str = "name";
const KIND: &str = "kind";
const TYPE: &str = "type";
const AGENT_ID: &str = "agent_id";
const MODEL: &str = "model";
const PROVIDER: &str = "provider";
const TOOLS: &str = "tools";
const SERVERS: &str = "servers";
const GUARDRAILS: &str = "guardrails";
const READS: &str = "reads";
const WRITES: &str = "writes";
const READS_ALL: &str = "reads_all";
const WRITES_ALL: &str = "writes_all";
const MAX_TOKENS: &str = "max_tokens";
const MAX_COST: &str = "max_cost_usd";
const TIMEOUT: &str = "timeout_ms";
const ATTEMPTS: &str = "attempts";
const EFFECT: &str = "effect";
const RUNS: &str = "runs";
const TEMPERATURE: &str = "temperature";
const MAX_STEPS: &str = "max_steps";
const NODE_COUNT: &str = "node_count";
const EDGE_COUNT: &str = "edge_count";

/// What a node does, whatever its system calls it.
pub const WORK_KINDS: &[Word] = &[
    word("agent", "a model or an agent answers"),
    word("tool", "a tool or an extension is called"),
    word("function", "a function of the program is called"),
    word("choice", "it is chosen what comes next"),
    word("person", "a person decides"),
    word("judge", "something is evaluated: a verifier, a guardrail"),
    word("many", "many do the same at once"),
    word("graph", "another graph runs"),
    word("memory", "facts are kept"),
];

// Fields of more than one pattern.
const ID_FIELD: Field =
    field(ID, TEXT, "Its id. A text, or a list of texts of which one fits; `*` stands for any letters.");
const KIND_FIELD: Field = field(KIND, WORK_KIND, "What it does, whatever its system calls it.");
const TYPE_FIELD: Field = field(TYPE, TEXT, "The word of its system for what it does.");
const AGENT_ID_FIELD: Field = field(AGENT_ID, TEXT, "The agent that it calls.");
const MODEL_FIELD: Field = field(MODEL, TEXT, "Its model, or that of the agent that it calls.");
const PROVIDER_FIELD: Field = field(PROVIDER, TEXT, "The provider of the model.");
const TOOLS_FIELD: Field = field(TOOLS, TEXTS, "The tools that it may call, those of its agent included.");
const SERVERS_FIELD: Field = field(SERVERS, TEXTS, "The servers whose tools or agents it may call.");
const GUARDRAILS_FIELD: Field =
    field(GUARDRAILS, TEXTS, "The guardrails that look at what goes in or comes out.");
const READS_FIELD: Field = field(READS, TEXTS, "The keys of the state that it may read.");
const WRITES_FIELD: Field = field(WRITES, TEXTS, "The keys of the state that it may write.");
const READS_ALL_FIELD: Field = field(READS_ALL, Type::Boolean, "Whether it may read every key.");
const WRITES_ALL_FIELD: Field = field(WRITES_ALL, Type::Boolean, "Whether it may write every key.");
const MAX_TOKENS_FIELD: Field = field(MAX_TOKENS, NUMBER, "The most tokens that it may use.");
const MAX_COST_FIELD: Field = field(MAX_COST, NUMBER, "The most that it may cost, in US dollars.");
const TIMEOUT_FIELD: Field = field(TIMEOUT, NUMBER, "How long it may take, in milliseconds.");
const ATTEMPTS_FIELD: Field = field(ATTEMPTS, NUMBER, "How often it is tried in all.");
const EFFECT_FIELD: Field = field(EFFECT, TEXT, "What side effects it has: the word of its system.");
const RUNS_FIELD: Field = field(RUNS, TEXT, "The graph that it runs.");
const TEMPERATURE_FIELD: Field = field(TEMPERATURE, NUMBER, "The sampling temperature of its agent.");
const MAX_STEPS_FIELD: Field = field(MAX_STEPS, NUMBER, "The model calls of one visit at most.");

pub(super) static NODE_PATTERN: Shape = Shape {
    name: "NodePattern",
    doc: "What must hold of a node for it to fit: all of it. `{}` fits every node.",
    fields: &[
        ID_FIELD,
        KIND_FIELD,
        TYPE_FIELD,
        AGENT_ID_FIELD,
        MODEL_FIELD,
        PROVIDER_FIELD,
        TOOLS_FIELD,
        SERVERS_FIELD,
        GUARDRAILS_FIELD,
        READS_FIELD,
        WRITES_FIELD,
        READS_ALL_FIELD,
        WRITES_ALL_FIELD,
        MAX_TOKENS_FIELD,
        MAX_COST_FIELD,
        TIMEOUT_FIELD,
        ATTEMPTS_FIELD,
        EFFECT_FIELD,
        RUNS_FIELD,
        TEMPERATURE_FIELD,
        MAX_STEPS_FIELD,
        field(ANY, Type::List(&A_NODE_PATTERN), "Patterns of which at least one fits."),
        field(NOT, Type::Object(&NODE_PATTERN), "A pattern that does not fit."),
    ],
};

pub(super) static MUST_PATTERN: Shape = Shape {
    name: "MustPattern",
    doc: "What must hold of the part that the rule looks at: all of it. It has the keys of every kind of part.",
    fields: &[
        ID_FIELD,
        field(NAME, TEXT, "Its name for people, if it is a graph."),
        KIND_FIELD,
        TYPE_FIELD,
        AGENT_ID_FIELD,
        MODEL_FIELD,
        PROVIDER_FIELD,
        TOOLS_FIELD,
        SERVERS_FIELD,
        GUARDRAILS_FIELD,
        READS_FIELD,
        WRITES_FIELD,
        READS_ALL_FIELD,
        WRITES_ALL_FIELD,
        MAX_TOKENS_FIELD,
        MAX_COST_FIELD,
        TIMEOUT_FIELD,
        ATTEMPTS_FIELD,
        EFFECT_FIELD,
        RUNS_FIELD,
        TEMPERATURE_FIELD,
        MAX_STEPS_FIELD,
        field(NODE_COUNT, NUMBER, "How many nodes a graph has."),
        field(EDGE_COUNT, NUMBER, "How many edges a graph has."),
        field(ANY, Type::List(&A_MUST_PATTERN), "Patterns of which at least one fits."),
        field(NOT, Type::Object(&MUST_PATTERN), "A pattern that does not fit."),
    ],
};

pub(super) static AGENT_PATTERN: Shape = Shape {
    name: "AgentPattern",
    doc: "What must hold of an agent for it to fit: all of it. `{}` fits every agent.",
    fields: &[
        ID_FIELD,
        field(MODEL, TEXT, "Its model."),
        PROVIDER_FIELD,
        field(TOOLS, TEXTS, "The tools that it may call."),
        field(SERVERS, TEXTS, "The servers whose tools it may call."),
        field(READS, TEXTS, "The keys of the state that it may read at most."),
        field(WRITES, TEXTS, "The keys of the state that it may write at most."),
        field(TEMPERATURE, NUMBER, "The sampling temperature."),
        MAX_STEPS_FIELD,
        field(ANY, Type::List(&AN_AGENT_PATTERN), "Patterns of which at least one fits."),
        field(NOT, Type::Object(&AGENT_PATTERN), "A pattern that does not fit."),
    ],
};

pub(super) static GRAPH_PATTERN: Shape = Shape {
    name: "GraphPattern",
    doc: "What must hold of a graph for it to fit: all of it. `{}` fits every graph.",
    fields: &[
        ID_FIELD,
        field(NAME, TEXT, "Its name for people."),
        field(NODE_COUNT, NUMBER, "How many nodes it has."),
        field(EDGE_COUNT, NUMBER, "How many edges it has."),
        field(ANY, Type::List(&A_GRAPH_PATTERN), "Patterns of which at least one fits."),
        field(NOT, Type::Object(&GRAPH_PATTERN), "A pattern that does not fit."),
    ],
};

/// The key of patterns of which one fits.
pub(crate) const ANY: &str = "any";
/// The key of a pattern, or of texts, that must not fit.
pub(crate) const NOT: &str = "not";

static A_NODE_PATTERN: Type = Type::Object(&NODE_PATTERN);
static A_MUST_PATTERN: Type = Type::Object(&MUST_PATTERN);
static AN_AGENT_PATTERN: Type = Type::Object(&AGENT_PATTERN);
static A_GRAPH_PATTERN: Type = Type::Object(&GRAPH_PATTERN);
static A_TEXT: Type = Type::Text;
static A_WORK_KIND: Type = Type::Word(WORK_KINDS);

const TEXT: Type = Type::OneOf(&[
    Form { when: Discriminator::Mapping, ty: Type::Object(&TEXT_TEST) },
    Form { when: Discriminator::Otherwise, ty: Type::OneOrMany(&A_TEXT) },
]);

const TEXTS: Type = Type::OneOf(&[
    Form { when: Discriminator::Mapping, ty: Type::Object(&TEXTS_TEST) },
    Form { when: Discriminator::Otherwise, ty: Type::OneOrMany(&A_TEXT) },
]);

const WORK_KIND: Type = Type::OneOf(&[
    Form { when: Discriminator::Mapping, ty: Type::Object(&WORK_KIND_TEST) },
    Form { when: Discriminator::Otherwise, ty: Type::OneOrMany(&A_WORK_KIND) },
]);

const NUMBER: Type = Type::OneOf(&[
    Form { when: Discriminator::Mapping, ty: Type::Object(&NUMBER_TEST) },
    Form { when: Discriminator::Otherwise, ty: integer_from(0) },
]);

/// The key of whether a property is there.
pub(crate) const SET: &str = "set";
/// The key of what a list has nothing but.
pub(crate) const ONLY: &str = "only";
/// The key of the least number.
pub(crate) const AT_LEAST: &str = "at_least";
/// The key of the greatest number.
pub(crate) const AT_MOST: &str = "at_most";

const IS_SET: Field = field(SET, Type::Boolean, "Whether it is there at all.");

static TEXT_TEST: Shape = Shape {
    name: "TextTest",
    doc: "What must hold of a text: all of it.",
    fields: &[
        field(
            NOT,
            Type::OneOrMany(&A_TEXT),
            "It is there, and is none of these; `*` stands for any letters.",
        ),
        IS_SET,
    ],
};

static TEXTS_TEST: Shape = Shape {
    name: "TextsTest",
    doc: "What must hold of a list: all of it.",
    fields: &[
        field(ONLY, Type::OneOrMany(&A_TEXT), "It has nothing but these; `*` stands for any letters."),
        field(NOT, Type::OneOrMany(&A_TEXT), "It has none of these."),
        field(SET, Type::Boolean, "Whether it has anything at all."),
    ],
};

static WORK_KIND_TEST: Shape = Shape {
    name: "KindTest",
    doc: "What must hold of what a node does.",
    fields: &[field(NOT, Type::OneOrMany(&A_WORK_KIND), "It does none of these.")],
};

static NUMBER_TEST: Shape = Shape {
    name: "NumberTest",
    doc: "What must hold of a number: all of it.",
    fields: &[
        field(AT_LEAST, number(0.0, f64::INFINITY), "It is there, and at least so much."),
        field(AT_MOST, number(0.0, f64::INFINITY), "It is there, and at most so much."),
        IS_SET,
    ],
};

#[cfg(test)]
mod tests {
    use nodewise_model::work::WorkKind;

    use super::{AGENT_PATTERN, ANY, GRAPH_PATTERN, NODE_PATTERN, NOT, PROPERTIES, WORK_KINDS, property};

    #[test]
    fn the_words_are_those_of_the_model() {
        let known = [
            WorkKind::Agent,
            WorkKind::Tool,
            WorkKind::Function,
            WorkKind::Choice,
            WorkKind::Person,
            WorkKind::Judge,
            WorkKind::Many,
            WorkKind::Graph,
            WorkKind::Memory,
        ];
        let words: Vec<&str> = WORK_KINDS.iter().map(|word| word.text).collect();
        assert_eq!(words, known.map(WorkKind::word));
    }

    #[test]
    fn every_key_of_a_pattern_is_a_property_and_every_property_has_one() {
        let fields =
            || [&NODE_PATTERN, &AGENT_PATTERN, &GRAPH_PATTERN].into_iter().flat_map(|one| one.fields);
        for field in fields().filter(|field| ![ANY, NOT].contains(&field.key)) {
            assert!(property(field.key).is_some(), "`{}` is no property", field.key);
        }
        for (key, _) in PROPERTIES {
            assert!(fields().any(|field| field.key == *key), "`{key}` is in no pattern");
        }
    }
}
