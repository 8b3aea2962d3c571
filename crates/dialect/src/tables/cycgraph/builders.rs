//! How TypeScript and JavaScript programs build graphs with `@cycgraph/orchestrator` 1.4.0.
//!
//! An option without a row here is spelt like the document's key, in camel case.

use super::node::{
    A2A, AGENT_NODE, APPROVAL, EVOLUTION, MAP, REFLECTION, ROUTER, SUBGRAPH, SUPERVISOR, SYNTHESIZER,
    TOOL_NODE, VERIFIER, VOTING,
};
use super::{EDGE_SOURCE, EDGE_TARGET, GRANTED_READS, GRANTED_WRITES};
use crate::table::BuilderArgument::{Named, Options};
use crate::table::OptionForm::{Condition, Graph, OneOrMany, TextOr};
use crate::table::{
    Builder, BuilderKeys, BuilderOption, BuilderResult, Builders, Makes, builder, node_builder, option,
    result,
};

/// The functions of the package.
pub(super) static BUILDERS: Builders = Builders {
    packages: &["@cycgraph/orchestrator"],
    functions: FUNCTIONS,
    node: &[
        option("agent", "agent_id"),
        option("reads", GRANTED_READS),
        option("writes", GRANTED_WRITES).form(OneOrMany),
    ],
    edge: &[
        option("from", EDGE_SOURCE),
        option("to", EDGE_TARGET),
        option("when", "condition").form(Condition),
    ],
    edge_ends: ["from", "to"],
    keys: BuilderKeys {
        description: "description",
        nodes: "nodes",
        edges: "edges",
        source: EDGE_SOURCE,
        target: EDGE_TARGET,
        start: "start_node",
        ends: "end_nodes",
        inputs: "inputs",
        outputs: "outputs",
        schema: "schema",
        provider: "provider",
        tools: "tools",
        short_server: "mcp",
        server: "server_id",
        tool_names: "tool_names",
    },
    verbatim: &[
        "metadata",
        "weights",
        "input_mapping",
        "output_mapping",
        "static_items",
        "value",
        "provider_options",
        "memory",
        "env",
        "headers",
        "inputs",
        "outputs",
    ],
    providers: &[
        ("claude", "anthropic"),
        ("gpt-oss", ""),
        ("gpt-", "openai"),
        ("chatgpt", "openai"),
        ("o1", "openai"),
        ("o2", "openai"),
        ("o3", "openai"),
        ("o4", "openai"),
        ("o5", "openai"),
        ("o6", "openai"),
        ("o7", "openai"),
        ("o8", "openai"),
        ("o9", "openai"),
    ],
    constants: &[],
    types: &[],
};

const FUNCTIONS: &[Builder] = &[
    builder("graph", Makes::Graph),
    builder("createGraph", Makes::WrittenGraph),
    builder("agent", Makes::Agent).options(&[option("instructions", "system_prompt")]),
    builder("tool", Makes::Tool),
    builder("defineTool", Makes::Tool),
    builder("memoryKeys", Makes::Keys),
    node_builder("node", &[]).results(&[
        result("output", "_output").of_types(&["", AGENT_NODE, SYNTHESIZER]),
        result("result", "_result").of_types(&[TOOL_NODE]),
        result("synthesis", "_synthesis").of_types(&[SYNTHESIZER]),
    ]),
    node_builder("supervisor", &[("type", SUPERVISOR)])
        .arguments(&[Named("agent"), Options])
        .blocks(&["supervisor_config"])
        .options(&[
            option("manages", "supervisor_config.managed_nodes"),
            option("maxIterations", "supervisor_config.max_iterations"),
        ]),
    node_builder("mapReduce", &[("type", MAP)])
        .arguments(&[Named("worker"), Options])
        .blocks(&["map_reduce_config"])
        .options(MAP_OPTIONS)
        .results(&[
            result("results", "_results"),
            result("errors", "_errors"),
            result("count", "_count"),
            result("errorCount", "_error_count"),
        ]),
    node_builder("voting", &[("type", VOTING)])
        .arguments(&[Named("voters"), Options])
        .blocks(&["voting_config"])
        .options(VOTING_OPTIONS)
        .results(&[result("consensus", "_consensus"), result("votes", "_votes")]),
    node_builder("evolution", &[("type", EVOLUTION)])
        .arguments(&[Named("candidate"), Options])
        .blocks(&["evolution_config"])
        .options(EVOLUTION_OPTIONS)
        .results(&[
            result("winner", "_winner"),
            result("winnerFitness", "_winner_fitness"),
            result("winnerReasoning", "_winner_reasoning"),
            result("generation", "_generation"),
            result("fitnessHistory", "_fitness_history"),
            result("population", "_population"),
            result("budgetStopped", "_budget_stopped"),
        ]),
    verifier("verifier.llmJudge", &[("type", VERIFIER), ("verifier_config.type", "llm_judge")])
        .arguments(&[Named("judge"), Options])
        .options(JUDGE_OPTIONS),
    verifier("verifier.expression", &[("type", VERIFIER), ("verifier_config.type", "expression")])
        .arguments(&[Named("expression"), Options])
        .options(&[
            option("expression", "verifier_config.expression"),
            option("resultKey", "verifier_config.result_key"),
            option("throwOnFail", "verifier_config.throw_on_fail"),
            option("description", "verifier_config.description"),
        ]),
    verifier("verifier.jsonPath", &[("type", VERIFIER), ("verifier_config.type", "jsonpath")])
        .arguments(&[Named("target"), Options])
        .options(&[
            option("target", "verifier_config.target_key"),
            option("path", "verifier_config.path"),
            option("assertion", "verifier_config.assertion"),
            option("resultKey", "verifier_config.result_key"),
            option("throwOnFail", "verifier_config.throw_on_fail"),
            option("description", "verifier_config.description"),
        ]),
    node_builder("reflection", &[("type", REFLECTION)])
        .arguments(&[Named("sources"), Options])
        .blocks(&["reflection_config"])
        .options(&[
            option("sources", "reflection_config.source_keys"),
            option("extractor", "reflection_config.extractor"),
            option("tags", "reflection_config.tags"),
            option("entityKeys", "reflection_config.entity_keys"),
            option("resultKey", "reflection_config.result_key"),
        ])
        .results(&[result("reflection", "_reflection").named_by("resultKey", "")]),
    node_builder("approval", &[("type", APPROVAL)]).blocks(&["approval_config"]).options(&[
        option("prompt", "approval_config.prompt_message"),
        option("reviewKeys", "approval_config.review_keys"),
        option("timeoutMs", "approval_config.timeout_ms"),
        option("onReject", "approval_config.rejection_node_id"),
    ]),
    node_builder("router", &[("type", ROUTER)]),
    node_builder("synthesizer", &[("type", SYNTHESIZER)]).results(&[result("synthesis", "_synthesis")]),
    node_builder("runTool", &[("type", TOOL_NODE)])
        .arguments(&[Named("toolId"), Options])
        .options(&[option("toolId", "tool_id")])
        .results(&[result("result", "_result")]),
    node_builder("subgraph", &[("type", SUBGRAPH)])
        .arguments(&[Named("child"), Options])
        .blocks(&["subgraph_config"])
        .options(&[
            option("child", "subgraph_config.subgraph_id").form(Graph),
            option("inputs", "subgraph_config.input_mapping"),
            option("outputs", "subgraph_config.output_mapping"),
            option("maxIterations", "subgraph_config.max_iterations"),
        ]),
    node_builder("a2a", &[("type", A2A)])
        .arguments(&[Named("serverId"), Options])
        .blocks(&["a2a_config"])
        .options(&[
            option("serverId", "a2a_config.server_id"),
            option("skill", "a2a_config.skill_id"),
            option("inputs", "a2a_config.input_mapping"),
            option("outputs", "a2a_config.output_mapping"),
            option("maxWaitMs", "a2a_config.max_wait_ms"),
        ]),
];

