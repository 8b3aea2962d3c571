//! ## What it does
//!
//! Reports settings of a cycgraph node that the node does not use:
//!
//! - settings of another node type: a block such as `voting_config` on a `router`, or a `tool_id` on an agent;
//! - `agent_id`, `memory_query` and `default_write_key` on a type that does not read them, and the `agent_id` of
//!   a supervisor whose settings name another agent;
//! - `tools` on a node that does not use the list: only tools, and agents without annealing or a swarm, use it;
//! - `weights` of a vote that is not weighted, and a judge where no judge decides;
//! - a failure policy, a budget, annealing or a swarm on a node that only a map runs, as its worker.
//!
//! ## Why it matters
//!
//! The setting has no effect, and the node does something else than the file suggests:
//!
//! - nothing runs the block of another type. Nodes that it names may count as reached, which hides a mistake;
//! - no agent runs, nothing is fetched, and the engine writes to keys of its own;
//! - a node that does not use `tools` offers those of its agent's own definition, or none;
//! - weights count under the strategy `weighted_vote` only, and a judge under `llm_judge` only. The default
//!   strategy is `majority_vote`;
//! - a map tries each item once. It reads only the time limit of a worker's failure policy.
//!
//! ## Example
//!
//! A block of another type:
//!
//! ```yaml expect=ignored-setting
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: a, type: router, voting_config: {voter_agent_ids: [one]}}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! A key that the type does not read:
//!
//! ```yaml expect=ignored-setting
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: a, type: router, agent_id: one}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! Weights without a weighted vote:
//!
//! ```yaml expect=ignored-setting
//! name: desk
//! description: A desk.
//! inputs:
//!   items: {schema: {type: array}}
//!   topic: {schema: {type: string}}
//! nodes:
//!   - {id: a, type: voting, read_keys: [topic], voting_config: {voter_agent_ids: [one, two], weights: {one: 2}}}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! A budget of a map worker:
//!
//! ```yaml expect=ignored-setting
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: a, type: map, map_reduce_config: {worker_node_id: w, static_items: [1]}}
//!   - {id: w, type: agent, agent_id: one, write_keys: [label], budget: {max_tokens: 100}}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! Tools that the node does not use:
//!
//! ```yaml expect=ignored-setting
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: a, type: synthesizer, agent_id: one, tools: [search], write_keys: [reply]}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! ## Instead
//!
//! A block of another type:
//!
//! ```yaml ok
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: a, type: voting, voting_config: {voter_agent_ids: [one]}}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! A key that the type does not read:
//!
//! ```yaml ok
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: a, type: router}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! Weights without a weighted vote:
//!
//! ```yaml ok
//! name: desk
//! description: A desk.
//! inputs:
//!   items: {schema: {type: array}}
//!   topic: {schema: {type: string}}
//! nodes:
//!   - {id: a, type: voting, read_keys: [topic], voting_config: {voter_agent_ids: [one, two], strategy: weighted_vote, weights: {one: 2}}}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! A budget of a map worker:
//!
//! ```yaml ok
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: a, type: map, map_reduce_config: {worker_node_id: w, static_items: [1], error_strategy: fail_fast}}
//!   - {id: w, type: agent, agent_id: one, write_keys: [label]}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! Tools that the node does not use:
//!
//! ```yaml ok
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: a, type: agent, agent_id: one, tools: [search], write_keys: [reply]}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

mod block;
mod field;
mod map_worker;
mod tools;
mod voting;

use crate::diagnostic::Severity;
use crate::rule::{Category, Rule, RulePart};

pub(crate) static RULE: Rule = Rule {
    id: "ignored-setting",
    former: &[
        "idle-settings",
        "ignored-node-field",
        "map-worker-ignored-setting",
        "unused-tools",
        "voting-ignored-setting",
    ],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[
        &RulePart { severity: Severity::Warning, check: block::check, ..RulePart::DEFAULT },
        &field::PART,
        &voting::PART,
        &map_worker::PART,
        &tools::PART,
    ],
};

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn blocks_of_other_types() {
        check_rule(
            "ignored-setting",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: agent, agent_id: x, write_keys: [y], tool_id: find, map_reduce_config: {worker_node_id: b}}
#                                                               ^^^^ warning[ignored-setting]: `find` does nothing at `a`
#                                                                     ^^^^^^^^^^^^^^^^^ warning[ignored-setting]: `map_reduce_config` does nothing at `a`
  - {id: b, type: tool, tool_id: find, annealing_config: {}, swarm_config: {peer_nodes: []}}
#                                      ^^^^^^^^^^^^^^^^ warning[ignored-setting]: `annealing_config` does nothing at `b`
#                                                            ^^^^^^^^^^^^ warning[ignored-setting]: `swarm_config` does nothing at `b`
  - {id: c, type: nonsense, tool_id: find}
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }
}
