//! Scripts, scenarios and evals, nodewise's own documents: what is answered in a dry run, what the run begins with, and what
//! must hold. One format for the graphs of all systems. Data only.

mod answer;
mod eval;
mod expect;
mod host;

use nodewise_model::{NameScope, UnresolvedSeverity};

use crate::lower;
use crate::table::{
    Dialect, Discriminator, DocumentTemplate, Field, FileContent, FileName, Form, Kind, KindRole, Mark,
    NameUse, Shape, Symbol, Type, Word, field, integer_from, number, word,
};
pub use answer::{ALWAYS, ECHO, FAIL};
use answer::{ANSWERS, DECISIONS};
use eval::EVAL_DOCUMENT;
pub use eval::PERCENT_TO_PASS;
use expect::EXPECT;
pub use expect::STATUSES;
use host::HOST;
pub use host::{DOCUMENTED, RELEASE, SNAPSHOT};

/// The dialect of scripts and scenarios.
pub static SCENARIO: Dialect = Dialect {
    id: "scenario",
    title: "nodewise scenarios",
    extensions: &["yaml", "yml", "json"],
    file_names: &[
        FileName { ending: ".scenario.yaml", kind: SCENARIO_KIND },
        FileName { ending: ".scenario.yml", kind: SCENARIO_KIND },
        FileName { ending: ".eval.yaml", kind: EVAL_KIND },
        FileName { ending: ".eval.yml", kind: EVAL_KIND },
        FileName { ending: ".script.yaml", kind: SCRIPT_KIND },
        FileName { ending: ".script.yml", kind: SCRIPT_KIND },
    ],
    languages: &[eval::JUDGE_LANGUAGE],
    kinds: &[SCENARIO_DOCUMENT, EVAL_DOCUMENT, SCRIPT_DOCUMENT],
    templates: TEMPLATES,
    lower: lower::scenario::declaration,
    ..Dialect::NONE
};

const TEMPLATES: &[DocumentTemplate] = &[
    DocumentTemplate {
        label: "nodewise scenario",
        kind: SCENARIO_KIND,
        doc: "a test: scripted answers and the expected result",
        text: include_str!("scenario/templates/scenario.yaml"),
    },
    DocumentTemplate {
        label: "nodewise script",
        kind: SCRIPT_KIND,
        doc: "answers for dry runs",
        text: include_str!("scenario/templates/script.yaml"),
    },
    DocumentTemplate {
        label: "nodewise eval",
        kind: EVAL_KIND,
        doc: "cases to run with real models",
        text: include_str!("scenario/templates/eval.yaml"),
    },
];

/// What a scenario is called in the table.
pub const SCENARIO_KIND: &str = "Scenario";
/// What an eval is called in the table.
pub const EVAL_KIND: &str = "Eval";
/// What a script is called in the table.
pub const SCRIPT_KIND: &str = "Script";

/// A place that holds a graph of any system.
pub static GRAPH: NameScope = NameScope {
    class: "unknown-graph",
    noun: "graph",
    kinds: &["Graph", "CompiledExecutionGraph"],
    takes_kind: true,
    severity: UnresolvedSeverity::Warning,
    is_secondary: true,
};

const SCENARIO_DOCUMENT: Kind = Kind {
    name: SCENARIO_KIND,
    role: KindRole::Scenario,
    evidence: &[
        &[Mark::Text("scenario"), Mark::Has("expect")],
        &[Mark::Text("scenario"), Mark::Has("graph")],
    ],
    shape: Shape {
        name: SCENARIO_KIND,
        doc: "A graph, the answers for its simulation, and the expected results. `nodewise test` runs it.",
        fields: &[
            field("scenario", Type::Text, "What the scenario shows, in a sentence."),
            USES,
            FILE,
            GRAPH_ID,
            START,
            ONLY,
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
            OTHERWISE,
            THE_HOST,
            LIMITS,
            SEED,
            THEN,
            field(
                "expect",
                Type::Object(&EXPECT),
                "What must hold, of the run before `then`. Without it, that the run completes.",
            ),
        ],
    },
};

const SCRIPT_DOCUMENT: Kind = Kind {
    name: SCRIPT_KIND,
    role: KindRole::Scenario,
    evidence: &[
        &[Mark::Text("script"), Mark::Map("agents")],
        &[Mark::Text("script"), Mark::Map("nodes")],
        &[Mark::Text("script"), Mark::Map("tools")],
    ],
    shape: Shape {
        name: SCRIPT_KIND,
        doc: "Answers for the simulation of a graph, for `nodewise simulate --script` and for scenarios.",
        fields: &[
            field("script", Type::Text, "What the script is for, in a sentence."),
            USES,
            FILE,
            GRAPH_ID,
            START,
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
            OTHERWISE,
            THE_HOST,
            LIMITS,
            SEED,
            THEN,
        ],
    },
};

