//! ## What it does
//!
//! Reports a path in a condition that no node of the graph writes.
//!
//! In AgentOS, this is a `scratch` path in a routing expression. The rule is silent if the graph has an extension
//! node, whose keys no document shows.
//!
//! In cycgraph, this is a key of the memory that no input declares either. The rule is silent if the graph has a
//! node that may write every key.
//!
//! ## Why it matters
//!
//! In AgentOS, only extension nodes, `outputMapping` of subgraph nodes and voice nodes (under their id) write
//! `scratch`. Outputs of tools, models, people and guardrails are in `artifacts`, under the node's `outputAs` or
//! id. A path that no node writes is undefined, so the expression has the same result in every run.
//!
//! In cycgraph, the path finds nothing unless a run starts with the key. Comparisons then end in an error, or are
//! true for the wrong reason.
//!
//! ## Example
//!
//! In AgentOS:
//!
//! ```yaml expect=unwritten-path
//! id: triage
//! name: triage
//! nodes:
//!   - id: rate
//!     type: tool
//!     executorConfig: {type: tool, toolName: rate}
//!     executionMode: single_turn
//!     effectClass: external
//!     checkpoint: none
//!   - id: keep
//!     type: tool
//!     executorConfig: {type: tool, toolName: keep}
//!     executionMode: single_turn
//!     effectClass: write
//!     checkpoint: none
//! edges:
//!   - {id: e1, source: __START__, target: rate, type: static}
//!   - id: e2
//!     source: rate
//!     target: keep
//!     type: conditional
//!     condition: {type: expression, expr: scratch.rate > 0.5}
//!   - {id: e3, source: keep, target: __END__, type: static}
//! stateSchema:
//!   input: {}
//!   scratch: {}
//!   artifacts: {}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```
//!
//! In cycgraph:
//!
//! ```yaml expect=unwritten-path
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: agent, agent_id: writer, read_keys: [], write_keys: [done]}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.don}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```
//!
//! ## Instead
//!
//! In AgentOS:
//!
//! ```yaml ok
//! id: triage
//! name: triage
//! nodes:
//!   - id: rate
//!     type: tool
//!     executorConfig: {type: tool, toolName: rate}
//!     executionMode: single_turn
//!     effectClass: external
//!     checkpoint: none
//!   - id: keep
//!     type: tool
//!     executorConfig: {type: tool, toolName: keep}
//!     executionMode: single_turn
//!     effectClass: write
//!     checkpoint: none
//! edges:
//!   - {id: e1, source: __START__, target: rate, type: static}
//!   - id: e2
//!     source: rate
//!     target: keep
//!     type: conditional
//!     condition: {type: expression, expr: artifacts.rate > 0.5}
//!   - {id: e3, source: keep, target: __END__, type: static}
//! stateSchema:
//!   input: {}
//!   scratch: {}
//!   artifacts: {}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```
//!
//! In cycgraph:
//!
//! ```yaml ok
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: agent, agent_id: writer, read_keys: [], write_keys: [done]}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.done}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```
//!
//! ## Options
//!
//! `[cycgraph.external] keys` in `nodewise.toml` lists keys that the program seeds runs with.

use crate::rule::{Category, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "unwritten-path",
    former: &["unwritten-condition-key"],
    category: Category::Dataflow,
    is_fixable: true,
    since: "0.1.0",
    own: &[],
};
