//! ## What it does
//!
//! Reports a key that a node reads, that the release takes for written, and that never gets into the memory:
//! the `<id>_output` of an agent that may not write it, a key that only the worker of a map writes, a key
//! granted to a node that writes results of its own only. In a graph without declared inputs it is a hint.
//!
//! ## Why it matters
//!
//! The node finds nothing under the key. An agent's text goes to a key that it may write; what a worker
//! writes stands in the `<id>_results` of the map.
//!
//! ## Example
//!
//! ```yaml expect=lost-key
//! name: brief
//! description: Write a brief.
//! inputs: {topic: {schema: {type: string}}}
//! nodes:
//!   - {id: a, type: agent, agent_id: writer, read_keys: [topic], write_keys: [notes]}
//!   - {id: b, type: agent, agent_id: writer, read_keys: [a_output], write_keys: [brief]}
//! edges:
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: brief
//! description: Write a brief.
//! inputs: {topic: {schema: {type: string}}}
//! nodes:
//!   - {id: a, type: agent, agent_id: writer, read_keys: [topic], write_keys: [notes]}
//!   - {id: b, type: agent, agent_id: writer, read_keys: [notes], write_keys: [brief]}
//! edges:
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```

use nodewise_model::Located;
use nodewise_model::cycgraph::AMBIENT;
use nodewise_model::cycgraph::Work;
use nodewise_model::graph::{Graph, GraphNode};
use nodewise_model::state::top_level;
use smol_str::SmolStr;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Needs, Report, Rule, RulePart};
use crate::rules::cycgraph::state::keys;
use crate::rules::graph_findings;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "lost-key",
    former: &["key-never-left"],
    category: Category::Dataflow,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, needs: Needs::Edges, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (graph, facts) in context.graphs_with_facts() {
        if !facts.wildcard_writers.is_empty() || graph.is_fragment {
            continue;
        }
        let leavers = facts.leavers(graph);
        for key in graph.nodes.iter().flat_map(|node| &node.access.reads) {
            let top = top_level(&key.value);
            let is_given = facts.is_input(top) || AMBIENT.contains(&top) || keys::is_seeded(context, top);
            if is_given || leavers.contains_key(top) {
                continue;
            }
            let writers = facts.writers(top);
            // If no writer can be reached, another rule reports the writers.
            if !context.file.settings.is_literal && !writers.iter().any(|writer| facts.is_reached(*writer)) {
                continue;
            }
            let Some(writer) = writers.first().and_then(|writer| graph.nodes.get(*writer)) else { continue };
            report.push_at(keys::severity(graph), finding(graph, key, writer));
        }
    }
}

fn finding(graph: &Graph, key: &Located<SmolStr>, writer: &GraphNode) -> Finding {
    let finding =
        Finding::new(key.at, format!("`{}` is never written to the memory", short(top_level(&key.value))))
            .label("nothing is found there")
            .related(
                graph_findings::id_place(writer),
                format!("{} does not write it there", graph_findings::named(writer)),
            );
    let id = writer.id.as_ref().map_or("", |id| id.value.as_str());
    let map = graph.nodes.iter().find(|node| match Work::of(node) {
        Work::Map(map) => map.worker.as_ref().is_some_and(|worker| worker.value == id),
        _ => false,
    });
    match map.and_then(|map| map.id.as_ref()) {
        Some(map) => finding.help(format!(
            "read `{}_results`: {} is run by a map",
            short(&map.value),
            graph_findings::named(writer)
        )),
        None => match writer.access.writes.first() {
            Some(written) => {
                finding.help(format!("read a key that it writes, such as `{}`", short(&written.value)))
            }
            None => finding.help("add the key to what the writer may write"),
        },
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn outputs_workers_and_routers() {
        check_rule(
            "lost-key",
            r"
name: brief
description: Write a brief.
inputs: {topic: {schema: {type: string}}}
nodes:
  - {id: r, type: router, write_keys: [flag]}
  - {id: m, type: map, map_reduce_config: {worker_node_id: w, static_items: [1]}}
  - {id: w, type: agent, agent_id: writer, read_keys: [], write_keys: [label]}
  - {id: a, type: agent, agent_id: writer, read_keys: [flag, label.x, m_results, w_output], write_keys: [x]}
#                                                      ^^^^ warning[lost-key]: `flag` is never written to the memory
#                                                            ^^^^^^^ warning[lost-key]: `label` is never written to the memory
#                                                                                ^^^^^^^^ warning[lost-key]: `w_output` is never written to the memory
edges:
  - {source: r, target: m}
  - {source: m, target: a}
start_node: r
end_nodes: [a]
",
        );
    }
}
