//! What an attempt of a node's work is given. In: the run loop's state; out: shared parts of it. Invariant: an attempt
//! changes nothing of it; what it wants changed it yields as an action.

use std::sync::Arc;

use smol_str::SmolStr;

use super::program::{GraphId, GraphProgram, NodeId, NodeProgram, Program};
use super::slice::StateSlice;
use super::state::RunState;
use crate::ask::{Ask, Question};
use crate::event::{ScopeId, VisitId};

/// What an attempt of a node's work is given.
#[derive(Debug, Clone)]
pub struct Input {
    pub visit: VisitId,
    /// In which run of a graph.
    pub scope: ScopeId,
    /// How deep that graph lies inside others; the main one is 0.
    pub depth: u32,
    pub graph: GraphId,
    pub node: NodeId,
    /// Which attempt it is, from 1.
    pub attempt: u32,
    /// What the node sees of the memory.
    pub slice: StateSlice,
    /// The state of the run.
    pub state: Arc<RunState>,
    /// What stands before the names of nodes in reports, where the graph runs inside a node of another.
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

    /// A question of the node to the world.
    #[must_use]
    pub fn ask(&self, program: &Program, what: Question) -> Ask {
        let graph = self.graph(program);
        Ask { graph: graph.id.clone(), node: graph.node(self.node).id.clone(), attempt: self.attempt, what }
    }
}
