//! How TypeScript and JavaScript programs build graphs with `@framers/agentos` 0.9.164.

use super::builder_parts::{
    CHAIN_BLOCKS, COMPILE, DOCUMENT, GUARDRAIL_FIXED, HUMAN_FIXED, INPUT_METHOD, RETURNS_METHOD, SOURCE,
    STATIC_EDGE, TARGET, TOOL_DEFAULTS, TOOL_FIXED, step,
};
use super::missions::MISSION;
use super::node::{VOICE_EFFECT, VOICE_MODE};
use super::{ARTIFACTS, DECIDED_TARGET, END, FOUND_TARGET, GRAPH_KIND, INPUT, SCRATCH, START};
use crate::table::BuilderArgument::{Named, Options};
use crate::table::OptionForm::{Composed, Decision, Expression, Graph, Schema};
use crate::table::{
    Builder, BuilderKeys, BuilderOption, Builders, ChainKeys, Does, Makes, MethodChain, StepKind, Steps,
    builder, method, node_builder, option,
};

/// The functions and classes of the package.
pub(super) static BUILDERS: Builders = Builders {
    packages: &["@framers/agentos"],
    functions: FUNCTIONS,
    node: &[],
    edge: &[],
    edge_ends: ["source", "target"],
    keys: BuilderKeys::NONE,
    verbatim: &[],
    providers: &[],
    constants: &[("START", START), ("END", END)],
    types: &[GRAPH_KIND.name],
};

const FUNCTIONS: &[Builder] = &[
    builder("AgentGraph", Makes::Chain)
        .arguments(&[Options, Options])
        .closed(&[("checkpointPolicy", "none"), ("memoryConsistency", "snapshot")])
        .fixed(&[("name", "agent-graph")])
        .blocks(CHAIN_BLOCKS)
        .options(&[
            option(INPUT, "stateSchema.input").form(Schema),
            option(SCRATCH, "stateSchema.scratch").form(Schema),
            option(ARTIFACTS, "stateSchema.artifacts").form(Schema),
            option("reducers", "reducers"),
            option("checkpointPolicy", "checkpointPolicy"),
            option("memoryConsistency", "memoryConsistency"),
        ])
        .chain(&GRAPH_CHAIN),
    builder("workflow", Makes::Chain)
        .arguments(&[Named("name")])
        .closed(&[])
        .fixed(&[("checkpointPolicy", "every_node"), ("memoryConsistency", "snapshot")])
        .blocks(CHAIN_BLOCKS)
        .options(&[option("name", "name")])
        .chain(&WORKFLOW_CHAIN),
    MISSION,
    MODEL_NODE,
    node_builder("toolNode", TOOL_FIXED)
        .arguments(&[Named("name"), Options, Options])
        .closed(TOOL_DEFAULTS)
        .options(&[
            option("name", "executorConfig.toolName"),
            option("args", "executorConfig.args"),
            option("timeout", "timeout"),
            option("retryPolicy", "retryPolicy"),
            MEMORY,
            DISCOVERY,
            PERSONA,
            GUARDRAILS,
            CHECKPOINT,
            EFFECT,
        ]),
    node_builder("humanNode", HUMAN_FIXED)
        .arguments(&[Options, Options])
        .closed(&[("checkpoint", "after")])
        .options(&[
            option("prompt", "executorConfig.prompt"),
            option("autoAccept", "executorConfig.autoAccept"),
            option("autoReject", "executorConfig.autoReject"),
            option("judge", "executorConfig.judge"),
            option("onTimeout", "executorConfig.onTimeout"),
            option("guardrailOverride", "executorConfig.guardrailOverride"),
            option("timeout", "timeout"),
            MEMORY,
            GUARDRAILS,
            CHECKPOINT,
        ]),
    node_builder("routerNode", ROUTER_FIXED).arguments(&[Named("condition")]).closed(&[]).options(&[option(
        "condition",
        "executorConfig.condition",
    )
    .form(Expression("expression", "expr"))]),
    node_builder("guardrailNode", GUARDRAIL_FIXED).arguments(&[Named("ids"), Options]).closed(&[]).options(
        &[
            option("ids", "executorConfig.guardrailIds"),
            option("onViolation", "executorConfig.onViolation"),
            option("rerouteTarget", "executorConfig.rerouteTarget"),
        ],
    ),
    node_builder(
        "judgeNode",
        &[("type", "gmi"), ("executorConfig.type", "gmi"), ("executionMode", "single_turn")],
    )
    .arguments(&[Options, Options])
    .closed(&[("effectClass", "read"), ("checkpoint", "none")])
    .options(&[
        option("rubric", "executorConfig.instructions").form(Composed),
        option("schema", "outputSchema").form(Schema),
        MEMORY,
        DISCOVERY,
        PERSONA,
        GUARDRAILS,
        CHECKPOINT,
        EFFECT,
    ]),
    node_builder(
        "subgraphNode",
        &[
            ("type", "subgraph"),
            ("executorConfig.type", "subgraph"),
            ("executionMode", "single_turn"),
            ("effectClass", "read"),
            ("checkpoint", "none"),
        ],
    )
    .arguments(&[Named("graph"), Options])
    .closed(&[])
    .options(&[
        option("graph", "executorConfig.graphId").form(Graph),
        option("inputMapping", "executorConfig.inputMapping"),
        option("outputMapping", "executorConfig.outputMapping"),
    ]),
    node_builder("voiceNode", VOICE_FIXED)
        .arguments(&[Named("id"), Named("config")])
        .closed(&[])
        .options(&[option("config", "executorConfig.voiceConfig")])
        .chain(&VOICE_CHAIN),
];

