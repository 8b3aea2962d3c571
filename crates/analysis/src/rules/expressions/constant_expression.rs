//! ## What it does
//!
//! Reports a condition that has the same result in every run.
//!
//! In cycgraph, this is an expression that reads nothing from the state.
//!
//! In Liman, this is a condition that consists of literals. A lone `true` is not reported: it says that the edge
//! is always followed.
//!
//! In AgentOS, this is a part of a routing expression: a text where only true or false counts, a comparison of
//! two texts, a text that is compared by size.
//!
//! ## Why it matters
//!
//! The edge is always followed, or never. An edge that is always followed needs no condition.
//!
//! In AgentOS, a word that is not a path stands for itself. `ready ? 'send' : 'wait'` always leads to `send`,
//! because a text is true. `count > 3` is never true, because `count` is not a number.
//!
//! ## Example
//!
//! In cycgraph:
//!
//! ```yaml expect=constant-expression
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: 1 == 1}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```
//!
//! In Liman:
//!
//! ```yaml expect=constant-expression
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: "1 == 1"}
//! ```
//!
//! In AgentOS:
//!
//! ```yaml expect=constant-expression
//! id: pick
//! type: router
//! executorConfig:
//!   type: router
//!   condition: {type: expression, expr: "count > 3 ? 'many' : 'few'"}
//! executionMode: single_turn
//! effectClass: pure
//! checkpoint: none
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
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.n == 1}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```
//!
//! In Liman:
//!
//! ```yaml ok
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: done, when: "true"}
//! ---
//! kind: Node
//! name: done
//! func: r.done
//! ```
//!
//! In AgentOS:
//!
//! ```yaml ok
//! id: pick
//! type: router
//! executorConfig:
//!   type: router
//!   condition: {type: expression, expr: "scratch.count > 3 ? 'many' : 'few'"}
//! executionMode: single_turn
//! effectClass: pure
//! checkpoint: none
//! ```

use crate::rule::{Category, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "constant-expression",
    former: &["routing-constant", "when-constant"],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[],
};
