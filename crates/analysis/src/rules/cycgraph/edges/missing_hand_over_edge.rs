//! ## What it does
//!
//! Reports a swarm peer without an edge back to the node, and a managed node that no edge leads to from its
//! supervisor.
//!
//! ## Why it matters
//!
//! A hand-over itself needs no edge. The release warns all the same, because the edge shows that the nodes
//! belong together; for a peer it is also the path back when the hand-overs are used up.
//!
//! ## Example
//!
//! ```yaml expect=missing-hand-over-edge
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: supervisor, agent_id: boss, supervisor_config: {managed_nodes: [b]}}
//!   - {id: b, type: agent, agent_id: writer, write_keys: [brief]}
//! edges:
//!   - {source: b, target: a}
//! start_node: a
//! end_nodes: []
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: supervisor, agent_id: boss, supervisor_config: {managed_nodes: [b]}}
//!   - {id: b, type: agent, agent_id: writer, write_keys: [brief]}
//! edges:
//!   - {source: a, target: b}
//!   - {source: b, target: a}
//! start_node: a
//! end_nodes: []
//! ```

use nodewise_model::cycgraph::Work;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::graph_findings;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "missing-hand-over-edge",
    former: &[],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, absence: true, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let (back, there) = ("cycgraph:R18", "cycgraph:R35");
    for (graph, facts) in context.graphs_with_facts() {
        for (position, node) in graph_findings::nodes(graph) {
            match (Work::of(node), &node.id) {
                (Work::Agent(agent), Some(id)) => {
                    for peer in agent.swarm.iter().flat_map(|swarm| &swarm.peers) {
                        if !facts.node(&peer.value).is_some_and(|peer| facts.has_edge(graph, peer, &id.value))
                        {
                            let message = message(&peer.value, &id.value);
                            report.push(
                                Finding::new(peer.at, message)
                                    .spec(back)
                                    .label("the peer cannot give the run back")
                                    .help("add an edge from the peer to this node"),
                            );
                        }
                    }
                }
                (Work::Supervisor(supervisor), Some(id)) => {
                    for managed in &supervisor.managed {
                        if !facts.has_edge(graph, position, &managed.value) {
                            let message = message(&id.value, &managed.value);
                            report.push(
                                Finding::new(managed.at, message)
                                    .spec(there)
                                    .label("the graph does not show that they belong together")
                                    .help("add the edge; the path back to the supervisor needs one too"),
                            );
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

fn message(from: &str, to: &str) -> String {
    format!("no edge leads from `{}` to `{}`", short(from), short(to))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn also_for_nodes_that_do_not_exist() {
        check_rule(
            "missing-hand-over-edge",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: agent, agent_id: x, swarm_config: {peer_nodes: [b, c, z]}}
#                                                                 ^ warning[missing-hand-over-edge]: no edge leads from `b` to `a`
#                                                                       ^ warning[missing-hand-over-edge]: no edge leads from `z` to `a`
  - {id: b, type: router}
  - {id: c, type: router}
  - {id: s, type: supervisor, agent_id: x, supervisor_config: {managed_nodes: [a, y]}}
#                                                                                 ^ warning[missing-hand-over-edge]: no edge leads from `s` to `y`
edges:
  - {source: c, target: a}
  - {source: s, target: a}
start_node: a
end_nodes: [b]
",
        );
    }
}