const MEMORY: BuilderOption = option("memory", "memoryPolicy");
const DISCOVERY: BuilderOption = option("discovery", "discoveryPolicy");
const PERSONA: BuilderOption = option("persona", "personaPolicy");
const GUARDRAILS: BuilderOption = option("guardrails", "guardrailPolicy");
const CHECKPOINT: BuilderOption = option("checkpoint", "checkpoint");
const EFFECT: BuilderOption = option("effectClass", "effectClass");
const OUTPUT: BuilderOption = option("outputAs", "metadata.outputAs");

const MODEL_NODE: Builder = node_builder("gmiNode", &[("type", "gmi"), ("executorConfig.type", "gmi")])
    .arguments(&[Options, Options])
    .closed(&[("executionMode", VOICE_MODE), ("effectClass", "read"), ("checkpoint", "none")])
    .options(&[
        option("instructions", "executorConfig.instructions"),
        option("maxInternalIterations", "executorConfig.maxInternalIterations"),
        option("parallelTools", "executorConfig.parallelTools"),
        option("temperature", "executorConfig.temperature"),
        option("maxTokens", "executorConfig.maxTokens"),
        option("executionMode", "executionMode"),
        MEMORY,
        DISCOVERY,
        PERSONA,
        GUARDRAILS,
        CHECKPOINT,
        EFFECT,
    ]);

const ROUTER_FIXED: &[(&str, &str)] = &[
    ("type", "router"),
    ("executorConfig.type", "router"),
    ("executionMode", "single_turn"),
    ("effectClass", "pure"),
    ("checkpoint", "none"),
];

const VOICE_FIXED: &[(&str, &str)] = &[
    ("type", "voice"),
    ("executorConfig.type", "voice"),
    ("executionMode", VOICE_MODE),
    ("effectClass", VOICE_EFFECT),
    ("checkpoint", "before"),
];

static VOICE_CHAIN: MethodChain = MethodChain {
    methods: &[method("on", Does::SetsMember("edges")), method("build", Does::Returns)],
    graph: None,
    steps: None,
    planning: None,
};

static GRAPH_CHAIN: MethodChain = MethodChain {
    methods: &[
        method("addNode", Does::AddsNode),
        method("addEdge", Does::AddsEdges(&[STATIC_EDGE])),
        method("addConditionalEdge", Does::AddsEdges(&[CONDITIONAL_EDGE])),
        method("addDiscoveryEdge", Does::AddsEdges(&[DISCOVERY_EDGE])),
        method(
            "addPersonalityEdge",
            Does::AddsEdges(&[
                personality_edge(&[
                    SOURCE,
                    option("above", "target"),
                    TRAIT,
                    THRESHOLD,
                    option("above", "personalityCondition.above"),
                    option("below", "personalityCondition.below"),
                ]),
                personality_edge(&[
                    SOURCE,
                    option("below", "target"),
                    TRAIT,
                    THRESHOLD,
                    option("above", "personalityCondition.above"),
                    option("below", "personalityCondition.below"),
                ]),
            ]),
        ),
        COMPILE,
        DOCUMENT,
    ],
    graph: Some(ChainKeys { nodes: "nodes", edges: "edges", edge_id: "edge-" }),
    steps: None,
    planning: None,
};

const TRAIT: BuilderOption = option("trait", "personalityCondition.trait");
const THRESHOLD: BuilderOption = option("threshold", "personalityCondition.threshold");

const CONDITIONAL_EDGE: Builder =
    node_builder("addConditionalEdge", &[("target", DECIDED_TARGET), ("type", "conditional")])
        .arguments(&[Named("source"), Named("condition")])
        .closed(&[])
        .options(&[SOURCE, option("condition", "condition").form(Decision)]);

