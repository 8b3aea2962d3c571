//! ## What it does
//!
//! Reports steps that wait for each other in a cycle, or for themselves.
//!
//! In AgentOS, these are the tasks of a workflow definition. In Liman, these are the edges of a node: each cycle
//! is reported once, and so is each edge that depends on itself.
//!
//! ## Why it matters
//!
//! In AgentOS, the engine rejects the definition.
//!
//! In Liman, none of the edges is ever followed, and neither is any edge that waits for one of them.
//!
//! ## Example
//!
//! In AgentOS:
//!
//! ```yaml expect=dependency-cycle
//! id: onboarding
//! displayName: Onboarding
//! tasks:
//!   - {id: fetch, name: fetch, dependsOn: [report], executor: {type: tool}}
//!   - {id: report, name: report, dependsOn: [fetch], executor: {type: tool}}
//! ```
//!
//! In Liman:
//!
//! ```yaml expect=dependency-cycle
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: a, id: pack, depends: label}
//!   - {target: router, when: b, id: label, depends: pack}
//! ```
//!
//! In Liman, an edge that depends on itself:
//!
//! ```yaml expect=dependency-cycle
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: a, id: go, depends: go}
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
//!   - {target: router, when: a, id: pack, depends: label}
//!   - {target: router, when: b, id: label}
//! ```
//!
//! In Liman, an edge that depends on itself:
//!
//! ```yaml ok
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: a, id: go}
//! ```

use crate::rule::{Category, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "dependency-cycle",
    former: &["edge-depends-cycle", "edge-self-depends"],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[],
};
