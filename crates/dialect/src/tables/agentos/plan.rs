//! What programs compile to graphs or run by themselves: mission plans and configurations, workflow steps, the older
//! workflow definitions (agentos:1.4).

use super::CONSISTENCIES;
use super::guardrails::A_GUARDRAIL;
use super::node::{EFFECTS, RETRY_POLICY};
use super::policy::{DISCOVERY_POLICY, GUARDRAIL_POLICY, STEP_MEMORY};
use super::voice::VOICE_CONFIG;
use crate::table::{
    FieldOrigin, Kind, KindRole, Mark, NameUse, Shape, Symbol, Type, Word, at_least, field, integer_from,
    number_above, word,
};

/// The action of a step that calls a tool.
pub const TOOL_ACTION: &str = "tool_call";

const ACTIONS: &[Word] = &[
    word("reasoning", "a language model thinks; becomes a gmi node"),
    word(TOOL_ACTION, "a tool is called; needs `toolName`"),
    word("human_input", "a person is asked"),
    word("validation", "the mission's guardrails look; becomes a guardrail node that warns, and so halts"),
];

const PHASES: &[Word] =
    &[word("gather", "first"), word("process", "second"), word("validate", "third"), word("deliver", "last")];

const STYLES: &[Word] = &[
    word("research", "gather, process, deliver, refine"),
    word("qa", "a quick search, then the answer"),
    word("creative", "brainstorm, develop, produce, polish"),
];

static SOME_TEXT: Type = Type::Text;

static A_STEP_ID: Type = Type::Symbol(Symbol::Node, NameUse::Declares);

static A_PLAN_STEP: Type = Type::Object(&PLAN_STEP);

static PLAN_STEPS: Type = Type::List(&A_PLAN_STEP);

static PLAN_STEP: Shape = Shape {
    name: "MissionPlanStep",
    doc: "A step of a mission plan; it becomes a node of a chain, ordered by phase and then by the list.",
    fields: &[
        field("id", Type::Sized(&A_STEP_ID, at_least(1)), "The id of the node that it becomes.")
            .required()
            .range_class("agentos:R15")
            .refused_as("agentos:R15"),
        field("action", Type::Word(ACTIONS), "What the step does.").required().refused_as("agentos:R17"),
        field("phase", Type::Word(PHASES), "When: phases follow one another.")
            .required()
            .refused_as("agentos:R17"),
        field("description", Type::Text, "The instructions for the model, or the question for the person.")
            .required(),
        field("toolName", Type::Symbol(Symbol::Tool, NameUse::Refers), "With `action: tool_call`: the tool.")
            .needed_beside("action", &[TOOL_ACTION]),
        field(
            "maxIterations",
            number_above(0.0),
            "The most rounds of model and tools, capped by the mission's `maxIterationsPerNode`.",
        )
        .range_class("agentos:I28"),
    ],
};

const PLAN_SHAPE: Shape = Shape {
    name: "MissionPlan",
    doc: "Steps that a mission compiles to one chain of nodes, with a checkpoint after each.",
    fields: &[field("steps", Type::Sized(&PLAN_STEPS, at_least(1)), "The steps.")
        .required()
        .range_class("agentos:R14")
        .refused_as("agentos:R14")],
};

static PLAN: Shape = PLAN_SHAPE;

pub(super) const PLAN_KIND: Kind = Kind {
    name: "MissionPlan",
    role: KindRole::Plan,
    evidence: &[&[Mark::ItemHas("steps", "action"), Mark::ItemHas("steps", "phase")]],
    shape: PLAN_SHAPE,
};

static PLANNER: Shape = Shape {
    name: "PlannerConfig",
    doc: "How a mission is planned.",
    fields: &[
        field("strategy", Type::Text, "The name of the planning strategy. It has no effect.")
            .origin(FieldOrigin::Unheeded),
        field("maxSteps", integer_from(1), "The most steps; it has no effect.").origin(FieldOrigin::Unheeded),
        field("maxIterationsPerNode", integer_from(1), "The most rounds of model and tools of one node."),
        field("parallelTools", Type::Boolean, "Runs the tools of one round at once."),
        field(
            "style",
            Type::Word(STYLES),
            "Which fixed chain to take without a plan; guessed from the goal when absent.",
        )
        .refused_as("agentos:R13"),
        field("plan", Type::Object(&PLAN), "The plan; without one the style decides."),
    ],
};