const DISCOVERY_EDGE: Builder = node_builder("addDiscoveryEdge", &[("type", "discovery")])
    .arguments(&[Named("source"), Options])
    .closed(&[("target", FOUND_TARGET)])
    .options(&[
        SOURCE,
        option("fallbackTarget", "target"),
        option("query", "discoveryQuery"),
        option("kind", "discoveryKind"),
        option("fallbackTarget", "discoveryFallback"),
    ]);

const fn personality_edge(options: &'static [BuilderOption]) -> Builder {
    node_builder("addPersonalityEdge", &[("type", "personality")])
        .arguments(&[Named("source"), Options])
        .closed(&[])
        .options(options)
}

static WORKFLOW_CHAIN: MethodChain = MethodChain {
    methods: &[
        INPUT_METHOD,
        RETURNS_METHOD,
        method("transport", Does::Nothing),
        method("step", Does::AddsStep),
        method("then", Does::AddsStep),
        method("branch", Does::AddsBranches),
        method("parallel", Does::AddsParallel("merge", "reducers")),
        COMPILE,
        DOCUMENT,
        method("toWorkflow", Does::Returns),
    ],
    graph: Some(ChainKeys { nodes: "nodes", edges: "edges", edge_id: "we-" }),
    steps: Some(&STEPS),
    planning: None,
};

static STEPS: Steps = Steps {
    kinds: &[
        StepKind {
            key: "tool",
            node: step(TOOL_FIXED).closed(TOOL_DEFAULTS).options(&[
                option("tool", "executorConfig.toolName"),
                option("timeout", "timeout"),
                option("retryPolicy", "retryPolicy"),
                EFFECT,
                MEMORY,
                DISCOVERY,
                GUARDRAILS,
                OUTPUT,
            ]),
        },
        StepKind {
            key: "gmi",
            node: step(&[
                ("type", "gmi"),
                ("executorConfig.type", "gmi"),
                ("executionMode", "single_turn"),
                ("effectClass", "read"),
                ("checkpoint", "none"),
            ])
            .closed(&[])
            .options(&[
                option("gmi.instructions", "executorConfig.instructions"),
                option("gmi.maxTokens", "executorConfig.maxTokens"),
                MEMORY,
                GUARDRAILS,
                OUTPUT,
            ]),
        },
        StepKind {
            key: "human",
            node: step(HUMAN_FIXED).closed(&[("checkpoint", "after")]).options(&[
                option("human.prompt", "executorConfig.prompt"),
                option("timeout", "timeout"),
                OUTPUT,
            ]),
        },
        StepKind {
            key: "extension",
            node: step(&[
                ("type", "extension"),
                ("executorConfig.type", "extension"),
                ("executionMode", "single_turn"),
                ("checkpoint", "none"),
            ])
            .closed(&[("effectClass", "external")])
            .options(&[
                option("extension.extensionId", "executorConfig.extensionId"),
                option("extension.method", "executorConfig.method"),
                option("timeout", "timeout"),
                EFFECT,
                MEMORY,
                GUARDRAILS,
                OUTPUT,
            ]),
        },
        StepKind {
            key: "subgraph",
            node: step(&[
                ("type", "subgraph"),
                ("executorConfig.type", "subgraph"),
                ("executionMode", "single_turn"),
                ("checkpoint", "none"),
            ])
            .closed(&[("effectClass", "read")])
            .options(&[
                option("subgraph", "executorConfig.graphId").form(Graph),
                EFFECT,
                OUTPUT,
            ]),
        },
        StepKind {
            key: "voice",
            node: step(VOICE_FIXED).closed(&[]).options(&[
                option("voice", "executorConfig.voiceConfig"),
                option("timeout", "timeout"),
                MEMORY,
                GUARDRAILS,
                OUTPUT,
            ]),
        },
    ],
    other: step(&[
        ("type", "tool"),
        ("executorConfig.type", "tool"),
        ("executorConfig.toolName", "unknown"),
        ("executionMode", "single_turn"),
        ("effectClass", "external"),
        ("checkpoint", "none"),
    ])
    .closed(&[])
    .options(&[option("timeout", "timeout")]),
    choice: step(ROUTER_FIXED)
        .closed(&[])
        .options(&[option("condition", "executorConfig.condition").form(Decision)]),
    choice_id: "router-",
    branch_id: "branch-",
    parallel_id: "parallel-",
    edge: STATIC_EDGE,
    choice_edge: node_builder("branch", &[("type", "conditional")]).closed(&[]).options(&[
        SOURCE,
        TARGET,
        option("condition", "condition").form(Decision),
    ]),
    ends: [START, END],
};