const fn verifier(name: &'static str, fixed: &'static [(&'static str, &'static str)]) -> Builder {
    node_builder(name, fixed).results(VERIFIER_RESULTS)
}

const VERIFIER_RESULTS: &[BuilderResult] = &[
    result("verification", "_verification").named_by("resultKey", ""),
    result("passed", "_verification").named_by("resultKey", "_passed"),
];

const MAP_OPTIONS: &[BuilderOption] = &[
    option("worker", "map_reduce_config.worker_node_id"),
    option("items", "map_reduce_config.items_path").form(TextOr("map_reduce_config.static_items")),
    option("into", "map_reduce_config.synthesizer_node_id"),
    option("concurrency", "map_reduce_config.max_concurrency"),
    option("maxItems", "map_reduce_config.max_items"),
    option("onError", "map_reduce_config.error_strategy"),
    option("taskTimeoutMs", "map_reduce_config.task_timeout_ms"),
];

const VOTING_OPTIONS: &[BuilderOption] = &[
    option("voters", "voting_config.voter_agent_ids"),
    option("strategy", "voting_config.strategy"),
    option("voteKey", "voting_config.vote_key"),
    option("quorum", "voting_config.quorum"),
    option("judge", "voting_config.judge_agent_id"),
    option("weights", "voting_config.weights"),
    option("taskTimeoutMs", "voting_config.task_timeout_ms"),
];

const EVOLUTION_OPTIONS: &[BuilderOption] = &[
    option("candidate", "evolution_config.candidate_agent_id"),
    option("evaluator", "evolution_config.evaluator_agent_id"),
    option("populationSize", "evolution_config.population_size"),
    option("maxGenerations", "evolution_config.max_generations"),
    option("fitnessThreshold", "evolution_config.fitness_threshold"),
    option("stagnationGenerations", "evolution_config.stagnation_generations"),
    option("selection", "evolution_config.selection_strategy"),
    option("eliteCount", "evolution_config.elite_count"),
    option("concurrency", "evolution_config.max_concurrency"),
    option("criteria", "evolution_config.evaluation_criteria"),
    option("onError", "evolution_config.error_strategy"),
    option("initialTemperature", "evolution_config.initial_temperature"),
    option("finalTemperature", "evolution_config.final_temperature"),
    option("tournamentSize", "evolution_config.tournament_size"),
    option("taskTimeoutMs", "evolution_config.task_timeout_ms"),
];

const JUDGE_OPTIONS: &[BuilderOption] = &[
    option("judge", "verifier_config.evaluator_agent_id"),
    option("target", "verifier_config.target_key"),
    option("threshold", "verifier_config.pass_threshold"),
    option("criteria", "verifier_config.evaluation_criteria"),
    option("resultKey", "verifier_config.result_key"),
    option("throwOnFail", "verifier_config.throw_on_fail"),
    option("description", "verifier_config.description"),
];
