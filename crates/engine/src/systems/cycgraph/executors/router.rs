//! A node that does nothing, and whose edges decide (cycgraph:6.7).

use nodewise_expr::value::Map;

use super::done;
use crate::kernel::{Flow, Task, TaskContext, Wake};
use crate::systems::cycgraph::Cycgraph;
use crate::systems::cycgraph::action::{NodeAction, Output};

#[derive(Debug, Clone)]
pub(super) struct Router;

impl Task<Cycgraph> for Router {
    fn step(&mut self, _: Wake<Output>, _: &mut TaskContext<'_, Cycgraph>) -> Flow<Output> {
        done(Ok(NodeAction::update(Map::new())))
    }

    fn copied(&self) -> Box<dyn Task<Cycgraph>> {
        Box::new(self.clone())
    }
}
