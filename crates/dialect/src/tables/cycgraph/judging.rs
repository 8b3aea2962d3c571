//! The blocks that judge and learn: voting, verifier, reflection (cycgraph:2.7, cycgraph:2.11, cycgraph:2.12).

use super::keys::{A_READ, A_READ_KEY, A_WRITE};
use super::scopes::AGENT;
use crate::table::{
    Case, Field, LengthBounds, NameUse, ReviewTopic, Shape, Symbol, Type, Variant, Word, at_least, field,
    integer, integer_from, number, up_to, word,
};
use nodewise_expr::filtrex;
use nodewise_expr::jsonpath;

const KEYS: Type = Type::List(&A_READ_KEY);
static SOME_KEYS: Type = KEYS;
static AGENTS: Type = Type::List(&AN_AGENT);
static AN_AGENT: Type = Type::Reference(&AGENT);

pub(crate) static VOTING: Shape = Shape {
    name: "VotingConfig",
    doc: "Agents that vote. Writes `<id>_consensus` and `<id>_votes`.",
    fields: &[
        field(
            "voter_agent_ids",
            Type::Sized(&AGENTS, LengthBounds { min: 1, max: 50 }),
            "The agents that vote, 1 to 50; one may be named twice.",
        )
        .required(),
        field("strategy", Type::Word(STRATEGIES), "How the votes become a consensus.")
            .default("majority_vote"),
        field(
            "vote_key",
            A_WRITE,
            "The key under which each voter answers. It is the voter's own; the run's memory never has it.",
        )
        .default("vote"),
        field("quorum", integer_from(1), "The votes that are needed; fewer fail the node."),
        field("judge_agent_id", Type::Reference(&AGENT), "The agent that judges, for `llm_judge`.")
            .needed_beside("strategy", &[BY_JUDGE]),
        field(
            "weights",
            Type::MapOf(&(Type::Reference(&AGENT), number(f64::NEG_INFINITY, f64::INFINITY))),
            "How much each agent's vote counts in a `weighted_vote`; 1 where it is not named.",
        ),
        field("task_timeout_ms", number(1.0, f64::INFINITY), "How long one voter may take, in milliseconds."),
    ],
};

/// The strategy by which a judge decides a vote.
pub const BY_JUDGE: &str = "llm_judge";

const STRATEGIES: &[Word] = &[
    word("majority_vote", "the answer that most voters gave"),
    word("weighted_vote", "the answer with the greatest sum of weights"),
    word(BY_JUDGE, "the reasoning of a judge about the votes"),
];

const RESULT_KEY: Field = field(
    "result_key",
    A_WRITE,
    "The key of the verdict, `<id>_verification` if not given; `<result_key>_passed` is written beside it.",
);
const THROW_ON_FAIL: Field = field(
    "throw_on_fail",
    Type::Boolean,
    "Whether a failed verification fails the node: nothing is written, and the failure policy tries again.",
)
.topic(ReviewTopic::Policy)
.default("false");
const DESCRIPTION: Field = field("description", Type::Text, "What is verified, for people.");
const TARGET_KEY: Field =
    field("target_key", A_READ, "The memory key to judge; exactly this key must be in `read_keys`.")
        .required();
const LLM_JUDGE: Word = word("llm_judge", "an agent scores the key");
const EXPRESSION: Word = word("expression", "an expression over the keys that the node reads");
const JSONPATH: Word = word("jsonpath", "an assertion about a part of the key");
const WAYS_TO_JUDGE: &[Word] = &[LLM_JUDGE, EXPRESSION, JSONPATH];
const VERIFIER_TYPE: Field = field("type", Type::Word(WAYS_TO_JUDGE), "How to judge.").required();

pub(crate) static VERIFIER: Variant = Variant {
    name: "VerifierConfig",
    doc: "What a verifier judges.",
    key: "type",
    short: None,
    cases: &[
        Case {
            word: LLM_JUDGE,
            shape: Shape {
                name: "JudgeVerifier",
                doc: "An agent that scores a key of the memory.",
                fields: &[
                    VERIFIER_TYPE,
                    TARGET_KEY,
                    field("evaluator_agent_id", Type::Reference(&AGENT), "The agent that scores.").required(),
                    field("pass_threshold", number(0.0, 1.0), "The score from which it passes.").topic(ReviewTopic::Condition).default("0.8"),
                    field("evaluation_criteria", Type::Text, "What the evaluator must look at.").topic(ReviewTopic::Prompt),
                    RESULT_KEY,
                    THROW_ON_FAIL,
                    DESCRIPTION,
                ],
            },
        },
        Case {
            word: EXPRESSION,
            shape: Shape {
                name: "ExpressionVerifier",
                doc: "An expression that must be truthy. One that ends in an error passes.",
                fields: &[
                    VERIFIER_TYPE,
                    field(
                        "expression",
                        Type::Expression(filtrex::VERIFIER),
                        "A filtrex expression over `memory`, as far as `read_keys` shows it, and `goal`. An error \
                         while it is evaluated passes; a syntax error fails the node when it runs.",
                    )
                    .required(),
                    RESULT_KEY,
                    THROW_ON_FAIL,
                    DESCRIPTION,
                ],
            },
        },
        Case {
            word: JSONPATH,
            shape: Shape {
                name: "JsonPathVerifier",
                doc: "An assertion about what a JSONPath finds in a key of the memory. A key that is missing, null, 0, \
                      false or empty text fails the node.",
                fields: &[
                    VERIFIER_TYPE,
                    TARGET_KEY,
                    field(
                        "path",
                        Type::Expression(jsonpath::VALUE),
                        "A JSONPath whose root is the key's value; the first result counts.",
                    )
                    .required(),
                    field("assertion", Type::Variant(&ASSERTION), "What must hold of the first result.").required(),
                    RESULT_KEY,
                    THROW_ON_FAIL,
                    DESCRIPTION,
                ],
            },
        },
    ],
};

