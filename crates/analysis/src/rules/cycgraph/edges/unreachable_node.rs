//! What `unreachable-node` finds in cycgraph.

use nodewise_model::graph::Graph;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Needs, Report, RulePart};
use crate::rules::graph_findings;

pub(in crate::rules) static PART: RulePart = RulePart {
    spec: Some("cycgraph:R48"),
    severity: Severity::Warning,
    absence: true,
    needs: Needs::Edges,
    check,
    ..RulePart::DEFAULT
};

fn check(context: &Context<'_>, report: &mut Report) {
    // If the start or the edges of a graph cannot be read, nothing is certain.
    let drawn = |(graph, _): &(&Graph, _)| graph.start.is_some() && graph.edges_at.is_some();
    for (graph, facts) in context.graphs_with_facts().filter(drawn) {
        let start_is_known = graph.start.as_ref().is_some_and(|start| facts.node(&start.value).is_some());
        for (position, node) in graph_findings::nodes(graph) {
            if facts.is_reached(position) {
                continue;
            }
            let finding = Finding::new(
                graph_findings::id_place(node),
                format!("{} is unreachable", graph_findings::named(node)),
            );
            report.push(if start_is_known {
                finding
                    .label("no path leads here from the start")
                    .help("add an edge that leads to it, or remove the node")
            } else {
                finding.label("runs have nowhere to begin").help("name a node of the graph as the start")
            });
        }
    }
}
