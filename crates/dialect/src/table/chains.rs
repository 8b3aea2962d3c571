//! Builders whose methods add one part after the other: `new Graph(…).addNode(…).addEdge(…)`. One row a method.

use super::{Builder, BuilderOption, Planning};

/// How methods extend the graph or node that a builder returns.
#[derive(Debug)]
pub struct MethodChain {
    pub methods: &'static [ChainMethod],
    /// The keys of the graph; `None` if a node is built.
    pub graph: Option<ChainKeys>,
    /// How steps become nodes, if methods add steps.
    pub steps: Option<&'static Steps>,
    /// How the graph is planned, if methods only collect what a plan needs.
    pub planning: Option<&'static Planning>,
}

/// The keys of a graph that methods extend.
#[derive(Debug)]
pub struct ChainKeys {
    pub nodes: &'static str,
    pub edges: &'static str,
    /// The text before the number in the id of an edge.
    pub edge_id: &'static str,
}

#[derive(Debug)]
pub struct ChainMethod {
    pub name: &'static str,
    pub does: Does,
}

/// The effect of a method.
#[derive(Debug)]
pub enum Does {
    /// Adds a node. The arguments are its id and the node.
    AddsNode,
    /// Adds one edge for each of these entries, which convert the arguments like functions for nodes.
    AddsEdges(&'static [Builder]),
    /// Sets keys of the document to its only argument.
    Sets(&'static [BuilderOption]),
    /// Sets a member of the mapping under this key. The arguments are the member's name, and a node or its id.
    SetsMember(&'static str),
    /// Adds a step after the last ones. The arguments are its id and the step.
    AddsStep,
    /// Adds a node that chooses with a function, and a step for each choice.
    AddsBranches,
    /// Adds parallel steps. The option with this name has further members for the mapping under this key.
    AddsParallel(&'static str, &'static str),
    /// Keeps its arguments until the graph is planned.
    Keeps,
    /// Completes the graph. The result of the method is not the document yet.
    Completes,
    /// Returns the document.
    Returns,
    /// Has no effect on the document.
    Nothing,
}

/// How steps become nodes and edges.
#[derive(Debug)]
pub struct Steps {
    /// The kinds of steps. The first one whose key the step has decides.
    pub kinds: &'static [StepKind],
    /// The node of a step of no such kind.
    pub other: Builder,
    /// The node that chooses between steps.
    pub choice: Builder,
    /// The text before the number in the id of a choosing node.
    pub choice_id: &'static str,
    /// The text before the name of the choice in the id of its step.
    pub branch_id: &'static str,
    /// The text before the position in the id of a parallel step.
    pub parallel_id: &'static str,
    /// The edge from one step to the next.
    pub edge: Builder,
    pub choice_edge: Builder,
    /// The ids of the start and the end.
    pub ends: [&'static str; 2],
}

#[derive(Debug)]
pub struct StepKind {
    /// The key that a step of this kind has. For options of the mapping under it, names begin with this key and a dot.
    pub key: &'static str,
    /// How the step is converted to a node.
    pub node: Builder,
}

impl MethodChain {
    /// The method with a name.
    #[must_use]
    pub fn method(&self, name: &str) -> Option<&'static ChainMethod> {
        self.methods.iter().find(|method| method.name == name)
    }
}

/// A method with its effect.
pub const fn method(name: &'static str, does: Does) -> ChainMethod {
    ChainMethod { name, does }
}
