//! ## What it does
//!
//! Reports a node that no edge leaves and that is no end of the graph; in AgentOS, one from which no way leads to
//! `__END__`. Nodes that a map runs as its worker or
//! names as its synthesizer go back by themselves.
//!
//! ## Why it matters
//!
//! A run that comes to the node fails, because no edge can be followed. Nodes that a supervisor or a swarm
//! hands a run to need an edge back.
//!
//! ## Example
//!
//! ```yaml expect=dead-end-node
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```

use nodewise_dialect::tables::agentos::{END, PLACEHOLDERS, START};
use nodewise_model::graph::{Graph, GraphNode};
use nodewise_model::work::Work;
use rustc_hash::FxHashSet;

use crate::diagnostic::{Finding, Severity};
use crate::flow::{Flow, leads_to_the_end};
use crate::rule::{Category, Context, Needs, Part, Report, Rule};
use crate::rules::step;

pub(crate) static RULE: Rule = Rule {
    id: "dead-end-node",
    former: &[],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[],
};

pub(in crate::rules) static PART: Part = Part {
    spec: Some("cycgraph:R49"),
    severity: Severity::Warning,
    absence: true,
    needs: Needs::Edges,
    check,
    ..Part::DEFAULT
};

/// The same pattern in AgentOS.
pub(in crate::rules) static IN_AGENTOS: Part = Part {
    spec: Some("agentos:I12"),
    severity: Severity::Warning,
    absence: true,
    needs: Needs::Edges,
    check: check_agentos,
    ..Part::DEFAULT
};

fn check(context: &Context<'_>, report: &mut Report) {
    // Of a graph whose ends or edges cannot be read nothing is known.
    let drawn = |(graph, _): &(&Graph, _)| graph.ends.is_some() && graph.edges_at.is_some();
    for (graph, facts) in context.graphs_with_facts().filter(drawn) {
        let ends = graph.ends.iter().flat_map(|ends| &ends.value).map(|end| end.value.as_str());
        let returning = graph.nodes.iter().flat_map(|node| std::iter::once(&node.work).chain(&node.idle));
        let returning = returning.filter_map(|work| match work {
            Work::Map(map) => Some(map.worker.iter().chain(&map.synthesizer).map(|name| name.value.as_str())),
            _ => None,
        });
        let excused: FxHashSet<&str> = ends.chain(returning.flatten()).collect();
        for (position, node) in step::nodes(graph) {
            let is_excused = node.id.as_ref().is_some_and(|id| excused.contains(id.value.as_str()));
            if !is_excused && facts.outgoing(position).is_empty() {
                report.push(
                    Finding::new(step::id_place(node), format!("no edge leaves {}", step::named(node)))
                        .spec("cycgraph:R49")
                        .label("a run that comes here fails")
                        .help("add an edge that leaves it, or list it among the ends of the graph"),
                );
            }
        }
    }
}

fn check_agentos(context: &Context<'_>, report: &mut Report) {
    for (graph, flow) in context.flows() {
        of_agentos(graph, flow, report);
    }
}

/// In AgentOS the end is a place of its own. A graph that never comes to it has that fault as a whole; of a way that
/// leads astray its last node is shown.
fn of_agentos(graph: &Graph, flow: &Flow, report: &mut Report) {
    if !graph.edges.iter().any(leads_to_the_end) {
        return;
    }
    let ends = flow.on_the_way_to_the_end(graph);
    for (position, node) in step::nodes(graph) {
        let leads_on = flow.outgoing(position).iter().any(|edge| flow.target(*edge).is_some());
        let is_shown = !leads_on || flow.is_circular(position);
        if is_shown && !ends[position] && flow.is_first(graph, position) && !is_reserved(node) {
            report.push(
                Finding::new(
                    step::id_place(node),
                    format!("no path leads from {} to the end", step::named(node)),
                )
                .spec("agentos:I12")
                .label("its results never reach the end of the graph")
                .help(format!("add an edge to `{END}`")),
            );
        }
    }
}

/// Whether the node has an id that means something without it.
fn is_reserved(node: &GraphNode) -> bool {
    let reserved = |id: &str| id == START || id == END || PLACEHOLDERS.contains(&id);
    node.id.as_ref().is_some_and(|id| reserved(&id.value))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn workers_of_maps_are_excused() {
        check_rule(
            "dead-end-node",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: map, map_reduce_config: {worker_node_id: w, static_items: [1], synthesizer_node_id: s}}
  - {id: w, type: agent, agent_id: x}
  - {id: s, type: synthesizer}
  - {id: b, type: router}
  - {id: c, type: router}
#        ^ warning[dead-end-node]: no edge leaves `c`
edges:
  - {source: a, target: b}
start_node: a
end_nodes: [b]
",
        );
    }
}
