//! An expression names the node that comes next.
//!
//! Input: the state; output: the name. Invariant: an empty name leaves the choice to the edges; a function of the host
//! is no data, and stumbles.

use std::sync::Arc;

use nodewise_expr::agentos;
use nodewise_expr::eval::Scope;
use nodewise_model::work::RouterWork;

use super::super::Output;
use super::super::machine::{Machine, MachineContext, Progress};
use super::super::program::Test;
use super::super::result::NodeResult;
use crate::kernel::Wake;

/// An expression that chooses the next node.
#[derive(Debug, Clone)]
pub(super) struct Router {
    test: Option<Arc<Test>>,
}

impl Router {
    pub(super) fn new(work: &RouterWork) -> Router {
        Router { test: work.condition.as_ref().map(|condition| Arc::new(Test::of(condition))) }
    }
}

impl Machine for Router {
    fn go(&mut self, _: Wake<Output>, work: &mut MachineContext<'_, '_>) -> Progress {
        let Some(test) = &self.test else {
            return Progress::Thrown("the router has no condition".into());
        };
        let target = match &**test {
            Test::Function => {
                return Progress::Thrown("the condition is a function, which a file cannot hold".into());
            }
            Test::Expression(None) => "false".into(),
            Test::Expression(Some(expression)) => {
                let variables = work.state().partitions();
                agentos::result(expression, &Scope { variables: &[&variables], ..Scope::default() })
            }
        };
        Progress::done(NodeResult::routed(target))
    }

    fn copied(&self) -> Box<dyn Machine> {
        Box::new(self.clone())
    }
}
