//! What `dead-end-node` finds in cycgraph: nodes that no edge leaves.

use nodewise_model::cycgraph::Work;
use nodewise_model::graph::Graph;
use rustc_hash::FxHashSet;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Needs, Report, RulePart};
use crate::rules::graph_findings;

pub(in crate::rules) static PART: RulePart = RulePart {
    spec: Some("cycgraph:R49"),
    severity: Severity::Warning,
    absence: true,
    needs: Needs::Edges,
    check,
    ..RulePart::DEFAULT
};

fn check(context: &Context<'_>, report: &mut Report) {
    // If the ends or edges of a graph cannot be read, nothing is certain.
    let drawn = |(graph, _): &(&Graph, _)| graph.ends.is_some() && graph.edges_at.is_some();
    for (graph, facts) in context.graphs_with_facts().filter(drawn) {
        let ends = graph.ends.iter().flat_map(|ends| &ends.value).map(|end| end.value.as_str());
        let returning =
            graph.nodes.iter().flat_map(|node| std::iter::once(Work::of(node)).chain(Work::idle(node)));
        let returning = returning.filter_map(|work| match work {
            Work::Map(map) => Some(map.worker.iter().chain(&map.synthesizer).map(|name| name.value.as_str())),
            _ => None,
        });
        let excused: FxHashSet<&str> = ends.chain(returning.flatten()).collect();
        for (position, node) in graph_findings::nodes(graph) {
            let is_excused = node.id.as_ref().is_some_and(|id| excused.contains(id.value.as_str()));
            if !is_excused && facts.outgoing(position).is_empty() {
                report.push(
                    Finding::new(
                        graph_findings::id_place(node),
                        format!("no edge leaves {}", graph_findings::named(node)),
                    )
                    .label("a run that comes here fails")
                    .help("add an edge that leaves it, or list it among the ends of the graph"),
                );
            }
        }
    }
}
