//! What steps do, and what they read and write.

use nodewise_model::graph::{Graph, GraphNode};
use nodewise_model::state::{NodeAccess, StateModel};
use nodewise_model::work::{NodeWork, WorkKind};
use smol_str::SmolStr;

/// What runs at a step, one variant for each type.
#[derive(Debug, Clone)]
pub enum Work {
    /// A model answers this question.
    Ask(SmolStr),
    /// The links decide what comes next.
    Pick,
    /// Nothing that is known: the type is missing or misspelt.
    Unknown,
}

impl Work {
    /// The work of a step; [`Work::Unknown`] for nodes of other systems.
    #[must_use]
    pub fn of(node: &GraphNode) -> &Work {
        node.work.of_system().unwrap_or(&Work::Unknown)
    }
}

impl NodeWork for Work {
    fn kind(&self) -> WorkKind {
        match self {
            Work::Ask(_) => WorkKind::Agent,
            Work::Pick => WorkKind::Choice,
            Work::Unknown => WorkKind::Unknown,
        }
    }
}

/// Keys side by side: a step sees those that it lists, and writes the one that it names.
pub static STATE: &dyn StateModel = &Keys;

#[derive(Debug)]
struct Keys;

impl StateModel for Keys {
    fn accesses(&self, graph: &Graph) -> Vec<NodeAccess> {
        graph.nodes.iter().map(access).collect()
    }
}

fn access(node: &GraphNode) -> NodeAccess {
    let names =
        |keys: &[nodewise_model::Located<SmolStr>]| keys.iter().map(|key| key.value.clone()).collect();
    let writes: Vec<SmolStr> = names(&node.access.writes);
    let leaves = if matches!(Work::of(node), Work::Ask(_)) { writes.clone() } else { Vec::new() };
    NodeAccess { reads: names(&node.access.reads), writes, leaves, ..NodeAccess::default() }
}
