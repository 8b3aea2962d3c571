//! What names may stand for, and the words that several shapes share (cycgraph:2.16).
//! Data only; every scope resolves over the whole workspace.

use nodewise_model::{NameScope, UnresolvedSeverity};

use crate::table::{Word, word};

pub const GRAPH_KIND_NAME: &str = "Graph";
pub const AGENT_KIND_NAME: &str = "Agent";

/// A place that holds an agent; programs register agents at run time.
pub static AGENT: NameScope = NameScope {
    class: "unknown-agent",
    noun: "agent",
    kinds: &[AGENT_KIND_NAME],
    takes_kind: true,
    severity: UnresolvedSeverity::Warning,
    is_secondary: false,
};

/// A place that holds a graph; programs load graphs at run time.
pub static GRAPH: NameScope = NameScope {
    class: "unknown-graph",
    noun: "graph",
    kinds: &[GRAPH_KIND_NAME],
    takes_kind: true,
    severity: UnresolvedSeverity::Warning,
    is_secondary: false,
};

pub(super) const CONDITION_TYPES: &[Word] = &[
    word("always", "the edge is followed whenever it is reached"),
    word("conditional", "the edge is followed when its expression holds"),
];

pub(super) const ERROR_STRATEGIES: &[Word] = &[
    word("fail_fast", "the first failure fails the node"),
    word("best_effort", "failures are collected, the others count"),
];
