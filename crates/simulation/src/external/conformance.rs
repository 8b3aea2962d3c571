//! Whether a graph can make a run, and where the run leaves it.
//!
//! Input: a run of a trace and a snapshot; output: the result in the form of a scenario's. Invariant: one run has at most one
//! difference, the first.

use nodewise_analysis::workspace::Snapshot;
use nodewise_engine::usage::Usage;
use nodewise_expr::value::Value;
use nodewise_model::{Origin, SourceId};
use nodewise_syntax::TextRange;
use smol_str::{SmolStr, ToSmolStr};

use super::departure::{Departure, TracedGraph};
use super::route_graph::RouteGraph;
use super::{every_edge, first_edge};
use crate::chart::{Places, SourceLocation};
use crate::external_run::{ExternalRun, Routing};
use crate::system::RunnableSystem;
use crate::testing::{Ended, Mismatch, Tested};

/// Compares a run with the graphs of a project. `path` is the file of the trace, relative to the project.
#[must_use]
pub fn conform(snapshot: &Snapshot, system: RunnableSystem, run: &ExternalRun, path: &str) -> Tested {
    let mut places = Places::new(snapshot);
    let origin = Origin::new(SourceId::default(), TextRange::default());
    let place = |line: u32| SourceLocation { path: path.into(), line, column: 1, origin };
    let visits: usize = run.scopes.iter().map(|scope| scope.steps.len()).sum();
    let ended = Ended { outcome: String::new(), time: run.time, visits, spent: Usage::default() };
    let (graph, found) = match compared(snapshot, system, run, &mut places) {
        Ok((graph, departure)) => (graph, Ok(departure)),
        Err(reason) => (None, Err(reason)),
    };
    let title = match graph {
        Some(graph) => format!("run {} of graph `{graph}`", run.id),
        None => format!("run {}", run.id),
    };
    let mismatch = |departure: Departure, places: &mut Places<'_>| Mismatch {
        subject: "path".into(),
        message: departure.message,
        difference: departure.difference,
        expected: departure.expected.map_or(Value::Null, Value::Text),
        found: departure.found.map_or(Value::Null, Value::Text),
        at: Some(place(departure.line)),
        node: departure.node.and_then(|node| places.find(node)),
    };
    match found {
        Ok(departure) => {
            let mismatches = departure.map(|departure| mismatch(departure, &mut places));
            Tested::external(title, place(run.line), Ok(ended), mismatches.into_iter().collect())
        }
        Err(reason) => Tested::external(title, place(run.line), Err(reason), Vec::new()),
    }
}

/// The name of a run's graph, and where the run leaves it.
fn compared<'s>(
    snapshot: &'s Snapshot,
    system: RunnableSystem,
    run: &ExternalRun,
    places: &mut Places<'s>,
) -> Result<(Option<SmolStr>, Option<Departure>), String> {
    let Some(routing) = system.routing() else {
        let title = system.dialect().title;
        return Err(format!("nodewise cannot compare traces with declarations of {title}"));
    };
    let declared = RouteGraph::all(snapshot, system);
    let mut graphs: Vec<Option<RouteGraph<'s>>> = Vec::new();
    let mut name = None;
    for scope in &run.scopes {
        let graph = match &scope.caller {
            None => Some(RouteGraph::of_scope(&declared, scope)?),
            // The name of an inner graph does not matter, as long as the node still runs it.
            Some((caller, node)) => {
                graphs.get(*caller).copied().flatten().and_then(|graph| graph.called(node))
            }
        };
        graphs.push(graph);
        name = name.or_else(|| graph.map(|graph| graph.name().to_smolstr()));
    }
    // Report the first departure in the order of the trace, whatever its graph.
    let mut departures = Vec::new();
    for (graph, scope) in graphs.into_iter().zip(&run.scopes) {
        let Some(graph) = graph else { continue };
        let mut traced = TracedGraph::new(graph, scope, &mut *places);
        departures.extend(match routing {
            Routing::FirstEdge => first_edge::departure(&mut traced),
            Routing::EveryEdge => every_edge::departure(&mut traced),
        });
    }
    Ok((name, departures.into_iter().min_by_key(|departure| departure.line)))
}
