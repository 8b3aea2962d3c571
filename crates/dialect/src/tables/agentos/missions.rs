//! How `mission(…)` of `@framers/agentos` 0.9.164 plans a graph.

use super::builder_parts::{
    CHAIN_BLOCKS, COMPILE, DOCUMENT, GUARDRAIL_FIXED, HUMAN_FIXED, INPUT_METHOD, RETURNS_METHOD, STATIC_EDGE,
    TOOL_DEFAULTS, TOOL_FIXED, step,
};
use super::{END, START, TOOL_ACTION};
use crate::table::{
    Builder, BuilderArgument, ChainKeys, Does, GoalOpening, Makes, MethodChain, PlanAction, PlanStyle,
    Planning, builder, method, opening, option,
};

pub(super) const MISSION: Builder = builder("mission", Makes::Chain)
    .arguments(&[BuilderArgument::Named("name")])
    .closed(&[])
    .fixed(&[("checkpointPolicy", "every_node")])
    .blocks(CHAIN_BLOCKS)
    .options(&[option("name", "name")])
    .chain(&MISSION_CHAIN);

static MISSION_CHAIN: MethodChain = MethodChain {
    methods: &[
        INPUT_METHOD,
        RETURNS_METHOD,
        method(PLANNING.goal, Does::Keeps),
        method(PLANNING.planner, Does::Keeps),
        method(PLANNING.policy, Does::Keeps),
        method(PLANNING.anchor, Does::Keeps),
        method("autonomy", Does::Nothing),
        method("providerStrategy", Does::Nothing),
        method("costCap", Does::Nothing),
        method("maxAgents", Does::Nothing),
        method("branches", Does::Nothing),
        method("plannerModel", Does::Nothing),
        method("executionModel", Does::Nothing),
        COMPILE,
        DOCUMENT,
        method("toWorkflow", Does::Returns),
    ],
    graph: Some(ChainKeys { nodes: "nodes", edges: "edges", edge_id: "me-" }),
    steps: None,
    planning: Some(&PLANNING_TABLE),
};

static PLANNING_TABLE: Planning = PLANNING;

const PLANNING: Planning = Planning {
    goal: "goal",
    planner: "planner",
    policy: "policy",
    anchor: "anchor",
    steps: ["plan", "steps"],
    style: "style",
    styles: STYLES,
    question: (QUESTION, 120),
    other_style: RESEARCH,
    action: "action",
    actions: ACTIONS,
    phase: "phase",
    phases: &[GATHER, PROCESS, "validate", DELIVER],
    after: "after",
    rounds: ["maxIterations", "maxIterationsPerNode"],
    instructions: "description",
    shared: &["parallelTools"],
    guardrails: "guardrails",
    guarded: (
        "guardrailPolicy",
        step(&[("onViolation", "warn")]).closed(&[]).options(&[option("guardrails", "output")]),
    ),
    consistency: (["memory", "consistency"], "memoryConsistency", "snapshot"),
    edge: STATIC_EDGE,
    ends: [START, END],
};

const GATHER: &str = "gather";
const PROCESS: &str = "process";
const DELIVER: &str = "deliver";
const RESEARCH: &str = "research";
const QUESTION: &str = "qa";

const ACTIONS: &[PlanAction] = &[
    PlanAction {
        word: "reasoning",
        node: step(&[
            ("type", "gmi"),
            ("executorConfig.type", "gmi"),
            ("executionMode", "planner_controlled"),
            ("effectClass", "read"),
            ("checkpoint", "none"),
        ])
        .closed(&[])
        .options(&[
            option("description", "executorConfig.instructions"),
            option("maxIterations", "executorConfig.maxInternalIterations"),
            option("parallelTools", "executorConfig.parallelTools"),
        ]),
    },
    PlanAction {
        word: TOOL_ACTION,
        node: step(TOOL_FIXED)
            .closed(TOOL_DEFAULTS)
            .options(&[option("toolName", "executorConfig.toolName")]),
    },
    PlanAction {
        word: "human_input",
        node: step(HUMAN_FIXED)
            .closed(&[("checkpoint", "after")])
            .options(&[option("description", "executorConfig.prompt")]),
    },
    PlanAction {
        word: "validation",
        node: step(GUARDRAIL_FIXED)
            .closed(&[("executorConfig.onViolation", "warn")])
            .options(&[option("guardrails", "executorConfig.guardrailIds")]),
    },
];

