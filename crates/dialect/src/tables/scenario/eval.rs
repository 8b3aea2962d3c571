//! Evals: cases that run with real models, what judges them, and the models and prompts that are compared. Data only.

use nodewise_expr::filtrex;

use super::expect::EXPECT;
use super::{
    AGENTS, CONSTRAINTS, CONTEXT, EVAL_KIND, EXTENSIONS, FALLBACK, FILE, FITNESS, FUNCTIONS, GOAL, GRAPH_ID,
    GRAPHS, GUARDRAILS, INPUT, LANGUAGE, LIMITS, MEMORY, NODES, PEOPLE, RECALL, REMEMBER, SEARCHES, SEED,
    SERVERS, START, TOOLS, TURNS, USES,
};
use crate::table::{
    Discriminator, Field, Form, Kind, KindRole, Language, Mark, NameUse, Shape, Symbol, Type, field,
    integer_from, number,
};

/// How many of the repetitions of a case must pass where nothing is said, in percent.
pub const PERCENT_TO_PASS: f64 = 100.0;

/// The language of the expressions of judges.
pub(super) const JUDGE_LANGUAGE: Language = filtrex::VERIFIER;

pub(super) const EVAL_DOCUMENT: Kind = Kind {
    name: EVAL_KIND,
    role: KindRole::Scenario,
    evidence: &[&[Mark::Text("eval"), Mark::List("cases")]],
    shape: Shape {
        name: EVAL_KIND,
        doc: "Cases that run with real models, and what judges the results. `nodewise eval` runs it.",
        fields: &[
            field("eval", Type::Text, "What the eval is about, in a sentence."),
            USES,
            FILE,
            GRAPH_ID,
            START,
            MODELS,
            PROMPTS,
            REPEAT,
            PASS_RATE,
            JUDGES,
            field(
                "expect",
                Type::Object(&EXPECT),
                "What must hold of every run. A key of a case's own `expect` comes in the place of the same key here.",
            ),
            INPUT,
            GOAL,
            CONSTRAINTS,
            MEMORY,
            TURNS,
            CONTEXT,
            LANGUAGE,
            FALLBACK,
            AGENTS,
            NODES,
            TOOLS,
            FUNCTIONS,
            EXTENSIONS,
            SERVERS,
            SEARCHES,
            GUARDRAILS,
            RECALL,
            REMEMBER,
            FITNESS,
            PEOPLE,
            GRAPHS,
            LIMITS,
            SEED,
            field("cases", Type::List(&A_CASE), "What is run: each case with each model and each prompt.")
                .required(),
        ],
    },
};

const MODELS: Field = field(
    "models",
    Type::List(&A_MODEL),
    "The models that are compared: names of `[live.models]`, or names that the provider knows. Without it, each agent \
     asks its own model.",
);
const PROMPTS: Field = field(
    "prompts",
    Type::MapOf(&(Type::Text, PROMPT_TEXTS)),
    "The prompts that are compared, each by a name: the texts that come in the place of the prompts of agents and nodes. \
     `{}` leaves the prompts as they are declared.",
);
const REPEAT: Field =
    field("repeat", integer_from(1), "How often each case runs with each model and prompt.").default("1");
const PASS_RATE: Field =
    field("pass_rate", number(0.0, 100.0), "How many of the repetitions of a case must pass, in percent.")
        .default("100");
const JUDGES: Field = field(
    "judges",
    Type::List(&A_JUDGE),
    "What judges the result of a run: a model with a rubric, an expression, or a JSON Schema. A text is a rubric.",
);

static A_CASE: Type = Type::Object(&CASE);

static CASE: Shape = Shape {
    name: "EvalCase",
    doc: "What is run and evaluated. What a case does not say, the eval says for all cases.",
    fields: &[
        field("case", Type::Text, "What the case is about, in a sentence. Reports name it so.").required(),
        USES,
        INPUT,
        GOAL,
        CONSTRAINTS,
        MEMORY,
        TURNS,
        CONTEXT,
        LANGUAGE,
        FALLBACK,
        AGENTS,
        NODES,
        TOOLS,
        FUNCTIONS,
        EXTENSIONS,
        SERVERS,
        SEARCHES,
        GUARDRAILS,
        RECALL,
        REMEMBER,
        FITNESS,
        PEOPLE,
        GRAPHS,
        LIMITS,
        SEED,
        JUDGES,
        field(
            "expect",
            Type::Object(&EXPECT),
            "What must hold of the run. Without `status` and `error`, the run must complete.",
        ),
    ],
};

static A_TEXT: Type = Type::Text;
static A_MODEL: Type = Type::TextOr(&A_TEXT, &MODEL_CHOICE);

static MODEL_CHOICE: Shape = Shape {
    name: "ModelChoice",
    doc: "The models of a column of the table.",
    fields: &[
        field("name", Type::Text, "What reports call it.").required(),
        field("model", Type::Text, "The model of every agent that `agents` does not name."),
        field("provider", Type::Text, "The provider of `model`, a name of `[live.providers]`."),
        field(
            "agents",
            Type::MapOf(&(Type::Symbol(Symbol::Agent, NameUse::Refers), Type::Text)),
            "The models of single agents or nodes, each by its name.",
        ),
    ],
};

const PROMPT_TEXTS: Type = Type::MapOf(&(Type::Symbol(Symbol::Agent, NameUse::Refers), Type::Text));

static A_JUDGE: Type = Type::OneOf(&[
    Form { when: Discriminator::HasKey("expression"), ty: Type::Object(&EXPRESSION_JUDGE) },
    Form { when: Discriminator::HasKey("schema"), ty: Type::Object(&SCHEMA_JUDGE) },
    Form { when: Discriminator::Mapping, ty: Type::Object(&RUBRIC_JUDGE) },
    Form { when: Discriminator::Otherwise, ty: Type::Text },
]);

const NAME: Field = field("name", Type::Text, "What reports call the judge.");
const OF: Field = field(
    "of",
    Type::Text,
    "What is evaluated: a key of the state at the end, or `output` for what the run gives back, with dots for parts. By default \
     the whole of `output`.",
);

static RUBRIC_JUDGE: Shape = Shape {
    name: "RubricJudge",
    doc: "A model that judges by a rubric, with a score from 0 to 1.",
    fields: &[
        NAME,
        field("rubric", Type::Text, "What a good result is, in words for the judge.").required(),
        OF,
        field(
            "model",
            Type::Text,
            "The model that judges: a name of `[live.models]`, or a name that the provider knows. By default the model of \
             `[live]`.",
        ),
        field("provider", Type::Text, "The provider of `model`, a name of `[live.providers]`."),
        field("at_least", number(0.0, 1.0), "The score from which the result passes.").default("0.5"),
    ],
};

static EXPRESSION_JUDGE: Shape = Shape {
    name: "ExpressionJudge",
    doc: "An expression that must be true. `memory.KEY` is a key of the state at the end, `memory.output` what the run gives \
          back.",
    fields: &[
        NAME,
        field("expression", Type::Expression(JUDGE_LANGUAGE), "The expression, in filtrex.").required(),
    ],
};

static SCHEMA_JUDGE: Shape = Shape {
    name: "SchemaJudge",
    doc: "A JSON Schema that the result must match. A text is read as JSON first.",
    fields: &[NAME, OF, field("schema", Type::JsonSchema, "The JSON Schema.").required()],
};
