//! Which nodes are ready, in the release and as documented.
//!
//! Input: what was completed, skipped and chosen; output: the ready nodes in the order of the document. Invariant: both
//! readings answer the same questions, so that the run need not know which one it follows.

mod documented;
mod release;

use std::collections::VecDeque;

use nodewise_expr::value::Map;

use self::documented::Flow;
use self::release::Steps;
use super::node::Id;
use super::program::Graph;
use super::reading::Reading;

/// How far a run is.
#[derive(Debug, Clone)]
pub(super) enum Schedule {
    Release(Steps),
    Documented(Flow),
}

impl Schedule {
    pub(super) fn new(graph: &Graph, reading: Reading) -> Schedule {
        match reading {
            Reading::Release => Schedule::Release(Steps::new(graph)),
            Reading::Documented => Schedule::Documented(Flow::new(graph)),
        }
    }

    /// Follows the edges from the start, none of which the release evaluates; returns what is skipped.
    pub(super) fn open(&mut self, graph: &Graph, chosen: &[Id]) -> Vec<Id> {
        match self {
            Schedule::Release(_) => Vec::new(),
            Schedule::Documented(flow) => flow.route(graph, Id::START, chosen),
        }
    }

    /// Continues from the names that a checkpoint has.
    pub(super) fn restore(&mut self, graph: &Graph, completed: &Map, skipped: &Map) {
        let numbers =
            |names: &Map| names.iter().filter_map(|(name, _)| graph.number(name)).collect::<Vec<Id>>();
        let (completed, skipped) = (numbers(completed), numbers(skipped));
        match self {
            Schedule::Release(steps) => {
                completed.into_iter().for_each(|id| steps.complete(graph, id));
                for id in skipped {
                    steps.skip(graph, id);
                }
            }
            Schedule::Documented(flow) => {
                for id in std::iter::once(Id::START).chain(completed) {
                    let mut chosen: Vec<Id> =
                        graph.targets(id).filter(|target| !skipped.contains(target)).collect();
                    chosen.sort_unstable();
                    if id != Id::START {
                        flow.complete(graph, id);
                    }
                    flow.route(graph, id, &chosen);
                }
            }
        }
    }

    /// The ready nodes, in the order of the document.
    pub(super) fn ready(&self) -> VecDeque<u32> {
        match self {
            Schedule::Release(steps) => steps.ready(),
            Schedule::Documented(flow) => flow.ready(),
        }
    }

    /// Records that a name is completed because its node ran.
    pub(super) fn complete(&mut self, graph: &Graph, id: Id) {
        match self {
            Schedule::Release(steps) => steps.complete(graph, id),
            Schedule::Documented(flow) => flow.complete(graph, id),
        }
    }

    /// Follows a node's choice of (sorted) names; returns what is skipped.
    pub(super) fn route(&mut self, graph: &Graph, node: u32, chosen: &[Id]) -> Vec<Id> {
        match self {
            Schedule::Release(steps) => steps.route(graph, node, chosen),
            Schedule::Documented(flow) => flow.route(graph, graph.node(node).id, chosen),
        }
    }

    /// The names that were completed, in order.
    pub(super) fn completed(&self) -> &[Id] {
        match self {
            Schedule::Release(steps) => &steps.completed,
            Schedule::Documented(flow) => &flow.completed,
        }
    }

    /// The names that were skipped, in order.
    pub(super) fn skipped(&self) -> &[Id] {
        match self {
            Schedule::Release(steps) => &steps.skipped,
            Schedule::Documented(flow) => &flow.skipped,
        }
    }
}
