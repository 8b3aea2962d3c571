//! ## What it does
//!
//! Reports a key that the worker of a map reads and the map does not. Workers that a run also visits by
//! themselves are left out.
//!
//! ## Why it matters
//!
//! A worker sees what the map reads; its own `read_keys` are ignored. It never sees the key.
//!
//! ## Example
//!
//! ```yaml expect=unread-worker-key
//! name: desk
//! description: A desk.
//! inputs:
//!   items: {schema: {type: array}}
//!   topic: {schema: {type: string}}
//! nodes:
//!   - {id: a, type: map, read_keys: [items], map_reduce_config: {worker_node_id: w, items_path: $.memory.items}}
//!   - {id: w, type: agent, agent_id: one, read_keys: [topic], write_keys: [label]}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: desk
//! description: A desk.
//! inputs:
//!   items: {schema: {type: array}}
//!   topic: {schema: {type: string}}
//! nodes:
//!   - {id: a, type: map, read_keys: [items, topic], map_reduce_config: {worker_node_id: w, items_path: $.memory.items}}
//!   - {id: w, type: agent, agent_id: one, read_keys: [topic], write_keys: [label]}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use nodewise_model::cycgraph::Work;
use nodewise_model::state::{WILDCARD, is_hidden, top_level};
use rustc_hash::FxHashSet;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Needs, Report, Rule, RulePart};
use crate::rules::cycgraph::fixes;
use crate::rules::cycgraph::located_nodes;
use crate::rules::graph_findings;
use crate::rules::list_fixes;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "unread-worker-key",
    former: &["map-worker-unread-key"],
    category: Category::Dataflow,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, needs: Needs::Edges, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (graph, facts) in context.graphs_with_facts() {
        let mut judged: FxHashSet<usize> = FxHashSet::default();
        for map_visit in located_nodes::of_graph(graph, facts).filter(|visit| !visit.access.reads_all) {
            let Work::Map(map) = Work::of(map_visit.node) else { continue };
            let Some(name) = map.worker.as_ref().filter(|name| !facts.is_visited(&name.value)) else {
                continue;
            };
            let Some(position) = facts.node(&name.value).filter(|position| judged.insert(*position)) else {
                continue;
            };
            let Some(worker) = graph.nodes.get(position) else { continue };
            let seen: FxHashSet<&str> = map_visit.access.reads.iter().map(|key| top_level(key)).collect();
            for key in &worker.access.reads {
                let top = top_level(&key.value);
                let is_key = key.value != WILDCARD && !is_hidden(&key.value) && !facts.is_ambient(top);
                if !is_key || seen.contains(top) {
                    continue;
                }
                let message = format!("the worker never sees `{}`", short(&key.value));
                let finding = Finding::new(key.at, message)
                    .label("it sees what the map reads, not its own `read_keys`")
                    .help(format!("list it in `read_keys` of {}", graph_findings::named(map_visit.node)))
                    .related(name.at, "the map runs it here");
                let edit = fixes::with_read(context, map_visit.node, &key.value);
                report.push(list_fixes::offer(finding, "Let the map read it".to_owned(), false, edit));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn only_keys_that_the_map_does_not_read() {
        check_rule(
            "unread-worker-key",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: map, read_keys: [items.open], map_reduce_config: {worker_node_id: w, static_items: [1]}}
  - {id: w, type: agent, agent_id: x, read_keys: [items, goal, topic, "*", _own]}
#                                                              ^^^^^ warning[unread-worker-key]: the worker never sees `topic`
  - {id: b, type: map, read_keys: [items], map_reduce_config: {worker_node_id: v, static_items: [1]}}
  - {id: v, type: agent, agent_id: x, read_keys: [topic]}
  - {id: c, type: map, read_keys: ["*"], map_reduce_config: {worker_node_id: u, static_items: [1]}}
  - {id: u, type: agent, agent_id: x, read_keys: [topic]}
edges:
  - {source: a, target: v}
start_node: a
end_nodes: [b]
"#,
        );
    }
}
