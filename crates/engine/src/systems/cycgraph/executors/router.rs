//! A node that does nothing, and whose edges decide (cycgraph:6.7).

use nodewise_expr::value::Map;

use super::done;
use crate::kernel::{Context, Flow, Task, Wake};
use crate::systems::cycgraph::Cycgraph;
use crate::systems::cycgraph::action::{Action, Output};

/// An attempt of a router node.
#[derive(Debug, Clone)]
pub(super) struct Router;

impl Task<Cycgraph> for Router {
    fn step(&mut self, _: Wake<Output>, _: &mut Context<'_, Cycgraph>) -> Flow<Output> {
        done(Ok(Action::update(Map::new())))
    }

    fn copied(&self) -> Box<dyn Task<Cycgraph>> {
        Box::new(self.clone())
    }
}
