//! What `dead-end-node` finds in AgentOS, where the end is a place of its own: nodes from which no path leads there.

use nodewise_dialect::tables::agentos::{END, PLACEHOLDERS, START};
use nodewise_model::graph::{Graph, GraphNode};

use crate::diagnostic::{Finding, Severity};
use crate::graphs::{GraphFacts, leads_to_the_end};
use crate::rule::{Context, Needs, Report, RulePart};
use crate::rules::graph_findings;

pub(in crate::rules) static PART: RulePart = RulePart {
    spec: Some("agentos:I12"),
    severity: Severity::Warning,
    absence: true,
    needs: Needs::Edges,
    check,
    ..RulePart::DEFAULT
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (graph, facts) in context.whole_graphs() {
        of_graph(graph, facts, report);
    }
}

/// A graph that never comes to it has that fault as a whole; of a way that
/// leads astray its last node is shown.
fn of_graph(graph: &Graph, facts: &GraphFacts, report: &mut Report) {
    if !graph.edges.iter().any(leads_to_the_end) {
        return;
    }
    let ends = facts.on_the_way_to_the_end(graph);
    for (position, node) in graph_findings::nodes(graph) {
        let leads_on = facts.outgoing(position).iter().any(|edge| facts.target(*edge).is_some());
        let is_shown = !leads_on || facts.is_circular(position);
        if is_shown && !ends[position] && facts.is_meant(graph, position) && !is_reserved(node) {
            report.push(
                Finding::new(
                    graph_findings::id_place(node),
                    format!("no path leads from {} to the end", graph_findings::named(node)),
                )
                .label("its results never reach the end of the graph")
                .help(format!("add an edge to `{END}`")),
            );
        }
    }
}

/// Whether the id of the node is reserved, so that it has a meaning without the node.
fn is_reserved(node: &GraphNode) -> bool {
    let reserved = |id: &str| id == START || id == END || PLACEHOLDERS.contains(&id);
    node.id.as_ref().is_some_and(|id| reserved(&id.value))
}
