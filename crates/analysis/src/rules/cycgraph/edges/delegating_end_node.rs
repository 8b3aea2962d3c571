//! ## What it does
//!
//! Reports a supervisor, or an agent with a swarm, among the ends of its graph.
//!
//! ## Why it matters
//!
//! A run is over as soon as a node among the ends has run. A supervisor there has only chosen a node, and
//! that node never runs; a hand-over to a peer ends the run likewise.
//!
//! ## Example
//!
//! ```yaml expect=delegating-end-node
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: boss, type: supervisor, agent_id: one, supervisor_config: {managed_nodes: [w]}}
//!   - {id: w, type: agent, agent_id: two, write_keys: [draft]}
//! edges:
//!   - {source: boss, target: w}
//!   - {source: w, target: boss}
//! start_node: boss
//! end_nodes: [boss]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: boss, type: supervisor, agent_id: one, supervisor_config: {managed_nodes: [w]}}
//!   - {id: w, type: agent, agent_id: two, write_keys: [draft]}
//! edges:
//!   - {source: boss, target: w}
//!   - {source: w, target: boss}
//! start_node: boss
//! end_nodes: []
//! ```

use nodewise_model::cycgraph::Work;
use nodewise_model::cycgraph::working_swarm;
use nodewise_model::graph::GraphNode;
use rustc_hash::FxHashSet;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::cycgraph::located_nodes;
use crate::rules::list_fixes;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "delegating-end-node",
    former: &["end-node-hands-over"],
    category: Category::Suspicious,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (graph, facts) in context.graphs_with_facts().filter(|(graph, _)| !graph.is_fragment) {
        let ends = graph.ends.iter().flat_map(|ends| &ends.value).enumerate();
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        for (position, end) in ends.filter(|(_, end)| seen.insert(end.value.as_str())) {
            let node = located_nodes::node(graph, facts, &end.value);
            let Some((label, help)) = node.and_then(harm) else { continue };
            let message = format!("the run ends as soon as `{}` has run", short(&end.value));
            let finding = Finding::new(end.at, message).label(label).help(help);
            let names = graph.ends.as_ref().map_or(&[][..], |ends| &ends.value);
            // A supervisor ends the run itself. Any other node needs an outgoing edge.
            let leads_on = facts.node(&end.value).is_some_and(|node| !facts.outgoing(node).is_empty());
            let is_supervisor = node.is_some_and(|node| matches!(Work::of(node), Work::Supervisor(_)));
            let edit =
                list_fixes::without_name(context, names, position).filter(|_| is_supervisor || leads_on);
            report.push(list_fixes::offer(finding, "Take it out of the ends".to_owned(), false, edit));
        }
    }
}

/// The work that is lost if a run ends at the node, and what to do.
fn harm(node: &GraphNode) -> Option<(&'static str, &'static str)> {
    match Work::of(node) {
        Work::Supervisor(supervisor) if !supervisor.managed.is_empty() => Some((
            "the node that the supervisor has chosen never runs",
            "leave it out: a supervisor ends the run itself, with `__done__`",
        )),
        _ => working_swarm(node).filter(|swarm| !swarm.peers.is_empty()).map(|_| {
            ("a peer that it hands over to never runs", "let an edge lead to a node where the run ends")
        }),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_no_fix, check_rule};

    #[test]
    fn supervisors_and_swarms() {
        check_rule(
            "delegating-end-node",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: supervisor, agent_id: x, supervisor_config: {managed_nodes: [c]}}
  - {id: b, type: agent, agent_id: x, write_keys: [peer_delegation], swarm_config: {peer_nodes: [c]}}
  - {id: c, type: agent, agent_id: x, swarm_config: {peer_nodes: []}}
edges: []
start_node: a
end_nodes: [a, b, c, a, d]
#           ^ warning[delegating-end-node]: the run ends as soon as `a` has run
#              ^ warning[delegating-end-node]: the run ends as soon as `b` has run
"#,
        );
    }

    #[test]
    fn a_lone_node_has_no_ends() {
        check_rule(
            "delegating-end-node",
            r#"
id: a
type: supervisor
agent_id: x
supervisor_config: {managed_nodes: [b]}
"#,
        );
    }

    #[test]
    fn leaves_the_other_ends() {
        check_fix(
            "delegating-end-node",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: supervisor, agent_id: x, supervisor_config: {managed_nodes: [c]}}
edges: []
start_node: a
end_nodes: [b, a]
"#,
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: supervisor, agent_id: x, supervisor_config: {managed_nodes: [c]}}
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }

    #[test]
    fn a_swarm_without_an_edge_needs_its_end() {
        let graph = |edges: &str, ends: &str| {
            format!(
                "name: desk\ndescription: A desk.\nnodes:\n  - {{id: b, type: agent, agent_id: x, write_keys: \
                 [peer_delegation], swarm_config: {{peer_nodes: [c]}}}}\n  - {{id: c, type: router}}\nedges: \
                 [{edges}]\nstart_node: b\nend_nodes: [{ends}]\n"
            )
        };
        let edge = "{source: b, target: c}";
        check_fix("delegating-end-node", &graph(edge, "b, c"), &graph(edge, "c"));
        check_no_fix("delegating-end-node", &graph("", "b, c"));
    }
}
