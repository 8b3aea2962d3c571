//! AgentOS: kinds, fields, types, defaults, docs and references (agentos:1 and agentos:2).
//! Data only; "the base runtime" is the package without what a host plugs into it.

mod builder_parts;
mod builders;
mod edge;
mod example;
mod executor;
mod guardrails;
mod habits;
mod human;
mod missions;
mod node;
mod plan;
mod policy;
mod voice;
mod work;

use nodewise_expr::agentos;
use nodewise_model::conventions::{Conventions, RepeatedId, StateParts, Terminals};
use nodewise_model::project_rule::PartProperty;
use nodewise_model::{NameScope, UnresolvedSeverity};

use crate::lower;
use crate::packed_text::PackedText;
use crate::table::{
    Dialect, DocumentTemplate, Kind, KindRole, Mark, NameUse, Outside, Recognition, ReviewTopic, Shape,
    Symbol, Type, ViolationPolicy, Word, field, word,
};
use edge::{AN_EDGE, EDGE_TYPES};
pub use executor::NODE_TYPES;
pub use guardrails::ACTIONS_ON_VIOLATION;
pub use guardrails::{HALTING_ACTIONS, REROUTE_ACTION};
use node::A_NODE;
pub use node::{
    EFFECTS, HUMAN_EFFECT, NODE_NOTES, OUTPUT_NAME, PURE_EFFECT, READ_EFFECT, VOICE_EFFECT, VOICE_MODE,
};
pub use plan::TOOL_ACTION;
pub use policy::TRAITS;
pub use voice::{EXIT_KEYWORD_PREFIX, SPEAK_ONLY};

static SPECIFICATION: PackedText =
    PackedText::new(include_bytes!(concat!(env!("OUT_DIR"), "/agentos.packed")));

/// The AgentOS dialect.
pub static AGENTOS: Dialect = Dialect {
    id: "agentos",
    title: "AgentOS",
    follows: &["@framers/agentos 0.9.164"],
    specification: Some(&SPECIFICATION),
    profiles: &[],
    extensions: &["yaml", "yml", "json"],
    loads_by_extension: false,
    file_names: &[],
    recognition: Recognition::ByShape,
    violations: ViolationPolicy {
        broken_text: None,
        empty_file: None,
        not_a_mapping: None,
        repeated_key: None,
        missing: Some("agentos:I1"),
        wrong_type: Some("agentos:I1"),
        bad_word: Some("agentos:I3"),
        unknown_key: Some("agentos:I2"),
        out_of_range: None,
        undeclared: None,
        range_is_refused: false,
        halt: false,
    },
    outside: &[
        Outside {
            key: "graphs",
            kinds: GRAPH.kinds,
            symbol: None,
            doc: "Graphs that the host resolves by id.",
        },
        Outside { key: "tools", kinds: &[], symbol: None, doc: "Tools that the host offers." },
        Outside { key: "extensions", kinds: &[], symbol: None, doc: "Extensions that the host loads." },
        Outside {
            key: "guardrails",
            kinds: &[],
            symbol: None,
            doc: "Guardrails that the host's engine knows.",
        },
    ],
    languages: &[agentos::ROUTING],
    conventions: &CONVENTIONS,
    state_schema: Some(&STATE_SCHEMA),
    reducers: REDUCERS,
    traits: TRAITS,
    keyword_exit: Some(EXIT_KEYWORD_PREFIX),
    overlays: None,
    exclusive: &[],
    graphs: Some(&GRAPH),
    terminals: SENTINELS,
    builtin_tools: &[],
    generated_tools: None,
    plain_node: None,
    registrations: None,
    builders: Some(&builders::BUILDERS),
    kinds: &[
        GRAPH_KIND,
        NODE_KIND,
        EDGE_KIND,
        plan::PATCH_KIND,
        plan::MISSION_KIND,
        plan::PLAN_KIND,
        plan::WORKFLOW_KIND,
        plan::DEFINITION_KIND,
    ],
    templates: TEMPLATES,
    example: example::FILES,
    properties: &[
        PartProperty::Id,
        PartProperty::Name,
        PartProperty::Kind,
        PartProperty::TypeWord,
        PartProperty::Model,
        PartProperty::Provider,
        PartProperty::Tools,
        PartProperty::Guardrails,
        PartProperty::Reads,
        PartProperty::Writes,
        PartProperty::Timeout,
        PartProperty::Attempts,
        PartProperty::Effect,
        PartProperty::Runs,
        PartProperty::NodeCount,
        PartProperty::EdgeCount,
    ],
    has_plugins: false,
    aliases: habits::ALIASES,
    synonyms: habits::SYNONYMS,
    foreign: habits::FOREIGN,
    lower: lower::agentos::declaration,
};

