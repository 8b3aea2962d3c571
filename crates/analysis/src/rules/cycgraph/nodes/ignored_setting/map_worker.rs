//! What `ignored-setting` finds here. Reports a failure policy, a budget, annealing or a swarm on a node that
//! only a map runs, as its worker.

use nodewise_model::Origin;
use nodewise_model::cycgraph::Work;
use nodewise_model::graph::GraphNode;
use rustc_hash::FxHashSet;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Report, RulePart};
use crate::rules::cycgraph::located_nodes;

pub(super) static PART: RulePart = RulePart { severity: Severity::Hint, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    for (graph, facts) in context.graphs_with_facts() {
        let mut judged: FxHashSet<usize> = FxHashSet::default();
        for node in &graph.nodes {
            let Work::Map(map) = Work::of(node) else { continue };
            let Some(name) = map.worker.as_ref().filter(|name| !facts.is_visited(&name.value)) else {
                continue;
            };
            let Some(worker) = facts.node(&name.value).filter(|worker| judged.insert(*worker)) else {
                continue;
            };
            for at in graph.nodes.get(worker).map(ignored).unwrap_or_default() {
                let message =
                    format!("a map ignores the `{}` of its worker", located_nodes::key(context, at));
                report.push(
                    Finding::new(at, message)
                        .label("nothing reads it")
                        .help("set it at the map, which is tried again as a whole, or remove it")
                        .related(name.at, "the map runs it here"),
                );
            }
        }
    }
}

/// The keys of settings that only have an effect when a run visits the node itself.
fn ignored(worker: &GraphNode) -> Vec<Origin> {
    let policy = &worker.failure;
    let is_set = |part: Option<Origin>| part.is_some_and(|at| at != worker.head);
    let retries = policy.attempts.as_ref().map(|attempts| attempts.at);
    let backoff = policy.backoff.as_ref().map(|backoff| backoff.at);
    let counts = is_set(retries) || is_set(backoff) || policy.breaker.is_some();
    let mut places: Vec<Origin> = policy.at.filter(|_| counts).into_iter().collect();
    places.extend(worker.budget.at);
    if let Work::Agent(agent) = Work::of(worker) {
        places.extend(agent.annealing.iter().map(|annealing| annealing.at));
        places.extend(agent.swarm.iter().map(|swarm| swarm.at));
    }
    places
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn settings_of_visits() {
        check_rule(
            "ignored-setting",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: map, map_reduce_config: {worker_node_id: w, static_items: [1]}}
  - {id: w, type: agent, agent_id: x, failure_policy: {max_retries: 2}, annealing_config: {}}
#                                     ^^^^^^^^^^^^^^ hint[ignored-setting]: a map ignores the `failure_policy` of its worker
#                                                                       ^^^^^^^^^^^^^^^^ hint[ignored-setting]: a map ignores the `annealing_config` of its worker
  - {id: b, type: map, map_reduce_config: {worker_node_id: v, static_items: [1]}}
  - {id: v, type: agent, agent_id: x, failure_policy: {timeout_ms: 2}}
  - {id: c, type: map, map_reduce_config: {worker_node_id: u, static_items: [1]}}
  - {id: u, type: agent, agent_id: x, budget: {max_tokens: 1}}
edges:
  - {source: a, target: u}
start_node: a
end_nodes: [b]
"#,
        );
    }
}
