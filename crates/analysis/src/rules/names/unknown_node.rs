//! ## What it does
//!
//! Reports the name of a node that does not exist.
//!
//! In cycgraph and AgentOS, these are names of nodes of the same graph: at an end of an edge, where a run begins
//! or ends, among the nodes that a node delegates to, among the targets of a choice.
//!
//! In Liman, these are names of nodes of the project: in `nodes`, in an edge, in `to`, and in `llm_nodes`, which
//! names LLMNodes only.
//!
//! If several places use the name, and the only similar declaration has no user, the declaration is reported, once.
//!
//! ## Why it matters
//!
//! In cycgraph, the graph does not load. In AgentOS, the run continues to a node that does not exist.
//!
//! In Liman, a run that follows the edge fails.
//!
//! ## Example
//!
//! In cycgraph:
//!
//! ```yaml expect=unknown-node
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: draft, type: router}
//!   - {id: review, type: router}
//! edges:
//!   - {source: draft, target: reviw}
//! start_node: draft
//! end_nodes: [review]
//! ```
//!
//! In Liman:
//!
//! ```yaml expect=unknown-node
//! kind: LLMNode
//! name: chat
//! prompts: {system: {en: Hi}}
//! nodes:
//!   - {target: notfy, when: urgent}
//! ---
//! kind: Node
//! name: notify
//! func: desk.notify
//! ```
//!
//! In Liman, an LLMNode:
//!
//! ```yaml expect=unknown-node
//! kind: Node
//! name: notify
//! func: desk.notify
//! llm_nodes: [apologise]
//! ```
//!
//! ## Instead
//!
//! In cycgraph:
//!
//! ```yaml ok
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: draft, type: router}
//!   - {id: review, type: router}
//! edges:
//!   - {source: draft, target: review}
//! start_node: draft
//! end_nodes: [review]
//! ```
//!
//! In Liman:
//!
//! ```yaml ok
//! kind: LLMNode
//! name: chat
//! prompts: {system: {en: Hi}}
//! nodes:
//!   - {target: notify, when: urgent}
//! ---
//! kind: Node
//! name: notify
//! func: desk.notify
//! ```
//!
//! In Liman, an LLMNode:
//!
//! ```yaml ok
//! kind: Node
//! name: notify
//! func: desk.notify
//! llm_nodes: [apologise]
//! ---
//! kind: LLMNode
//! name: apologise
//! prompts: {system: {en: Apologise.}}
//! ```
//!
//! ## Options
//!
//! `[liman.external] nodes` in `nodewise.toml` lists Liman nodes that the program registers in code.

use crate::rule::{Category, Rule};

/// The rule. Its page is the head of this file.
pub static RULE: Rule = Rule {
    id: "unknown-node",
    former: &["unresolved-llm-node", "unresolved-node"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[],
};