const TEMPLATES: &[DocumentTemplate] = &[
    DocumentTemplate {
        label: "AgentOS graph",
        kind: GRAPH_KIND.name,
        doc: "one node between start and end",
        text: include_str!("agentos/templates/graph.yaml"),
    },
    DocumentTemplate {
        label: "AgentOS workflow",
        kind: plan::WORKFLOW_KIND.name,
        doc: "steps in a row",
        text: include_str!("agentos/templates/workflow.yaml"),
    },
    DocumentTemplate {
        label: "AgentOS workflow definition",
        kind: plan::DEFINITION_KIND.name,
        doc: "tasks that depend on one another",
        text: include_str!("agentos/templates/workflow_definition.yaml"),
    },
    DocumentTemplate {
        label: "AgentOS mission",
        kind: plan::MISSION_KIND.name,
        doc: "a goal that becomes a chain of nodes",
        text: include_str!("agentos/templates/mission.yaml"),
    },
    DocumentTemplate {
        label: "AgentOS mission plan",
        kind: plan::PLAN_KIND.name,
        doc: "the steps of a mission",
        text: include_str!("agentos/templates/mission_plan.yaml"),
    },
    DocumentTemplate {
        label: "AgentOS graph patch",
        kind: plan::PATCH_KIND.name,
        doc: "a change of a graph while it runs",
        text: include_str!("agentos/templates/graph_patch.yaml"),
    },
];

/// The id that stands for the beginning of a run; only edges may name it, as their source.
pub const START: &str = "__START__";

/// The id that stands for the end of a run.
pub const END: &str = "__END__";

/// The target that builders write where a function decides.
pub const DECIDED_TARGET: &str = "__CONDITIONAL__";

/// The target that builders write where a search decides.
pub const FOUND_TARGET: &str = "__DISCOVERY__";

/// Targets that builders leave for the runtime to decide.
pub const PLACEHOLDERS: &[&str] = &[DECIDED_TARGET, FOUND_TARGET];

/// The names to which the runtime gives a meaning.
pub static CONVENTIONS: Conventions = Conventions {
    terminals: Some(Terminals { start: START, end: END, placeholders: PLACEHOLDERS }),
    terminal_keys: None,
    parts: Some(StateParts {
        input: INPUT,
        scratch: SCRATCH,
        artifacts: ARTIFACTS,
        declared: PARTITIONS,
        host_keys: HOST_KEYS,
    }),
    conditions: Some(agentos::ROUTING),
    state: nodewise_model::agentos::STATE,
    repeated_id: RepeatedId::First,
    runs_in_batches: true,
};

/// The ids that mean something without a node.
pub const SENTINELS: &[Word] = &[word(START, "where a run begins"), word(END, "where a run ends")];

/// A place that holds a graph.
pub static GRAPH: NameScope = NameScope {
    class: "unknown-graph",
    noun: "graph",
    kinds: &["CompiledExecutionGraph"],
    takes_kind: true,
    severity: UnresolvedSeverity::Warning,
    is_secondary: false,
};

/// The part of the state that nodes write while they run.
pub const SCRATCH: &str = "scratch";

/// The part of the state that holds what nodes leave behind.
pub const ARTIFACTS: &str = "artifacts";

/// The part of the state that holds what a run was given.
pub const INPUT: &str = "input";

/// The parts of the state that a graph declares.
pub const PARTITIONS: &[&str] = &[INPUT, SCRATCH, ARTIFACTS];

/// Keys of scratch that a host writes.
pub const HOST_KEYS: &[&str] = &["_personaTraits", "voiceTransport"];

/// The ways to combine writes that count an old value once for each branch.
pub const ACCUMULATING_REDUCERS: &[&str] = &["sum", "concat", "avg"];

/// How writes of a key are combined (agentos:5.7).
pub const REDUCERS: &[Word] = &[
    word("concat", "the items of both lists; whatever is no list counts as empty, texts too"),
    word("merge", "the members of both mappings, one level deep; the new one wins"),
    word("max", "the greater number"),
    word("min", "the smaller number"),
    word("avg", "half the sum of the two, so no running mean over more than two"),
    word("sum", "the sum; with a text on either side the two are joined"),
    word("last", "the new value"),
    word("first", "the old value"),
    word("longest", "the longer one; equals keep the old value"),
];

