//! What a run did in a graph, to paint it: how often nodes were visited and edges followed.
//!
//! Input: the simulation fills it in; output: what the forms paint. Invariant: it names nodes and edges by their
//! positions in the graph; no run reached the others.

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trail {
    pub nodes: Vec<NodeTrail>,
    /// How often each edge was followed.
    pub followed: Vec<u32>,
}

/// What happened at a node during a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NodeTrail {
    /// How often the run visited the node.
    pub visits: u32,
    /// Whether the last visit failed.
    pub failed: bool,
}

impl Trail {
    /// The trail at the node with this index.
    #[must_use]
    pub fn node(&self, position: usize) -> NodeTrail {
        self.nodes.get(position).copied().unwrap_or_default()
    }

    /// Whether the run followed the edge with this index.
    #[must_use]
    pub fn follows(&self, position: usize) -> bool {
        self.followed.get(position).is_some_and(|count| *count > 0)
    }
}
