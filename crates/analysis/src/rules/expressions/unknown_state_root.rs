//! ## What it does
//!
//! Reports a path that begins with a name which is not a part of the state.
//!
//! In AgentOS, this is a path in a routing expression: `state.scratch.n`, `Scratch.n`, `output.text`.
//!
//! In cycgraph, this is a path in a condition or a verifier. The keys that nodes write are under `memory`. A
//! verifier sees `memory` and `goal` only.
//!
//! ## Why it matters
//!
//! In AgentOS, paths begin with `scratch`, `input`, `artifacts`, `memory` or `diagnostics`, in lower case. Any
//! other word is read as a text.
//!
//! In cycgraph, the path finds nothing, and the expression is evaluated without a value.
//!
//! ## Example
//!
//! In AgentOS:
//!
//! ```yaml expect=unknown-state-root
//! id: pick
//! type: router
//! executorConfig:
//!   type: router
//!   condition: {type: expression, expr: "state.scratch.n > 3 ? 'many' : 'few'"}
//! executionMode: single_turn
//! effectClass: pure
//! checkpoint: none
//! ```
//!
//! In cycgraph:
//!
//! ```yaml expect=unknown-state-root
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: approved == 1}}
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
//! id: pick
//! type: router
//! executorConfig:
//!   type: router
//!   condition: {type: expression, expr: "scratch.n > 3 ? 'many' : 'few'"}
//! executionMode: single_turn
//! effectClass: pure
//! checkpoint: none
//! ```
//!
//! In cycgraph:
//!
//! ```yaml ok
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.approved == 1}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```

use crate::rule::{Category, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "unknown-state-root",
    former: &["unknown-state-name"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[],
};
