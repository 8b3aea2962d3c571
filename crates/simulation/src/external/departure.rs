//! Where a run leaves its graph, as reports show it.
//!
//! Input: a scope of a trace beside its graph, and a step; output: a message, and the nodes and edges around the step. Invariant:
//! `-` marks what the run did, and `+` what the graph does.

use nodewise_model::Origin;
use nodewise_model::graph::EdgeCondition;
use smol_str::SmolStr;

use super::route_graph::RouteGraph;
use crate::chart::Places;
use crate::external_run::ExternalScope;
use crate::words;

/// The number of nodes that are shown before a difference.
const CONTEXT: usize = 3;

/// A scope of a run, next to the graph that it ran.
pub(super) struct TracedGraph<'s, 'p> {
    pub(super) graph: RouteGraph<'s>,
    pub(super) scope: &'p ExternalScope,
    places: &'p mut Places<'s>,
}

/// The point where a run leaves its graph.
pub(super) struct Departure {
    pub(super) line: u32,
    pub(super) message: String,
    pub(super) difference: Vec<String>,
    pub(super) node: Option<Origin>,
    pub(super) expected: Option<SmolStr>,
    pub(super) found: Option<SmolStr>,
}

impl<'s, 'p> TracedGraph<'s, 'p> {
    pub(super) fn new(
        graph: RouteGraph<'s>,
        scope: &'p ExternalScope,
        places: &'p mut Places<'s>,
    ) -> TracedGraph<'s, 'p> {
        TracedGraph { graph, scope, places }
    }

    /// The departure for a run that continues differently from the graph after a step.
    pub(super) fn departure(
        &mut self,
        position: usize,
        message: String,
        expected: Option<SmolStr>,
        found: Option<SmolStr>,
    ) -> Departure {
        let first = position.saturating_sub(CONTEXT - 1);
        let before = self.scope.steps.get(first..=position).unwrap_or_default();
        let mut difference: Vec<String> = Vec::new();
        if first > 0 {
            difference.push("  …".to_owned());
        }
        difference.extend(before.iter().map(|step| format!("  {}", step.node)));
        difference.extend(expected.iter().map(|name| format!("- {name}")));
        difference.extend(found.iter().map(|name| format!("+ {name}")));
        let step = self.scope.steps.get(position);
        if let Some(step) = step {
            let condition = self.graph.node(&step.node).and_then(|node| node.work.condition());
            if let Some(EdgeCondition::Expression(Some(condition))) = condition {
                difference.push(format!("routes by {}", words::shortened(&condition.text, words::TEXT_MAX)));
            }
            let edges = self.graph.leaving(&step.node);
            let shown = edges.map(|edge| self.graph.shown_edge(edge, step.known.as_ref(), self.places));
            difference.extend(shown.collect::<Vec<_>>());
        }
        Departure {
            line: step.map_or(1, |step| step.line),
            message,
            difference,
            node: step.and_then(|step| self.graph.place(&step.node)),
            expected,
            found,
        }
    }

    /// The departure for a visit of a node that the graph does not have.
    pub(super) fn not_there(&mut self, position: usize) -> Departure {
        let step = self.scope.steps.get(position);
        let name = step.map(|step| step.node.clone()).unwrap_or_default();
        let message = format!("the graph has no node `{name}`");
        let line = step.map_or(1, |step| step.line);
        match position.checked_sub(1) {
            Some(before) => Departure { line, ..self.departure(before, message, Some(name), None) },
            None => Departure {
                line,
                message,
                difference: vec![format!("- {name}")],
                node: None,
                expected: Some(name),
                found: None,
            },
        }
    }

    /// The departure for a run that begins at another node than the graph.
    pub(super) fn other_start(&self, start: SmolStr) -> Departure {
        let step = self.scope.steps.first();
        let name = step.map(|step| step.node.clone()).unwrap_or_default();
        Departure {
            line: step.map_or(1, |step| step.line),
            message: format!("the run begins at `{start}`, expected `{name}`"),
            difference: vec![format!("- {name}"), format!("+ {start}")],
            node: self.graph.place(&start),
            expected: Some(name),
            found: Some(start),
        }
    }
}
