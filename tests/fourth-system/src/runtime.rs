//! Declarations and scripts to runs.

use std::sync::Arc;

use nodewise_dialect::table::Dialect;
use nodewise_engine::explore::Guide;
use nodewise_expr::value::{Map, Value};
use nodewise_model::Located;
use nodewise_model::graph::Graph;
use nodewise_simulation::runtime::{Prepared, Runtime};
use nodewise_simulation::system::{ConditionContext, RunSemantics, RunnableSystem};
use nodewise_simulation::target::SimulationTarget;
use nodewise_simulation::{RunInputs, title_of};

use crate::engine::{Program, begin};
use crate::guide::RelayGuide;
use crate::table::RELAY;

pub const RUNTIME: &dyn Runtime = &RelayRuns;

struct RelayRuns;

impl RunSemantics for RelayRuns {
    fn dialect(&self) -> &'static Dialect {
        &RELAY
    }

    fn visible_state(&self, moment: &ConditionContext<'_>) -> Value {
        moment.state.clone().into()
    }
}

impl Runtime for RelayRuns {
    fn prepare<'w>(&self, inputs: &RunInputs<'w>) -> Option<Prepared<'w>> {
        let graphs = inputs.graphs();
        let (_, graph) = graphs.first()?;
        let mut graph: Graph = (*graph).clone();
        if let SimulationTarget::Graph { node: Some(node), .. } = inputs.target {
            let at = graph.start.as_ref().map_or(graph.head, |start| start.at);
            graph.start = Some(Located::new(node.clone(), at));
        }
        let charts = inputs.charts(RunnableSystem::new(RUNTIME), [&graph]);
        let title = title_of(&graph);
        let given: Map = inputs
            .input_members()
            .iter()
            .map(|(key, value)| (key.clone(), value.clone()))
            .chain(inputs.memory())
            .collect();
        let program = Arc::new(Program { graph, given });
        let running = Box::new(begin(program.clone(), inputs.limits(), inputs.seed()));
        let guide = Box::new(move || -> Box<dyn Guide> { Box::new(RelayGuide::new(&program)) });
        Some(Prepared { running, guide, title, charts, beside: Map::new(), clock: 0.0, notes: Vec::new() })
    }
}
