//! What `unknown-node` finds in cycgraph.

use nodewise_model::Located;
use nodewise_model::cycgraph::Work;
use nodewise_model::graph::{EndpointRole, GraphNode};
use smol_str::SmolStr;

use crate::diagnostic::Severity;
use crate::rule::{Context, Needs, Report, RulePart};
use crate::rules::graph_findings;
use crate::rules::names::misnamed_node::{Nodes, Use, node_of_agent, report_unknown};

pub(in crate::rules) static PART: RulePart =
    RulePart { severity: Severity::Error, needs: Needs::Nodes, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    for (graph, facts) in context.graphs_with_facts() {
        let mut uses: Vec<Use<'_>> = Vec::new();
        let mut add = |name, spec, harm| uses.push(Use { name, spec, harm, word: None });
        if let Some(start) = &graph.start {
            add(start, "cycgraph:R5", "a run cannot begin");
        }
        for end in graph.ends.iter().flat_map(|ends| &ends.value) {
            add(end, "cycgraph:R7", "a run cannot end here");
        }
        for edge in &graph.edges {
            for (end, spec) in [(&edge.source, "cycgraph:R9"), (&edge.target, "cycgraph:R10")] {
                if let Some(end) = end.as_ref().filter(|end| end.role == EndpointRole::Node) {
                    add(&end.name, spec, "the edge has no such end");
                }
            }
        }
        for node in &graph.nodes {
            for (name, spec, harm) in handed(node) {
                add(name, spec, harm);
            }
        }
        let of_name = |used: &Use<'_>| match node_of_agent(graph, &used.name.value) {
            Some(node) => graph_findings::no_such_node(context, Some(node), used.name, used.harm),
            None => graph_findings::unknown_node(context, facts, used.name, used.harm),
        };
        let nodes =
            Nodes { graph, has: &|name| facts.node(name).is_some(), nearest: &|name| facts.nearest(name) };
        report_unknown(context, &nodes, &uses, of_name, report);
    }
}

/// The nodes that a node's settings name, each with the class of a wrong name and its effect.
fn handed(node: &GraphNode) -> Vec<(&Located<SmolStr>, &'static str, &'static str)> {
    match Work::of(node) {
        Work::Agent(agent) => {
            let peers = agent.swarm.iter().flat_map(|swarm| &swarm.peers);
            peers.map(|peer| (peer, "cycgraph:R17", "the agent cannot hand over to it")).collect()
        }
        Work::Human(human) => human
            .rejection
            .iter()
            .filter(|rejection| !rejection.value.is_empty())
            .map(|rejection| (rejection, "cycgraph:R25", "a rejection leads nowhere"))
            .collect(),
        Work::Map(map) => {
            let worker =
                map.worker.iter().map(|worker| (worker, "cycgraph:R27", "no node handles the items"));
            let synthesizer = map.synthesizer.iter().filter(|synthesizer| !synthesizer.value.is_empty());
            worker
                .chain(synthesizer.map(|name| (name, "cycgraph:R28", "no node merges the results")))
                .collect()
        }
        Work::Supervisor(supervisor) => {
            let managed = supervisor.managed.iter();
            managed.map(|managed| (managed, "cycgraph:R34", "the supervisor cannot choose it")).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn every_place_of_a_node() {
        check_rule(
            "unknown-node",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: gate, type: approval, approval_config: {rejection_node_id: fix_it}}
#                                                                   ^^^^^^ error[unknown-node]: no node has the id `fix_it`
  - {id: fan, type: map, map_reduce_config: {worker_node_id: gat, synthesizer_node_id: ''}}
#                                                            ^^^ error[unknown-node]: no node has the id `gat`
  - {id: boss, type: supervisor, agent_id: x, supervisor_config: {managed_nodes: [fan, one]}}
#                                                                                      ^^^ error[unknown-node]: no node has the id `one`
  - {id: bee, type: agent, agent_id: x, swarm_config: {peer_nodes: [wasp]}}
#                                                                   ^^^^ error[unknown-node]: no node has the id `wasp`
  - {id: idle, type: router, swarm_config: {peer_nodes: [wasp]}}
edges:
  - {source: x, target: y}
#            ^ error[unknown-node]: no node has the id `x`
#                       ^ error[unknown-node]: no node has the id `y`
start_node: gate
end_nodes: [fan, bos]
#                ^^^ error[unknown-node]: no node has the id `bos`
",
        );
    }

    fn agentos(edge: &str) -> String {
        format!(
            r"
id: g
name: g
nodes:
  - {{id: work, type: tool, executorConfig: {{type: tool, toolName: t}}}}
stateSchema: {{input: {{}}, scratch: {{}}, artifacts: {{}}}}
edges:
{edge}
"
        )
    }

    #[test]
    fn words_for_the_beginning_and_the_end_in_the_wrong_place() {
        check_rule(
            "unknown-node",
            &agentos(
                r"  - {id: a, source: __END__, target: work, type: static}
#                   ^^^^^^^ error[unknown-node]: `__END__` is not a node, and not allowed here
  - {id: b, source: work, target: __START__, type: static}
#                                 ^^^^^^^^^ error[unknown-node]: `__START__` is not a node, and not allowed here",
            ),
        );
    }

    #[test]
    fn words_of_other_systems_for_the_beginning_and_the_end() {
        check_fix(
            "unknown-node",
            &agentos("  - {id: a, source: START, target: work, type: static}"),
            &agentos("  - {id: a, source: __START__, target: work, type: static}"),
        );
        check_fix(
            "unknown-node",
            &agentos("  - {id: a, source: work, target: __end__, type: static}"),
            &agentos("  - {id: a, source: work, target: __END__, type: static}"),
        );
    }

    #[test]
    fn a_key_of_its_own_wins_over_a_merged_one() {
        check_rule(
            "unknown-node",
            r"
id: g
name: g
nodes:
  - &first {id: a, type: tool, executorConfig: {type: tool, toolName: t}}
  - {<<: *first, id: b}
stateSchema: {input: {}, scratch: {}, artifacts: {}}
edges:
  - {id: e, source: a, target: b, type: static}
",
        );
    }

    #[test]
    fn ids_of_the_same_number_are_the_same() {
        check_rule(
            "unknown-node",
            r"
id: g
name: g
nodes:
  - {id: 1, type: tool, executorConfig: {type: tool, toolName: t}}
stateSchema: {input: {}, scratch: {}, artifacts: {}}
edges:
  - {id: a, source: __START__, target: 1, type: static}
  - {id: b, source: 1, target: __END__, type: static}
",
        );
    }

    #[test]
    fn a_near_name_is_offered() {
        check_fix(
            "unknown-node",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: draft, type: router}
edges: []
start_node: drat
end_nodes: [draft]
",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: draft, type: router}
edges: []
start_node: draft
end_nodes: [draft]
",
        );
    }
}