static POLICIES: Shape = Shape {
    name: "MissionPolicies",
    doc: "Policies of all nodes of a mission.",
    fields: &[
        field("memory", Type::Open(&MISSION_MEMORY), "How long-term memory is used."),
        field("discovery", Type::Any, "How capabilities are found."),
        field("personality", Type::Any, "Which persona the nodes have."),
        field("guardrails", Type::List(&A_GUARDRAIL), "Guardrails of every node's output."),
    ],
};

static MISSION_MEMORY: Shape = Shape {
    name: "MissionMemory",
    doc: "How a mission uses long-term memory.",
    fields: &[
        field("consistency", Type::Word(CONSISTENCIES), "How the memory is isolated.").default("snapshot")
    ],
};

static ANCHOR: Shape = Shape {
    name: "MissionAnchor",
    doc: "A node of its own in a mission's chain.",
    fields: &[
        field("id", Type::Text, "Its id.").required(),
        field("node", Type::Any, "The node.").required(),
        field("constraints", Type::Open(&ANCHOR_CONSTRAINTS), "Where it goes.").required(),
    ],
};

static ANCHOR_CONSTRAINTS: Shape = Shape {
    name: "AnchorConstraints",
    doc: "Where an anchor goes: after the named step, else at the end of its phase, else at the very end.",
    fields: &[
        field("required", Type::Boolean, "It has no effect.").origin(FieldOrigin::Unheeded),
        field(
            "phase",
            Type::Word(PHASES),
            "The phase at whose end it goes. An unknown one leaves it without edges.",
        ),
        field("after", Type::Text, "The step after which it goes."),
        field("before", Type::Text, "It has no effect.").origin(FieldOrigin::Unheeded),
    ],
};

static AN_ANCHOR: Type = Type::Object(&ANCHOR);

pub(super) const MISSION_KIND: Kind = Kind {
    name: "MissionConfig",
    role: KindRole::Plan,
    evidence: &[
        &[Mark::Map("plannerConfig")],
        &[Mark::Has("goalTemplate"), Mark::Has("returnsSchema")],
        &[Mark::Has("goalTemplate"), Mark::Has("inputSchema")],
    ],
    shape: Shape {
        name: "MissionConfig",
        doc: "A mission: a goal that is compiled to a chain of nodes.",
        fields: &[
            field("name", Type::Text, "The mission's name.").required(),
            field("inputSchema", Type::JsonSchema, "What it is given. A plain JSON Schema compiles to `{}`.")
                .required()
                .refused_as("agentos:R11"),
            field("goalTemplate", Type::Text, "The goal; `{{topic}}` stands for a part of the input.")
                .required()
                .refused_as("agentos:R11"),
            field(
                "returnsSchema",
                Type::JsonSchema,
                "What it gives back. A plain JSON Schema compiles to `{}`.",
            )
            .required()
            .refused_as("agentos:R11"),
            field("plannerConfig", Type::Object(&PLANNER), "How it is planned.")
                .required()
                .refused_as("agentos:R11"),
            field("policyConfig", Type::Object(&POLICIES), "Policies of all nodes."),
            field("anchors", Type::List(&AN_ANCHOR), "Nodes that are put into the chain."),
        ],
    },
};

static SCHEMA_HOLDER: Shape = Shape {
    name: "WorkflowSchema",
    doc: "What a workflow is given, or gives back.",
    fields: &[field("schema", Type::JsonSchema, "The schema. A plain JSON Schema compiles to `{}`.")
        .required()
        .tolerated_as("agentos:R9")],
};

static STEP_MODEL: Shape = Shape {
    name: "StepModel",
    doc: "A call of a language model.",
    fields: &[
        field("instructions", Type::Text, "The instructions for the model.").required(),
        field("maxTokens", integer_from(1), "The longest answer.").range_class("agentos:I28"),
    ],
};

static STEP_HUMAN: Shape = Shape {
    name: "StepHuman",
    doc: "A question for a person.",
    fields: &[field("prompt", Type::Text, "The question.").required()],
};

static STEP_EXTENSION: Shape = Shape {
    name: "StepExtension",
    doc: "A call of a method of an extension.",
    fields: &[
        field("extensionId", Type::Symbol(Symbol::Extension, NameUse::Refers), "The extension.").required(),
        field("method", Type::Text, "The method.").required(),
    ],
};

const ON_FAILURE: &[Word] =
    &[word("abort", "end the run"), word("skip", "continue without it"), word("retry", "try it again")];

