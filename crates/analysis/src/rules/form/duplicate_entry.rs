//! ## What it does
//!
//! Reports a name that occurs twice in a list.
//!
//! In cycgraph, this is a list of a graph: end nodes, the keys that a node reads or writes, managed nodes, peers.
//! Voters may repeat, because each entry is a vote.
//!
//! In Liman, this is the list of targets of an edge.
//!
//! ## Why it matters
//!
//! In cycgraph, the second entry changes nothing. Perhaps you meant another name.
//!
//! In Liman, each target is a branch, so the run visits the node twice.
//!
//! ## Example
//!
//! In cycgraph:
//!
//! ```yaml expect=duplicate-entry
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//!   - {id: c, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: tainted}}
//!   - {source: a, target: c}
//! start_node: a
//! end_nodes: [b, b, c]
//! ```
//!
//! In Liman:
//!
//! ```yaml expect=duplicate-entry
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: [router, router], when: a}
//! ```
//!
//! ## Instead
//!
//! In cycgraph:
//!
//! ```yaml ok
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//!   - {id: c, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: tainted}}
//!   - {source: a, target: c}
//! start_node: a
//! end_nodes: [b, c]
//! ```
//!
//! In Liman:
//!
//! ```yaml ok
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: [router], when: a}
//! ```

use crate::rule::{Category, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "duplicate-entry",
    former: &["edge-repeated-target", "repeated-entry"],
    category: Category::Style,
    is_fixable: true,
    since: "0.1.0",
    own: &[],
};
