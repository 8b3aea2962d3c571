//! Graphs ready for execution: nodes and edges numbered, conditions parsed, grants and policies worked out once.
//!
//! In: graphs of the model and a host; out: a [`Program`]. Never fails: what a graph lacks is absent here as well, and the
//! run says so when it gets there. Invariant: edges of a node keep the order of the document, which decides routing.

mod condition;
mod grants;
mod node;
mod preflight;
mod validation;

use std::sync::Arc;

use nodewise_expr::value::Map;
use nodewise_model::graph::{Graph, Port};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::failures;
use super::host::{Host, HostAgent};
use crate::outcome::Failure;
pub use condition::CompiledCondition;
pub(crate) use condition::ConditionVerdict;
pub(crate) use grants::ALL;
pub use grants::Grant;
pub use node::{NodeProgram, Query, Reads, Waits};

/// A graph of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GraphId(u32);

/// A node of a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

/// Graphs ready for execution, and what their host wires.
#[derive(Debug)]
pub struct Program {
    graphs: Vec<GraphProgram>,
    callable: FxHashMap<SmolStr, GraphId>,
    agents: FxHashMap<SmolStr, Arc<HostAgent>>,
    /// What the host program wires.
    pub host: Host,
    /// The empty mapping, which many slices share.
    pub nothing: Arc<Map>,
}

/// A graph ready for execution.
#[derive(Debug)]
pub struct GraphProgram {
    pub id: SmolStr,
    /// Its nodes, in the order of the document.
    pub nodes: Vec<NodeProgram>,
    names: FxHashMap<SmolStr, NodeId>,
    /// The node where a run begins.
    pub start: SmolStr,
    /// The keys that a run gets as input; `None` if the graph declares nothing.
    pub inputs: Option<Vec<Port>>,
    /// The keys that a run returns; `None` if the graph declares nothing.
    pub outputs: Option<Vec<Port>>,
    /// Whether a condition that reads a tainted key never holds.
    pub strict_taint: bool,
    /// The reasons why a run cannot begin, in the words of the release.
    pub problems: Vec<String>,
}

/// An edge ready for execution.
#[derive(Debug)]
pub struct EdgeProgram {
    /// Its position in its graph.
    pub position: u32,
    /// Where it leads, by name.
    pub target_name: SmolStr,
    /// The node where it leads; `None` if there is no such node.
    pub target: Option<NodeId>,
    /// When it is followed.
    pub condition: CompiledCondition,
}

impl Program {
    /// The main graph, which a run begins in.
    pub const MAIN: GraphId = GraphId(0);

    /// Prepares graphs: the main one, and those that nodes can call by their ids.
    #[must_use]
    pub fn new(main: &Graph, callable: &[&Graph], host: Host) -> Program {
        let mut graphs = vec![GraphProgram::new(main)];
        let mut by_id = FxHashMap::default();
        for graph in callable {
            let id = GraphId(index(graphs.len()));
            graphs.push(GraphProgram::new(graph));
            if let Some(name) = &graph.id {
                by_id.insert(name.value.clone(), id);
            }
        }
        let agents = host.agents.iter().map(|(id, agent)| (id.clone(), Arc::new(agent.clone()))).collect();
        Program { graphs, callable: by_id, agents, host, nothing: Arc::default() }
    }

    /// Adds the problems that the release's own check finds in the main graph. A run of such a program does not begin.
    #[must_use]
    pub fn refused(mut self, problems: Vec<String>) -> Program {
        if let Some(main) = self.graphs.first_mut() {
            main.problems = problems;
        }
        self
    }

    #[must_use]
    pub fn graph(&self, id: GraphId) -> &GraphProgram {
        // INVARIANT: ids are made in `Program::new` alone, for graphs that are there.
        &self.graphs[id.0 as usize]
    }

    /// All graphs, the main one first.
    #[must_use]
    pub fn graphs(&self) -> &[GraphProgram] {
        &self.graphs
    }

    /// The graph that nodes call by this id.
    #[must_use]
    pub fn callable(&self, id: &str) -> Option<GraphId> {
        self.callable.get(id).copied()
    }

    /// The agent of this id.
    #[must_use]
    pub fn agent(&self, id: &str) -> Option<&Arc<HostAgent>> {
        self.agents.get(id)
    }

    /// The agent with this id. Fails if there is none, or if its settings are out of bounds.
    pub(crate) fn loaded_agent(&self, id: &str) -> Result<&Arc<HostAgent>, Failure> {
        let agent = self.agent(id).ok_or_else(|| failures::agent_not_found(id))?;
        let issues = agent.out_of_bounds();
        if issues.is_empty() { Ok(agent) } else { Err(failures::agent_not_loaded(id, &issues)) }
    }
}

impl GraphProgram {
    fn new(graph: &Graph) -> GraphProgram {
        let mut nodes: Vec<NodeProgram> = graph.nodes.iter().map(|node| node::compile(node, graph)).collect();
        // If several nodes have one id, the release finds the last one.
        let names: FxHashMap<SmolStr, NodeId> = nodes
            .iter()
            .enumerate()
            .map(|(position, node)| (node.id.clone(), NodeId(index(position))))
            .collect();
        for (position, edge) in graph.edges.iter().enumerate() {
            let (Some(source), Some(target)) = (&edge.source, &edge.target) else { continue };
            let Some(NodeId(place)) = names.get(&source.name.value) else { continue };
            if let Some(node) = nodes.get_mut(*place as usize) {
                node.edges.push(EdgeProgram {
                    position: index(position),
                    target_name: target.name.value.clone(),
                    target: names.get(&target.name.value).copied(),
                    condition: CompiledCondition::new(&edge.guard),
                });
            }
        }
        GraphProgram {
            id: graph.id.as_ref().map(|id| id.value.clone()).unwrap_or_default(),
            nodes,
            names,
            start: graph.start.as_ref().map(|start| start.value.clone()).unwrap_or_default(),
            inputs: graph.inputs.clone(),
            outputs: graph.outputs.clone(),
            strict_taint: graph.strict_taint,
            problems: validation::errors(graph),
        }
    }

    #[must_use]
    pub fn node(&self, id: NodeId) -> &NodeProgram {
        // INVARIANT: ids are made in `GraphProgram::new` alone, for nodes that are there.
        &self.nodes[id.0 as usize]
    }

    /// The node of this name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<NodeId> {
        self.names.get(name).copied()
    }
}

fn index(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}