const USES: Field = field(
    "uses",
    Type::OneOrMany(&A_SCRIPT),
    "Files of scripts, relative to this one, whose answers count too. What is said here about a name comes in the place \
     of what they say about it.",
);
const FILE: Field = field(
    "file",
    Type::File(FileContent::Declarations),
    "The file that declares what runs, relative to this one. Needed where `graph` or `start` are not unique in the \
     project, or are not given.",
);
const GRAPH_ID: Field = field(
    "graph",
    Type::Reference(&GRAPH),
    "The id of the graph that runs; by default the main graph of `file`.",
);
const START: Field = field(
    "start",
    Type::Symbol(Symbol::Node, NameUse::Refers),
    "The node that the run begins at: for Liman the entry, as `name` or `Kind/name`; for graphs another node than the \
     graph's own beginning.",
);
const ONLY: Field = field(
    "only",
    Type::Symbol(Symbol::Node, NameUse::Refers),
    "The one node that runs: the run begins at it and ends after it, when the edges that leave it are evaluated. It is given \
     what `input`, `memory` and `context` say.",
)
.excludes(&["start", "then"]);
const INPUT: Field = field(
    "input",
    Type::Any,
    "What the run is given: the user's text (Liman), memory keys (cycgraph), the input (AgentOS).",
);
const GOAL: Field = field("goal", Type::Text, "cycgraph: what the run is to achieve.");
const CONSTRAINTS: Field = field("constraints", Type::List(&A_TEXT), "cycgraph: what the run must keep to.");
const MEMORY: Field = field(
    "memory",
    Type::MapOf(&(Type::Symbol(Symbol::State, NameUse::Refers), Type::Any)),
    "What the state holds at the beginning: memory keys (cycgraph), keys of scratch (AgentOS, as in a fork).",
);
const TURNS: Field = field(
    "turns",
    Type::List(&A_TURN),
    "Liman: what the user says, one turn after another; a text, or `input` with a `context` of its own.",
);
const CONTEXT: Field = field(
    "context",
    Type::MapOf(&(Type::Text, Type::Any)),
    "Liman: the run's context, which conditions and service accounts read.",
);
const LANGUAGE: Field = field("language", Type::Text, "Liman: the language of prompts.").default("en");
const FALLBACK: Field =
    field("fallback_language", Type::Text, "Liman: the language of prompts that lack the other one.")
        .default("en");
const AGENTS: Field = field(
    "agents",
    Type::MapOf(&(Type::Symbol(Symbol::Agent, NameUse::Refers), ANSWERS)),
    "What agents answer, each by its id, whichever node calls it; in the order of the list. An answer for the node comes \
     first.",
);
const NODES: Field = field(
    "nodes",
    Type::MapOf(&(Type::Symbol(Symbol::Node, NameUse::Refers), ANSWERS)),
    "What is answered to nodes, each by its id, whatever they ask for their work: a model, a tool, a person, guardrails, \
     a session. In the order of the list.",
);
const TOOLS: Field = field(
    "tools",
    Type::MapOf(&(Type::Symbol(Symbol::Tool, NameUse::Refers), ANSWERS)),
    "What tools yield. For cycgraph the tools named here are also those that the program registers; with none, calls give \
     back their arguments.",
);
const FUNCTIONS: Field = field(
    "functions",
    Type::MapOf(&(Type::Text, ANSWERS)),
    "What functions of the program yield, each by its dotted path or the name of its node.",
);
const EXTENSIONS: Field = field(
    "extensions",
    Type::MapOf(&(Type::Text, ANSWERS)),
    "AgentOS: what extensions yield, each as `id.method`.",
);
const SERVERS: Field = field(
    "servers",
    Type::MapOf(&(Type::Symbol(Symbol::Server, NameUse::Refers), ANSWERS)),
    "cycgraph: what agents on other servers answer, each by the server's id.",
);
const SEARCHES: Field = field(
    "searches",
    Type::MapOf(&(Type::Text, ANSWERS)),
    "AgentOS: what searches for capabilities find, each by its words; `value` is the list of results.",
);
const GUARDRAILS: Field = field(
    "guardrails",
    ANSWERS,
    "AgentOS: what guardrails find, whichever node asks; `true` and `false` say whether they are content.",
);
const RECALL: Field = field(
    "recall",
    ANSWERS,
    "cycgraph: what long-term memory gives back; `value` is the list of facts. With it the program has such a memory.",
);
const REMEMBER: Field = field(
    "remember",
    ANSWERS,
    "cycgraph: what writing to long-term memory comes to; an `error` says that it fails. With it the program has a writer.",
);
const FITNESS: Field = field(
    "fitness",
    ANSWERS,
    "cycgraph: the scores that the program's own function gives to candidates; the last one stays.",
);
const PEOPLE: Field = field(
    "people",
    DECISIONS,
    "What people decide when a run waits for them, in order: a word such as `approved`, or a mapping with `decision`.",
);
const GRAPHS: Field = field(
    "graphs",
    Type::MapOf(&ANSWERS_OF_A_GRAPH),
    "Answers that count in one graph alone, where graphs run one another; each by the graph's id.",
);
const OTHERWISE: Field = field(
    "otherwise",
    Type::Word(&[
        word(
            ECHO,
            "something plain of the right shape: models repeat who they are, tools give back their arguments",
        ),
        word(FAIL, "an error that names who was asked"),
    ]),
    "What is answered to whom the script says nothing about.",
)
.default(ECHO);
const THE_HOST: Field = field("host", Type::Object(&HOST), "How the program around the graph is set up.");
const LIMITS: Field = field(
    "limits",
    Type::Object(&RUN_LIMITS),
    "What the simulator allows the run, whatever the system allows: a run beyond ends as `stopped`.",
);
const SEED: Field = field("seed", integer_from(0), "The seed of everything that is random.").default("0");
const THEN: Field = field(
    "then",
    Type::List(&A_PHASE),
    "What happens after the run, in order: a waiting run is resumed. AgentOS can also resume from checkpoints, and fork.",
);

