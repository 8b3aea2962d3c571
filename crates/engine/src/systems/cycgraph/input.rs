//! The input of an attempt of a node. In: the run loop's state; out: shared parts of it. Invariant: an attempt
//! changes none of it; it yields its changes as an action.

use std::sync::Arc;

use smol_str::SmolStr;

use super::program::{GraphId, GraphProgram, NodeId, NodeProgram, Program};
use super::slice::StateSlice;
use super::state::RunState;
use crate::ask::{Ask, Question};
use crate::event::{ScopeId, VisitId};

/// The input of an attempt of a node.
#[derive(Debug, Clone)]
pub struct Input {
    pub visit: VisitId,
    /// The run of the graph that the node belongs to.
    pub scope: ScopeId,
    /// How many graphs that graph is inside of; 0 for the main one.
    pub depth: u32,
    pub graph: GraphId,
    pub node: NodeId,
    /// The number of the attempt, from 1.
    pub attempt: u32,
    /// The part of the memory that the node sees.
    pub slice: StateSlice,
    /// The state of the run.
    pub state: Arc<RunState>,
    /// The path that reports put before the names of nodes, if the graph is inside a node of another one.
    pub prefix: Option<SmolStr>,
}

impl Input {
    #[must_use]
    pub fn node<'p>(&self, program: &'p Program) -> &'p NodeProgram {
        program.graph(self.graph).node(self.node)
    }

    #[must_use]
    pub fn graph<'p>(&self, program: &'p Program) -> &'p GraphProgram {
        program.graph(self.graph)
    }

    /// Makes a question of the node.
    #[must_use]
    pub fn ask(&self, program: &Program, what: Question) -> Ask {
        let graph = self.graph(program);
        Ask { graph: graph.id.clone(), node: graph.node(self.node).id.clone(), attempt: self.attempt, what }
    }
}
