//! ## What it does
//!
//! Reports a dependency on something that does not exist.
//!
//! In AgentOS, this is a task of a workflow definition that waits for a task which the definition does not have.
//!
//! In Liman, this is an entry of `depends` that is not the id of an edge of the same node.
//!
//! If several places use the id, and the only similar task or edge has no user, the task or edge is reported, once.
//!
//! ## Why it matters
//!
//! In AgentOS, the engine rejects the definition.
//!
//! In Liman, the edge waits for an edge that does not exist. Ids of other nodes do not count, and a plain name in
//! a list of nodes has no id.
//!
//! ## Example
//!
//! In AgentOS:
//!
//! ```yaml expect=unknown-dependency
//! id: onboarding
//! displayName: Onboarding
//! tasks:
//!   - {id: fetch, name: fetch, dependsOn: [], executor: {type: tool}}
//!   - {id: report, name: report, dependsOn: [fetsh], executor: {type: tool}}
//! ```
//!
//! In Liman:
//!
//! ```yaml expect=unknown-dependency
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: a, id: paid}
//!   - {target: router, when: b, depends: payed}
//! ```
//!
//! ## Instead
//!
//! In AgentOS:
//!
//! ```yaml ok
//! id: onboarding
//! displayName: Onboarding
//! tasks:
//!   - {id: fetch, name: fetch, dependsOn: [], executor: {type: tool}}
//!   - {id: report, name: report, dependsOn: [fetch], executor: {type: tool}}
//! ```
//!
//! In Liman:
//!
//! ```yaml ok
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: a, id: paid}
//!   - {target: router, when: b, depends: paid}
//! ```

use crate::rule::{Category, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "unknown-dependency",
    former: &["edge-unknown-depends"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[],
};
