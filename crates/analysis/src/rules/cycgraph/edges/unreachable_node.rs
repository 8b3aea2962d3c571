//! What `unreachable-node` finds in cycgraph.

use nodewise_model::graph::Graph;

use crate::diagnostic::Severity;
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
        for finding in graph_findings::unreachable(context, graph, facts) {
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

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn what_follows_from_one_missing_edge_is_one_finding() {
        check_rule(
            "unreachable-node",
            r"
name: n
description: d
nodes:
  - {id: start, type: router}
  - {id: c, type: router}
  - {id: a, type: router}
#        ^ warning[unreachable-node]: `a` and the 2 nodes behind it are unreachable
  - {id: b, type: router}
  - {id: alone, type: router}
#        ^^^^^ warning[unreachable-node]: `alone` is unreachable
  - {id: one, type: router}
#        ^^^ warning[unreachable-node]: `one` and the node behind it are unreachable
  - {id: other, type: router}
edges:
  - {source: a, target: b}
  - {source: b, target: c}
  - {source: one, target: other}
  - {source: other, target: one}
start_node: start
end_nodes: [start]
",
        );
    }
}
