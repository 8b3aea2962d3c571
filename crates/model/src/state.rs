//! What the nodes of a graph read and write of the state of a run.
//!
//! The runtime of each system has its own rules for that: its [`StateModel`]. Graph analysis, rules and editors ask the
//! result, [`NodeAccess`], and know no system. A key is a name, or a path where the state has parts: `scratch.count`.

use std::fmt;

use smol_str::SmolStr;

use crate::graph::Graph;

/// The key that stands for all keys.
pub const WILDCARD: &str = "*";

/// How the nodes of a system's graphs access the state.
pub trait StateModel: fmt::Debug + Sync {
    /// What each node reads and writes, in the order of the nodes.
    fn accesses(&self, graph: &Graph) -> Vec<NodeAccess>;

    /// The keys that every node can read without a grant.
    fn ambient_keys(&self) -> &'static [&'static str] {
        &[]
    }

    /// Keys that the runtime writes, whatever the graph declares. They cannot be renamed.
    fn reserved_keys(&self) -> &'static [&'static str] {
        &[]
    }

    /// The key that the runtime removes from the state after it has read it.
    fn transient_key(&self) -> Option<&'static str> {
        None
    }
}

/// A state that graphs do not describe, because only programs read and write it.
#[derive(Debug)]
pub struct NoState;

impl StateModel for NoState {
    fn accesses(&self, graph: &Graph) -> Vec<NodeAccess> {
        vec![NodeAccess::default(); graph.nodes.len()]
    }
}

/// What a node reads and writes in the state.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NodeAccess {
    /// The keys that it may read, dots included.
    pub reads: Vec<SmolStr>,
    /// Whether it may read every key.
    pub reads_all: bool,
    /// The keys that it may write, by the rules of the runtime.
    pub writes: Vec<SmolStr>,
    /// Whether it may write every key.
    pub writes_all: bool,
    /// The keys of `writes` that the engine writes itself.
    pub implied: Vec<SmolStr>,
    /// The keys of `implied` that the node's own settings name.
    pub named: Vec<SmolStr>,
    /// The key of its answer, if the name of the key follows from the id of the node.
    pub answer: Option<SmolStr>,
    /// The keys that it can actually write to the state.
    pub leaves: Vec<SmolStr>,
    /// The parts of the state to which it may write keys that the graph does not show.
    pub leaves_any_of: Vec<&'static str>,
    /// Whether its result is always a mapping.
    pub leaves_mapping: bool,
}

/// The part of a key before its first dot.
#[must_use]
pub fn top_level(key: &str) -> &str {
    key.split_once('.').map_or(key, |(top, _)| top)
}

/// Whether the runtime hides the key from all nodes.
#[must_use]
pub fn is_hidden(key: &str) -> bool {
    key.split('.').any(|part| part.starts_with('_'))
}