static STEP: Shape = Shape {
    name: "WorkflowStep",
    doc: "A step of a workflow: exactly one of a tool, a model, a person, an extension, a graph, a voice session.",
    fields: &[
        field("id", A_STEP_ID, "The id of the node that it becomes.").required(),
        field("tool", Type::Symbol(Symbol::Tool, NameUse::Refers), "The tool to call."),
        field("gmi", Type::Object(&STEP_MODEL), "The language model to call."),
        field("human", Type::Object(&STEP_HUMAN), "The person to ask."),
        field("extension", Type::Object(&STEP_EXTENSION), "The extension to call."),
        field("subgraph", Type::Open(&STEP_GRAPH), "The graph to run; only its id is kept."),
        field("voice", Type::Object(&VOICE_CONFIG), "The voice session to hold."),
        field(
            "memory",
            Type::Object(&STEP_MEMORY),
            "A memory policy; kept for tools, models, extensions and voice.",
        ),
        field("discovery", Type::Object(&DISCOVERY_POLICY), "A discovery policy; kept for tools."),
        field(
            "guardrails",
            Type::Object(&GUARDRAIL_POLICY),
            "A guardrail policy; kept for tools, models, extensions and voice.",
        ),
        field("retryPolicy", Type::Object(&RETRY_POLICY), "How often it is tried again; kept for tools."),
        field(
            "timeout",
            number_above(0.0),
            "The most milliseconds; kept for tools, people, extensions and voice.",
        )
        .range_class("agentos:I30"),
        field("effectClass", Type::Word(EFFECTS), "What side effects it has; dropped for models and people."),
        field(
            "outputAs",
            Type::Symbol(Symbol::Artifact, NameUse::Writes),
            "The key of its output in artifacts.",
        ),
        field("requiresApproval", Type::Boolean, "It is dropped.").origin(FieldOrigin::Unheeded),
        field("onFailure", Type::Word(ON_FAILURE), "It is dropped.").origin(FieldOrigin::Unheeded),
    ],
};

static STEP_GRAPH: Shape = Shape {
    name: "StepGraph",
    doc: "A graph; only its id is kept.",
    fields: &[field("id", Type::Symbol(Symbol::Graph, NameUse::Refers), "The graph's id.").required()],
};

static A_WORKFLOW_STEP: Type = Type::Object(&STEP);

pub(super) const WORKFLOW_KIND: Kind = Kind {
    name: "Workflow",
    role: KindRole::Plan,
    evidence: &[
        &[Mark::Has("name"), Mark::ItemHas("steps", "id"), Mark::ItemHas("steps", "gmi")],
        &[Mark::Has("name"), Mark::ItemHas("steps", "tool"), Mark::Map("input"), Mark::Map("returns")],
        &[Mark::Has("name"), Mark::ItemHas("steps", "id"), Mark::ItemHas("steps", "voice")],
        &[Mark::Has("name"), Mark::ItemHas("steps", "human"), Mark::Map("returns")],
        &[Mark::Has("name"), Mark::ItemHas("steps", "extension"), Mark::Map("returns")],
        &[Mark::Has("name"), Mark::ItemHas("steps", "subgraph"), Mark::Map("returns")],
    ],
    shape: Shape {
        name: "Workflow",
        doc: "Steps in a row, as the workflow builder takes them. Release 0.9.164 reads no such file by itself, so that what only \
              the builder wants is a warning.",
        fields: &[
            field("name", Type::Text, "The workflow's name.").required(),
            field("input", Type::Object(&SCHEMA_HOLDER), "What it is given.")
                .required()
                .tolerated_as("agentos:R9"),
            field("returns", Type::Object(&SCHEMA_HOLDER), "What it gives back.")
                .required()
                .tolerated_as("agentos:R9"),
            field(
                "transport",
                Type::Any,
                "The voice transport: `type`, `stt`, `tts`, `voice`, `bargeIn` and more.",
            ),
            field("steps", Type::List(&A_WORKFLOW_STEP), "The steps.").required(),
        ],
    },
};

static A_TASK: Type = Type::Object(&TASK);

static SOME_TASK_IDS: Type = Type::Symbol(Symbol::Node, NameUse::Refers);

const TASK_EXECUTORS: &[Word] = &[
    word("gmi", "a language model"),
    word("human", "a person"),
    word("tool", "a tool"),
    word("extension", "an extension"),
];

static TASK_EXECUTOR: Shape = Shape {
    name: "TaskExecutor",
    doc: "Who does a task.",
    fields: &[
        field("type", Type::Word(TASK_EXECUTORS), "What kind of executor.").required(),
        field("roleId", Type::Text, "The role that does it."),
        field("personaId", Type::Text, "The persona that does it."),
        field("instructions", Type::Text, "The instructions for the executor."),
        field("extensionId", Type::Symbol(Symbol::Extension, NameUse::Refers), "The extension."),
    ],
};