/// The graph's word for checkpoints where nodes ask for them.
pub(super) const CHECKPOINT_POLICIES: &[Word] = &[
    word("every_node", "after every node"),
    word("explicit", "where a node asks for it; `none` means the same to the runtime"),
    word("none", "where a node asks for it, as with `explicit`"),
];

pub(super) const CONSISTENCIES: &[Word] = &[
    word("live", "reads see writes of the same run at once"),
    word("snapshot", "reads see the memory as it was when the run began"),
    word("journaled", "writes are kept in a journal and applied at the end"),
];

/// The parts of a run's state with the schema of each.
pub static STATE_SCHEMA: Shape = Shape {
    name: "StateSchema",
    doc: "A JSON Schema for each part of the state. The runtime checks nothing against it; expressions here are.",
    fields: &[
        field("input", Type::JsonSchema, "What a run is given. `{}` is untyped.").required().refused_as("agentos:I9"),
        field(
            "scratch",
            Type::JsonSchema,
            "What nodes write while they run: outputs of extensions, subgraphs and voice nodes. `{}` is untyped.",
        )
        .required()
        .refused_as("agentos:I9"),
        field(
            "artifacts",
            Type::JsonSchema,
            "What nodes leave behind, each under its `outputAs` or its id. `{}` is untyped.",
        )
        .required()
        .refused_as("agentos:I9"),
    ],
};

const GRAPH_KIND: Kind = Kind {
    name: "CompiledExecutionGraph",
    role: KindRole::Graph,
    evidence: &[
        &[Mark::ItemHas("nodes", "executorConfig")],
        &[Mark::ItemWord("edges", "source", SENTINELS)],
        &[Mark::ItemWord("edges", "target", SENTINELS)],
        &[Mark::List("nodes"), Mark::List("edges"), Mark::Has("checkpointPolicy")],
        &[Mark::List("nodes"), Mark::List("edges"), Mark::Has("memoryConsistency")],
        &[Mark::Map("stateSchema"), Mark::Has("checkpointPolicy")],
    ],
    shape: Shape {
        name: "CompiledExecutionGraph",
        doc: "A graph of nodes and edges, as builders compile it.",
        fields: &[
            field(
                "id",
                Type::Symbol(Symbol::Graph, NameUse::Declares),
                "The graph's id, which subgraph nodes name. Builders make `graph-<name>-<milliseconds>`.",
            )
            .required(),
            field("name", Type::Text, "The name for people.").label().required(),
            field(
                "nodes",
                Type::List(&A_NODE),
                "The nodes. Their order decides between nodes that are ready at once. `__START__` and `__END__` are not listed.",
            )
            .required(),
            field(
                "edges",
                Type::List(&AN_EDGE),
                "The edges, with those from `__START__` and to `__END__`, in the order in which they are evaluated.",
            )
            .required(),
            field("stateSchema", Type::Object(&STATE_SCHEMA), "What the state holds.").required(),
            field(
                "reducers",
                Type::MapOf(&(Type::Symbol(Symbol::State, NameUse::Writes), Type::Word(REDUCERS))),
                "How writes of a scratch key are combined. Only `scratch.<key>` counts: `artifacts.` and deeper paths never apply.",
            ).topic(ReviewTopic::Policy)
            .required()
            .tolerated_as("agentos:I48"),
            field(
                "checkpointPolicy",
                Type::Word(CHECKPOINT_POLICIES),
                "When checkpoints are saved beside those that nodes ask for.",
            ).topic(ReviewTopic::Policy)
            .required(),
            field(
                "memoryConsistency",
                Type::Word(CONSISTENCIES),
                "How long-term memory is isolated. The base runtime ignores it.",
            ).topic(ReviewTopic::Policy)
            .required(),
        ],
    },
};

const NODE_KIND: Kind = Kind {
    name: "GraphNode",
    role: KindRole::GraphNode,
    evidence: &[
        &[Mark::Text("id"), Mark::Map("executorConfig"), Mark::Lacks("nodes")],
        &[Mark::Map("executorConfig"), Mark::Has("executionMode"), Mark::Lacks("nodes")],
        &[Mark::Map("executorConfig"), Mark::Has("effectClass"), Mark::Lacks("nodes")],
    ],
    shape: node::NODE_SHAPE,
};

const EDGE_KIND: Kind = Kind {
    name: "GraphEdge",
    role: KindRole::Plan,
    evidence: &[&[
        Mark::Text("source"),
        Mark::Text("target"),
        Mark::Word("type", EDGE_TYPES),
        Mark::Lacks("nodes"),
        Mark::Lacks("edges"),
    ]],
    shape: edge::EDGE_SHAPE,
};