const STYLES: &[PlanStyle] = &[
    PlanStyle {
        name: QUESTION,
        openings: QUESTIONS,
        steps: &[("research-quick", GATHER, 5.0), ("answer", DELIVER, 2.0)],
    },
    PlanStyle {
        name: "creative",
        openings: BRIEFS,
        steps: &[
            ("brainstorm", GATHER, 3.0),
            ("develop-concept", PROCESS, 2.0),
            ("produce-artifact", DELIVER, 3.0),
            ("polish", DELIVER, 2.0),
        ],
    },
    PlanStyle {
        name: RESEARCH,
        openings: &[],
        steps: &[
            ("gather-info", GATHER, 8.0),
            ("process-info", PROCESS, 2.0),
            ("deliver-result", DELIVER, 2.0),
            ("refine-output", DELIVER, 2.0),
        ],
    },
];

const QUESTIONS: &[GoalOpening] = &[
    opening(&[&["what"], &["is", "are", "was", "were", "does", "do", "did", "will", "would", "should"]]),
    opening(&[&["why"], &["is", "are", "was", "were", "does", "do", "did", "should", "would"]]),
    opening(&[&["how"], &["do", "does", "did", "can", "should", "would"]]).goes_on(),
    opening(&[&["how"], &["to"]]),
    opening(&[&["when"], &["is", "are", "does", "do", "did", "should", "would"]]),
    opening(&[&["who"], &["is", "are", "was", "were", "does", "do", "did"]]),
    opening(&[&["where"], &["is", "are", "was", "were", "does", "do", "did"]]),
    opening(&[&["explain", "define", "describe", "summarise", "summarize", "clarify"]]),
    opening(&[&["is", "are", "does", "do", "can", "should", "will"]]).goes_on(),
];

const BRIEFS: &[GoalOpening] = &[
    opening(&[&["write"], &["a", "an", "the", "some"]]).goes_on(),
    opening(&[&["compose", "imagine", "invent"]]),
    opening(&[&["draft", "design", "craft"], &["a", "an", "the"]]).goes_on(),
    opening(&[&["pen"], &["a", "an", "the"]]),
];

#[cfg(test)]
mod tests {
    use super::PLANNING;

    #[test]
    fn goals_have_a_style() {
        for (style, goals) in [
            (
                "qa",
                &[
                    "What is new?",
                    "what  are the rules of {{game}}",
                    "How do I bake",
                    "how to bake",
                    "How should we",
                    "Summarise {{x}}",
                    "Is it true",
                    " Can\tit rain",
                    "Anything new?",
                    "explain",
                ][..],
            ),
            (
                "creative",
                &[
                    "Write a poem",
                    "write some lines",
                    "Compose",
                    "pen the story",
                    "Draft an answer",
                    "imagine: x",
                ],
            ),
            (
                "research",
                &[
                    "",
                    "Research {{topic}}",
                    "whatever is new",
                    "what isn",
                    "Write {{x}}",
                    "Write a {{x}}",
                    "how do {{x}}",
                    "how do",
                    "is",
                    "island life",
                    "drafts a text",
                    "composed",
                ],
            ),
        ] {
            for goal in goals {
                assert_eq!(PLANNING.style_of(goal), style, "{goal}");
            }
        }
        assert_eq!(PLANNING.style_of(&format!("{}?", "x".repeat(119))), "qa");
        assert_eq!(PLANNING.style_of(&format!("{}?", "x".repeat(120))), "research");
    }
}