static TASK: Shape = Shape {
    name: "WorkflowTask",
    doc: "A task of an older workflow definition; it waits for the tasks that it depends on.",
    fields: &[
        field("id", A_STEP_ID, "The task's id, unique in the definition.").required(),
        field("name", Type::Text, "The name for people.").required(),
        field("dependsOn", Type::List(&SOME_TASK_IDS), "The tasks that must be done before."),
        field("executor", Type::Object(&TASK_EXECUTOR), "Who does it.").required(),
        field("inputSchema", Type::JsonSchema, "What it takes."),
        field("outputSchema", Type::JsonSchema, "What it yields."),
        field("policyTags", Type::List(&SOME_TEXT), "Tags for policies."),
        field(
            "retryPolicy",
            Type::Any,
            "How often it is tried again: `maxAttempts`, `backoffSeconds`, `strategy`.",
        ),
        field("skippable", Type::Boolean, "Whether it may be left out."),
        field("metadata", Type::Any, "Free notes."),
    ],
};

pub(super) const DEFINITION_KIND: Kind = Kind {
    name: "WorkflowDefinition",
    role: KindRole::Plan,
    evidence: &[
        &[Mark::Has("displayName"), Mark::ItemHas("tasks", "executor")],
        &[Mark::ItemHas("tasks", "executor"), Mark::ItemHas("tasks", "dependsOn")],
    ],
    shape: Shape {
        name: "WorkflowDefinition",
        doc: "An older definition of a workflow: tasks that depend on one another. The graph runtime does not run it.",
        fields: &[
            field("id", Type::Text, "The definition's id.").required(),
            field("version", Type::Text, "Its version."),
            field("displayName", Type::Text, "The name for people.").required(),
            field("description", Type::Text, "What it is for."),
            field("goalSchema", Type::JsonSchema, "What it is given."),
            field("finalOutputSchema", Type::JsonSchema, "What it gives back."),
            field("roles", Type::List(&A_ROLE), "The roles that tasks name."),
            field("tasks", Type::List(&A_TASK), "The tasks.").required(),
            field("metadata", Type::Any, "Free notes."),
        ],
    },
};

static A_ROLE: Type = Type::Open(&ROLE);

static ROLE: Shape = Shape {
    name: "WorkflowRole",
    doc: "A role that does tasks.",
    fields: &[
        field("roleId", Type::Text, "Its id.").required(),
        field("displayName", Type::Text, "The name for people.").required(),
        field("personaId", Type::Text, "The persona that takes it."),
    ],
};

static ANYTHING: Type = Type::Any;

static A_REWIRING: Type = Type::Object(&REWIRING);

static REWIRING: Shape = Shape {
    name: "RewireEdge",
    doc: "An edge that leads elsewhere from now on: the first one between the two nodes.",
    fields: &[
        field("from", Type::Symbol(Symbol::Endpoint, NameUse::Refers), "Where the edge comes from.")
            .required(),
        field("to", Type::Symbol(Symbol::Endpoint, NameUse::Refers), "Where it leads so far.").required(),
        field("newTarget", Type::Symbol(Symbol::Endpoint, NameUse::Refers), "Where it leads then.")
            .required(),
    ],
};

pub(super) const PATCH_KIND: Kind = Kind {
    name: "GraphPatch",
    role: KindRole::Plan,
    evidence: &[&[Mark::List("addNodes"), Mark::List("addEdges")]],
    shape: Shape {
        name: "GraphPatch",
        doc: "A change of a graph while it runs: removes, leads edges elsewhere, then adds. Loose nodes are completed.",
        fields: &[
            field("addNodes", Type::List(&ANYTHING), "Nodes to add; absent parts are filled in.").required(),
            field("addEdges", Type::List(&ANYTHING), "Edges to add; absent ends are the start and the end.")
                .required(),
            field("removeNodes", Type::List(&SOME_TASK_IDS), "Nodes to remove, with every edge at them."),
            field("rewireEdges", Type::List(&A_REWIRING), "Edges to lead elsewhere."),
            field("reason", Type::Text, "Why.").required(),
            field("estimatedCostDelta", Type::Any, "What it costs more, in US dollars."),
            field("estimatedLatencyDelta", Type::Any, "How much longer it takes, in milliseconds."),
        ],
    },
};
