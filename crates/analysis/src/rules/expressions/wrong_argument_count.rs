//! ## What it does
//!
//! Reports a call of a function with too many or too few arguments.
//!
//! ## Why it matters
//!
//! In cycgraph, nothing checks the number: an argument too many is ignored, and a missing one has no value.
//!
//! In Liman, the condition fails when it is evaluated, so the edge is never followed.
//!
//! ## Example
//!
//! In cycgraph:
//!
//! ```yaml expect=wrong-argument-count
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: "exists(memory.a, memory.b)"}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```
//!
//! In Liman:
//!
//! ```yaml expect=wrong-argument-count
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: $now(deadline) > 0}
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
//!   - {source: a, target: b, condition: {type: conditional, condition: exists(memory.a) and exists(memory.b)}}
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
//!   - {target: router, when: $now() > deadline}
//! ```

use crate::rule::{Category, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "wrong-argument-count",
    former: &["function-arity", "when-arity"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[],
};
