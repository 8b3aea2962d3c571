//! What people write for keys of cycgraph out of habit, and keys of other systems that cycgraph does not have.

use crate::table::{Foreign, KeyAlias, alias, foreign, foreign_edge};

const GRAPH: &str = "Graph";
const NODE: &str = "GraphNode";
const EDGE: &str = "GraphEdge";
const CONDITION: &str = "EdgeCondition";

pub(super) const ALIASES: &[KeyAlias] = &[
    alias(GRAPH, "name", &["title", "graph_name", "workflow"]),
    alias(GRAPH, "description", &["desc", "summary", "about", "purpose"]),
    alias(GRAPH, "nodes", &["steps", "vertices", "tasks", "states"]),
    alias(GRAPH, "edges", &["links", "connections", "transitions", "arcs"]),
    alias(
        GRAPH,
        "start_node",
        &[
            "entry",
            "entry_point",
            "entry_node",
            "start",
            "start_at",
            "first",
            "first_node",
            "initial",
            "begin",
            "root",
        ],
    ),
    alias(
        GRAPH,
        "end_nodes",
        &[
            "end",
            "ends",
            "end_node",
            "exit",
            "exits",
            "finish",
            "finish_point",
            "finish_nodes",
            "final",
            "terminal_nodes",
        ],
    ),
    alias(EDGE, "source", &["from", "from_node", "src", "start", "tail", "before"]),
    alias(EDGE, "target", &["to", "to_node", "dst", "dest", "destination", "goto", "head", "next", "after"]),
    alias(EDGE, "condition", &["when", "if", "guard", "on", "predicate"]),
    alias(CONDITION, "condition", &["expression", "expr", "when", "if", "test", "predicate"]),
    alias(CONDITION, "type", &["kind"]),
    alias(NODE, "id", &["name", "node", "key"]),
    alias(NODE, "type", &["kind"]),
    alias(NODE, "agent_id", &["agent", "assistant"]),
    alias(NODE, "tool_id", &["tool", "tool_name", "function"]),
    alias(NODE, "subgraph_id", &["subgraph", "graph", "graph_id"]),
    alias(NODE, "read_keys", &["reads", "input_keys", "inputs"]),
    alias(NODE, "write_keys", &["writes", "output_keys", "outputs", "output"]),
    alias(NODE, "failure_policy", &["retry", "retries", "retry_policy", "on_failure", "on_error"]),
    alias(NODE, "map_reduce_config", &["map_config"]),
    alias("FailurePolicy", "max_retries", &["retries", "attempts", "max_attempts", "maximum_attempts"]),
    alias("FailurePolicy", "backoff_strategy", &["strategy"]),
    alias("FailurePolicy", "initial_backoff_ms", &["delay", "delay_ms", "interval", "wait_ms"]),
    alias("SupervisorConfig", "managed_nodes", &["workers", "agents", "nodes", "members", "team"]),
    alias("MapReduceConfig", "worker_node_id", &["node", "mapper"]),
    alias("MapReduceConfig", "items_path", &["over", "for_each", "foreach", "list"]),
    alias("NodeBudget", "max_cost_usd", &["cost", "budget", "budget_usd", "cost_limit"]),
    alias("NodeBudget", "max_tokens", &["token_limit", "token_budget"]),
    alias("Agent", "system_prompt", &["prompt", "instructions", "system"]),
    alias("Agent", "id", &["agent_id"]),
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
            "on_success",
            "needs",
            "depends",
            "depends_on",
            "dependencies",
            "run_after",
            "after",
        ],
        "write an edge in `edges`: `{source: ..., target: ...}`",
    ),
    foreign_edge(
        NODE,
        &["routes", "branches", "cases", "conditions", "path_map", "choices", "switch"],
        "write an edge for each way in `edges`, with a `condition`",
    ),
    foreign(
        NODE,
        &["prompt", "system_prompt", "instructions", "model", "provider", "temperature"],
        "write it in the agent that `agent_id` names",
    ),
    foreign(
        EDGE,
        &["label", "name", "priority", "weight"],
        "write it below `metadata`; the order of the edges decides",
    ),
    foreign(
        GRAPH,
        &[
            "max_iterations",
            "max_execution_time_ms",
            "timeout",
            "timeout_ms",
            "memory",
            "state",
            "goal",
            "constraints",
        ],
        "the program gives it to the run; a graph has no such key",
    ),
    foreign(GRAPH, &["agents"], "pack graph and agents in a bundle: `manifest`, `graph` and `agents`"),
];
