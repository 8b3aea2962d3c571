//! ## What it does
//!
//! Reports an edge that lacks a condition.
//!
//! In cycgraph, this is a conditional edge without an expression, or with an empty one.
//!
//! In Liman, this is an edge without `when`, after overlays are applied, or with an empty one: `when:` with
//! nothing, `null` or an empty text. Write `when: "true"`, or only the name of the node, for an edge that is
//! always followed.
//!
//! ## Why it matters
//!
//! In cycgraph, the edge is never followed: a missing expression counts as false.
//!
//! In Liman, the specification requires a condition. The packages always follow such an edge, which may not be
//! what you meant.
//!
//! ## Example
//!
//! In cycgraph:
//!
//! ```yaml expect=missing-condition
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```
//!
//! In Liman:
//!
//! ```yaml expect=missing-condition
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router}
//! ```
//!
//! In Liman, an empty condition:
//!
//! ```yaml expect=missing-condition
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: ""}
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
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.done}}
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
//! In Liman, an empty condition:
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

use crate::rule::{Category, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "missing-condition",
    former: &["expression-missing", "when-empty", "when-missing"],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[],
};
