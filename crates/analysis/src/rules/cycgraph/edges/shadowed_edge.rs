//! ## What it does
//!
//! Reports an edge behind one of the same node that is always followed, and an edge that leaves an end of the graph.
//! Edges of supervisors are left out, and edges from a peer to an agent with a swarm: the release looks at them
//! before a run.
//!
//! ## Why it matters
//!
//! Edges are tried in the order in which they are written, and the first that holds is followed. A run ends
//! at an end of the graph, whatever leaves it.
//!
//! ## Example
//!
//! ```yaml expect=shadowed-edge
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//!   - {id: c, type: router}
//! edges:
//!   - {source: a, target: b}
//!   - {source: a, target: c, condition: {type: conditional, condition: tainted}}
//! start_node: a
//! end_nodes: [b, c]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//!   - {id: c, type: router}
//! edges:
//!   - {source: a, target: c, condition: {type: conditional, condition: tainted}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b, c]
//! ```

use nodewise_model::Origin;
use nodewise_model::cycgraph::Work;
use nodewise_model::graph::{EdgeGuard, Graph, GraphEdge};
use rustc_hash::FxHashSet;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::cycgraph::located_nodes::{self, Visit};
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "shadowed-edge",
    former: &["edge-behind-unconditional"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (graph, facts) in context.graphs_with_facts().filter(|(graph, _)| !graph.is_fragment) {
        let ends = graph.ends.iter().flat_map(|ends| &ends.value);
        let ends: FxHashSet<&str> = ends.map(|end| end.value.as_str()).collect();
        let asked = edges_that_are_asked_for(graph);
        for visit in located_nodes::of_graph(graph, facts) {
            if facts.meant(visit.position) != visit.position
                || matches!(Work::of(visit.node), Work::Supervisor(_))
            {
                continue;
            }
            let edges = facts.outgoing(visit.position).iter().filter_map(|edge| graph.edges.get(*edge));
            let edges = edges.filter(|edge| !is_asked_for(edge, &asked));
            let is_end = visit.node.id.as_ref().is_some_and(|id| ends.contains(id.value.as_str()));
            match is_end {
                true => edges.for_each(|edge| report.push_at(Severity::Hint, behind_end(edge))),
                false => check_order(&visit, edges, report),
            }
        }
    }
}

/// Pairs of a peer and an agent whose swarm names the peer. The release requires an edge back in this case.
fn edges_that_are_asked_for(graph: &Graph) -> FxHashSet<(&str, &str)> {
    let mut pairs = FxHashSet::default();
    for node in &graph.nodes {
        let (Work::Agent(agent), Some(id)) = (Work::of(node), &node.id) else { continue };
        for peer in agent.swarm.iter().flat_map(|swarm| &swarm.peers) {
            pairs.insert((peer.value.as_str(), id.value.as_str()));
        }
    }
    pairs
}

fn is_asked_for(edge: &GraphEdge, asked: &FxHashSet<(&str, &str)>) -> bool {
    match (&edge.source, &edge.target) {
        (Some(source), Some(target)) => {
            asked.contains(&(source.name.value.as_str(), target.name.value.as_str()))
        }
        _ => false,
    }
}

fn target_place(edge: &GraphEdge) -> Origin {
    edge.target.as_ref().map_or(edge.head, |target| target.name.at)
}

fn behind_end(edge: &GraphEdge) -> Finding {
    Finding::new(target_place(edge), "no run follows this edge")
        .label("it leaves an end of the graph, where each run is over")
        .help("remove it, or take the node out of the ends")
}

fn check_order<'a>(visit: &Visit<'a>, edges: impl Iterator<Item = &'a GraphEdge>, report: &mut Report) {
    let mut always: Option<&GraphEdge> = None;
    for edge in edges {
        let leads_on =
            edge.target.as_ref().is_some_and(|target| visit.facts.node(&target.name.value).is_some());
        match always {
            // The condition is ignored, which another rule reports.
            Some(first) if !first.foreign_keys.is_empty() => {}
            Some(first) => {
                let target = first.target.as_ref().map_or("", |target| target.name.value.as_str());
                report.push(
                    Finding::new(target_place(edge), "no run follows this edge")
                        .label(format!("the edge to `{}` is always followed before it", short(target)))
                        .help("write it first, or give the other one a condition")
                        .related(target_place(first), "this one has no condition"),
                );
            }
            None if matches!(edge.guard, EdgeGuard::Always) && leads_on => always = Some(edge),
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn order_decides() {
        check_rule(
            "shadowed-edge",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: router}
  - {id: b, type: router}
  - {id: c, type: supervisor, agent_id: x, supervisor_config: {managed_nodes: [a, b]}}
  - {id: d, type: agent, agent_id: x, swarm_config: {peer_nodes: [a]}}
edges:
  - {source: a, target: nowhere}
  - {source: a, target: c}
  - {source: a, target: b}
#                       ^ warning[shadowed-edge]: no run follows this edge
  - {source: a, target: d}
  - {source: b, target: c}
#                       ^ hint[shadowed-edge]: no run follows this edge
  - {source: c, target: a}
  - {source: c, target: b}
start_node: a
end_nodes: [b]
"#,
        );
    }
}