const EXISTS: Word = word("exists", "it is there and not null");
const EQUALS: Word = word("equals", "it is the same scalar");
const MATCHES: Word = word("matches", "it is a text that a pattern matches");
const ABOVE: Word = word("gt", "it is a number above");
const AT_LEAST: Word = word("gte", "it is a number not below");
const BELOW: Word = word("lt", "it is a number below");
const AT_MOST: Word = word("lte", "it is a number not above");
const OPERATORS: &[Word] = &[EXISTS, EQUALS, MATCHES, ABOVE, AT_LEAST, BELOW, AT_MOST];
const OPERATOR: Field = field("op", Type::Word(OPERATORS), "How to compare.").required();
const A_NUMBER: Field =
    field("value", number(f64::NEG_INFINITY, f64::INFINITY), "The number to compare with.").required();

pub(crate) static ASSERTION: Variant = Variant {
    name: "Assertion",
    doc: "What must hold of the first result.",
    key: "op",
    short: None,
    cases: &[
        Case {
            word: EXISTS,
            shape: Shape { name: "Exists", doc: "The value is there and not null.", fields: &[OPERATOR] },
        },
        Case {
            word: EQUALS,
            shape: Shape {
                name: "Equals",
                doc: "The value is the same scalar of the same type; lists and mappings never are.",
                fields: &[
                    OPERATOR,
                    field("value", Type::Any, "The scalar; null is one.").nullable().required(),
                ],
            },
        },
        Case {
            word: MATCHES,
            shape: Shape {
                name: "Matches",
                doc: "The value is a text that the pattern matches somewhere.",
                fields: &[
                    OPERATOR,
                    field(
                        "pattern",
                        Type::Sized(&A_PATTERN, up_to(1000)),
                        "A JavaScript regular expression. Nested repetition such as `(a+)+` \
                         never matches.",
                    )
                    .required(),
                ],
            },
        },
        Case { word: ABOVE, shape: ordering("GreaterThan") },
        Case { word: AT_LEAST, shape: ordering("AtLeast") },
        Case { word: BELOW, shape: ordering("LessThan") },
        Case { word: AT_MOST, shape: ordering("AtMost") },
    ],
};

static A_PATTERN: Type = Type::Pattern;

const fn ordering(name: &'static str) -> Shape {
    Shape { name, doc: "The value is a number and compares so.", fields: &[OPERATOR, A_NUMBER] }
}

pub(crate) static REFLECTION: Shape = Shape {
    name: "ReflectionConfig",
    doc: "Keys of the memory, distilled to facts that later runs can fetch. The host must provide a memory writer.",
    fields: &[
        field(
            "source_keys",
            Type::Sized(&SOME_KEYS, at_least(1)),
            "The memory keys to distil; exactly these must be in `read_keys`.",
        )
        .required(),
        field("extractor", Type::Variant(&EXTRACTOR), "How facts are found.").required(),
        field("tags", Type::List(&A_TAG), "The tags of every fact; later runs find facts by them.")
            .unordered()
            .default("[]"),
        field(
            "entity_keys",
            KEYS,
            "The memory keys whose texts name what the facts are about; exactly these must be in `read_keys`.",
        ),
        field("result_key", A_WRITE, "The key of the summary, `<id>_reflection` if not given."),
    ],
};

const RULE_BASED: Word = word("rule_based", "each long sentence is a fact");
const LLM: Word = word("llm", "an agent distils facts");
const EXTRACTORS: &[Word] = &[RULE_BASED, LLM];
const EXTRACTOR_TYPE: Field = field("type", Type::Word(EXTRACTORS), "How facts are found.").required();

pub(crate) static EXTRACTOR: Variant = Variant {
    name: "Extractor",
    doc: "How facts are found.",
    key: "type",
    short: None,
    cases: &[
        Case {
            word: RULE_BASED,
            shape: Shape {
                name: "RuleBasedExtractor",
                doc: "Each sentence that is long enough is a fact.",
                fields: &[
                    EXTRACTOR_TYPE,
                    field("min_sentence_length", integer_from(1), "The characters of the shortest fact.")
                        .default("15"),
                ],
            },
        },
        Case {
            word: LLM,
            shape: Shape {
                name: "LlmExtractor",
                doc: "An agent distils facts.",
                fields: &[
                    EXTRACTOR_TYPE,
                    field("agent_id", Type::Reference(&AGENT), "The agent.").required(),
                    field(
                        "instruction",
                        Type::Text,
                        "The instructions for the agent, instead of the engine's own text.",
                    )
                    .topic(ReviewTopic::Prompt),
                    field("max_facts", integer(1, 50), "The most facts.").default("10"),
                ],
            },
        },
    ],
};

static A_TAG: Type = Type::Symbol(Symbol::Tag, NameUse::Writes);
