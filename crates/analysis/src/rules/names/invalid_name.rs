//! ## What it does
//!
//! Reports a name with characters that are not allowed at its place.
//!
//! In cycgraph, a name has at least one character, and each is a letter, a digit, `-` or `_`.
//!
//! In Liman, the name of a declaration is not empty, has no `/` and no `:`, and does not start or end with a
//! space.
//!
//! ## Why it matters
//!
//! In cycgraph, the loader rejects the document.
//!
//! In Liman, `Kind/name` and `Kind:name` cannot spell such a name. No reference or overlay reaches the
//! declaration, or only some of them do.
//!
//! ## Example
//!
//! In cycgraph:
//!
//! ```yaml expect=invalid-name
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: agent, agent_id: writer, tools: [send mail], write_keys: [brief]}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! In Liman:
//!
//! ```yaml expect=invalid-name
//! kind: Node
//! name: desk/notify
//! func: desk.notify
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
//!   - {id: a, type: agent, agent_id: writer, tools: [send_mail], write_keys: [brief]}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! In Liman:
//!
//! ```yaml ok
//! kind: Node
//! name: desk_notify
//! func: desk.notify
//! ```

use crate::rule::{Category, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "invalid-name",
    former: &["bad-slug", "declaration-name"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[],
};
