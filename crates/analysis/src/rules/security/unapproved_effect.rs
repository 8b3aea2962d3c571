//! ## What it does
//!
//! Reports a node that may do what cannot be undone, if a run can come to it before a person or a check decides. The
//! finding shows the path from the start.
//!
//! Names say what cannot be undone: tools that move money or rights, delete, deploy, or run programs, such as
//! `refund_order`, `delete_user` or `shell`. Approval, verifier, human and guardrail nodes decide. A graph that another graph
//! of the project runs is checked there. Behind a choice between a check and other nodes, nothing is reported. A node that
//! [`unguarded-effect`](unguarded-effect.md) reports is not reported again.
//!
//! ## Why it matters
//!
//! A model that is wrong once is enough. Nobody sees the call before it has happened.
//!
//! ## Example
//!
//! In cycgraph:
//!
//! ```yaml expect=unapproved-effect
//! name: refunds
//! description: Pays orders back.
//! nodes:
//!   - {id: plan, type: agent, agent_id: planner, write_keys: [order]}
//!   - {id: pay, type: agent, agent_id: payer, read_keys: [order], tools: [{type: custom, name: refund_order}]}
//! edges:
//!   - {source: plan, target: pay}
//! start_node: plan
//! end_nodes: [pay]
//! ```
//!
//! In AgentOS:
//!
//! ```yaml expect=unapproved-effect
//! id: clean
//! name: Clean
//! nodes:
//!   - {id: clean, type: tool, executorConfig: {type: tool, toolName: delete_user}, effectClass: external, executionMode: single_turn, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: clean, type: static}
//!   - {id: e2, source: clean, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: live
//! ```
//!
//! ## Instead
//!
//! In cycgraph:
//!
//! ```yaml ok
//! name: refunds
//! description: Pays orders back.
//! nodes:
//!   - {id: plan, type: agent, agent_id: planner, write_keys: [order]}
//!   - {id: ask, type: approval, approval_config: {approval_type: human_review, prompt_message: Pay?}}
//!   - {id: pay, type: agent, agent_id: payer, read_keys: [order], tools: [{type: custom, name: refund_order}]}
//! edges:
//!   - {source: plan, target: ask}
//!   - {source: ask, target: pay}
//! start_node: plan
//! end_nodes: [pay]
//! ```
//!
//! In AgentOS:
//!
//! ```yaml ok
//! id: clean
//! name: Clean
//! nodes:
//!   - {id: ask, type: human, executorConfig: {type: human, prompt: Delete the user?}, effectClass: human, executionMode: single_turn, checkpoint: none}
//!   - {id: clean, type: tool, executorConfig: {type: tool, toolName: delete_user}, effectClass: external, executionMode: single_turn, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: ask, type: static}
//!   - {id: e2, source: ask, target: clean, type: static}
//!   - {id: e3, source: clean, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: live
//! ```
//!
//! ## Options
//!
//! `[security]` in `nodewise.toml`: tools in `effects` cannot be undone, tools in `harmless` can.

use crate::rule::{Category, Rule};

/// The rule. Its page is the head of this file.
pub(in crate::rules) static RULE: Rule = Rule {
    id: "unapproved-effect",
    former: &[],
    category: Category::Security,
    is_fixable: false,
    since: "0.1.0",
    own: &[],
};

#[cfg(test)]
mod tests;
