//! ## What it does
//!
//! Reports a call of a function that the language does not have: filtrex in cycgraph, LimanCE in Liman.
//!
//! ## Why it matters
//!
//! In cycgraph, the call ends in an error: an edge is not followed, and a verifier passes.
//!
//! In Liman, the condition fails when it is evaluated, so the edge is never followed.
//!
//! ## Example
//!
//! In cycgraph:
//!
//! ```yaml expect=unknown-function
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: isset(memory.a)}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```
//!
//! In Liman:
//!
//! ```yaml expect=unknown-function
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: $is_eror()}
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
//!   - {source: a, target: b, condition: {type: conditional, condition: exists(memory.a)}}
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
//!   - {target: router, when: $is_error()}
//! ```

use crate::rule::{Category, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "unknown-function",
    former: &["when-unknown-builtin"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[],
};
