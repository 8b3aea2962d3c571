//! What people write for keys of AgentOS out of habit, and keys of other systems that AgentOS does not have.

use crate::table::{Foreign, KeyAlias, alias, foreign, foreign_edge};

const GRAPH: &str = "CompiledExecutionGraph";
const NODE: &str = "GraphNode";
const EDGE: &str = "GraphEdge";
const STEP: &str = "WorkflowStep";

pub(super) const ALIASES: &[KeyAlias] = &[
    alias(GRAPH, "id", &["graphId", "key"]),
    alias(GRAPH, "name", &["title"]),
    alias(GRAPH, "nodes", &["steps", "vertices", "tasks", "states"]),
    alias(GRAPH, "edges", &["links", "connections", "transitions", "arcs"]),
    alias(GRAPH, "stateSchema", &["state", "schema"]),
    alias(GRAPH, "checkpointPolicy", &["checkpoint", "checkpoints", "checkpointing"]),
    alias(NODE, "id", &["name", "node", "key"]),
    alias(NODE, "type", &["kind"]),
    alias(NODE, "executorConfig", &["executor", "settings", "options", "params"]),
    alias(NODE, "executionMode", &["mode"]),
    alias(NODE, "effectClass", &["effect", "effects", "sideEffects"]),
    alias(NODE, "retryPolicy", &["retries", "retry", "onFailure", "onError"]),
    alias(NODE, "timeout", &["timeoutMs", "timeoutSeconds"]),
    alias(EDGE, "source", &["from", "fromNode", "src", "start", "before"]),
    alias(EDGE, "target", &["to", "toNode", "dst", "dest", "destination", "goto", "next", "after"]),
    alias(EDGE, "condition", &["when", "if", "guard", "predicate", "path", "expr", "expression"]),
    alias(EDGE, "type", &["kind"]),
    alias("ExpressionCondition", "expr", &["expression", "condition", "when", "if", "code", "test"]),
    alias("GmiConfig", "instructions", &["prompt", "systemPrompt", "system", "message"]),
    alias("GmiConfig", "maxInternalIterations", &["iterations", "maxTurns", "maxSteps", "maxRounds"]),
    alias("ToolConfig", "toolName", &["tool", "name", "function"]),
    alias("ToolConfig", "args", &["arguments", "params", "parameters", "input", "inputs", "with"]),
    alias("HumanConfig", "prompt", &["message", "question", "text", "ask"]),
    alias("ExtensionConfig", "extensionId", &["extension", "id", "name"]),
    alias("SubgraphConfig", "graphId", &["graph", "subgraph", "id"]),
    alias("GuardrailConfig", "guardrailIds", &["guardrails", "ids"]),
    alias("RouterConfig", "condition", &["expr", "expression", "when", "if", "route"]),
    alias("RetryPolicy", "maxAttempts", &["maxRetries", "retries", "attempts", "limit", "maximumAttempts"]),
    alias("RetryPolicy", "backoff", &["strategy", "backoffStrategy"]),
    alias(
        "RetryPolicy",
        "backoffMs",
        &["delay", "delayMs", "initialDelay", "initialBackoffMs", "interval", "wait"],
    ),
    alias("RetryPolicy", "retryOn", &["on", "errors"]),
    alias(STEP, "tool", &["uses", "run", "action", "toolName"]),
    alias(STEP, "args", &["with", "arguments", "params", "parameters", "input"]),
    alias(STEP, "onFailure", &["onError", "catch"]),
    alias(STEP, "id", &["name", "key"]),
    alias("MissionPlanStep", "toolName", &["tool"]),
    alias("MissionPlanStep", "id", &["name", "key"]),
];

pub(super) const FOREIGN: &[Foreign] = &[
    foreign_edge(
        NODE,
        &[
            "next",
            "goto",
            "then",
            "edges",
            "transitions",
            "onSuccess",
            "needs",
            "depends",
            "dependsOn",
            "dependencies",
            "runAfter",
            "after",
        ],
        "write an edge in `edges`: `{id: ..., source: ..., target: ..., type: static}`",
    ),
    foreign_edge(
        NODE,
        &["routes", "branches", "cases", "conditions", "pathMap", "choices", "switch"],
        "write an edge of `type: conditional` for each way in `edges`, or a router whose `condition` gives the target",
    ),
    foreign(EDGE, &["label", "name", "priority", "weight"], "an edge has no such key; its `id` is its name"),
    foreign(
        GRAPH,
        &["start", "startNode", "start_node", "entry", "entryPoint"],
        "write an edge with the source `__START__`",
    ),
    foreign(GRAPH, &["end", "endNodes", "end_nodes", "exit"], "write an edge with the target `__END__`"),
];
