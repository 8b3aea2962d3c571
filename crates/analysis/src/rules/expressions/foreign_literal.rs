//! ## What it does
//!
//! Reports a literal of another language, such as `True`, `None`, `nil` or `undefined`.
//!
//! In cycgraph, `null` is one of them, because filtrex has only numbers and texts. `true` and `false` on edges
//! are reported as `boolean-literal`.
//!
//! ## Why it matters
//!
//! The word is read as the name of a variable that does not exist.
//!
//! In cycgraph, `memory.n == null` is true if `n` is missing, and false if it is null.
//!
//! In Liman, `true`, `false` and `null` are written in lower case. Any other spelling is a variable. If it is
//! missing, the condition fails and the edge is never followed.
//!
//! ## Example
//!
//! In cycgraph:
//!
//! ```yaml expect=foreign-literal
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.n == null}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```
//!
//! In Liman:
//!
//! ```yaml expect=foreign-literal
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: owner != None}
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
//!   - {source: a, target: b, condition: {type: conditional, condition: not exists(memory.n)}}
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
//!   - {target: router, when: owner != null}
//! ```

use crate::rule::{Category, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "foreign-literal",
    former: &["when-suspicious-name"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[],
};
