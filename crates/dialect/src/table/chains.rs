//! Builders whose methods add one part after the other: `new Graph(…).addNode(…).addEdge(…)`. One row a method.

use super::{Builder, BuilderOption, Planning};

/// How methods add to what a builder returns.
#[derive(Debug)]
pub struct MethodChain {
    pub methods: &'static [ChainMethod],
    /// The keys of what is built, for a graph; a node has none.
    pub graph: Option<ChainKeys>,
    /// How steps become nodes, where methods add steps.
    pub steps: Option<&'static Steps>,
    /// How the rest is planned, where methods keep what the plan needs.
    pub planning: Option<&'static Planning>,
}

/// The keys of a graph that methods add to.
#[derive(Debug)]
pub struct ChainKeys {
    pub nodes: &'static str,
    pub edges: &'static str,
    /// What stands before the number in the id of an edge.
    pub edge_id: &'static str,
}

#[derive(Debug)]
pub struct ChainMethod {
    pub name: &'static str,
    pub does: Does,
}

/// What a method does.
#[derive(Debug)]
pub enum Does {
    /// Adds a node: its id, and the node.
    AddsNode,
    /// Adds an edge for each of these. They are written like functions that build nodes.
    AddsEdges(&'static [Builder]),
    /// Sets keys of the document to its only argument.
    Sets(&'static [BuilderOption]),
    /// Sets a member of the mapping under this key: its name, and the id of a node, or a node.
    SetsMember(&'static str),
    /// Adds a step behind the last ones: its id, and the step.
    AddsStep,
    /// Adds a node that chooses by a function, and a step for each choice.
    AddsBranches,
    /// Adds steps side by side. The option of this name has members for the mapping under this key.
    AddsParallel(&'static str, &'static str),
    /// Keeps its arguments: what is planned at the end needs them.
    Keeps,
    /// Completes the graph. What it returns is no document yet.
    Completes,
    /// Returns the document.
    Returns,
    /// Nothing that a document shows.
    Nothing,
}

/// How steps become nodes and edges.
#[derive(Debug)]
pub struct Steps {
    /// What a step may be: its key decides, the first one that is there.
    pub kinds: &'static [StepKind],
    /// The node of a step that is nothing of these.
    pub other: Builder,
    /// The node that chooses.
    pub choice: Builder,
    /// What stands before the number in the id of a node that chooses.
    pub choice_id: &'static str,
    /// What stands before the name of the choice in the id of its step.
    pub branch_id: &'static str,
    /// What stands before the position in the id of a step that others run beside.
    pub parallel_id: &'static str,
    /// An edge from one step to the next.
    pub edge: Builder,
    pub choice_edge: Builder,
    /// The ids of the start and of the end.
    pub ends: [&'static str; 2],
}

#[derive(Debug)]
pub struct StepKind {
    /// The key of a step of that kind. Options of the mapping under it are written behind the key and a dot.
    pub key: &'static str,
    /// How it becomes a node.
    pub node: Builder,
}

impl MethodChain {
    /// The method of that name.
    #[must_use]
    pub fn method(&self, name: &str) -> Option<&'static ChainMethod> {
        self.methods.iter().find(|method| method.name == name)
    }
}

/// A method of that name.
pub const fn method(name: &'static str, does: Does) -> ChainMethod {
    ChainMethod { name, does }
}