static A_TEXT: Type = Type::Text;
static A_SCRIPT: Type = Type::File(FileContent::Scripts);

static A_TURN: Type = Type::OneOf(&[
    Form { when: Discriminator::Mapping, ty: Type::Object(&TURN) },
    Form { when: Discriminator::Otherwise, ty: Type::Text },
]);

static TURN: Shape = Shape {
    name: "Turn",
    doc: "What the user says in a turn.",
    fields: &[
        field("input", Type::Any, "What the user says.").required(),
        field("context", Type::MapOf(&(Type::Text, Type::Any)), "The context of this turn alone."),
    ],
};

static ANSWERS_OF_A_GRAPH: (Type, Type) = (Type::Reference(&GRAPH), Type::Object(&INNER));

static INNER: Shape = Shape {
    name: "InnerAnswers",
    doc: "Answers that count in one graph alone.",
    fields: &[AGENTS, NODES, TOOLS, FUNCTIONS, EXTENSIONS, SERVERS],
};

static RUN_LIMITS: Shape = Shape {
    name: "RunLimits",
    doc: "What the simulator allows a run.",
    fields: &[
        field("visits", integer_from(0), "Visits of nodes.").default("1000000"),
        field("time", answer::SPAN, "Virtual time, in milliseconds or as `90 d`."),
        field("tokens", number(0.0, f64::INFINITY), "Tokens."),
        field("cost", number(0.0, f64::INFINITY), "Money, in US dollars."),
        field("depth", integer_from(0), "Graphs that run inside one another.").default("64"),
        field("fan_out", integer_from(1), "Pieces of work that are under way at once."),
        field("events", integer_from(1), "Entries of the log."),
    ],
};

static A_PHASE: Type = Type::Object(&PHASE);

static PHASE: Shape = Shape {
    name: "Phase",
    doc: "What happens after a run.",
    fields: &[
        field(
            "resume",
            Type::Text,
            "`run` resumes where the last run stopped. AgentOS: `cp2` from the second checkpoint, `node:x` from the last one at a node.",
        )
        .excludes(&["fork"]),
        field("fork", Type::Text, "AgentOS: begins another run from a checkpoint, for instance `cp2`."),
        field("patch", Type::Any, "What is put over `input`, `scratch` and `artifacts` of the fork, key by key."),
        field(
            "nodes",
            Type::MapOf(&(Type::Symbol(Symbol::Node, NameUse::Refers), ANSWERS)),
            "Answers of this phase, in the place of those of the script.",
        ),
        field("expect", Type::Object(&EXPECT), "What must hold of this phase. Without it, that it completes."),
    ],
};

/// Words that decide an approval.
pub const DECISION_WORDS: &[Word] = &[
    word("approved", "the run continues"),
    word("rejected", "the run continues at the node for rejections, or ends"),
];
