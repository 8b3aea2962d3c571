//! ## What it does
//!
//! Reports a key that a node reads and that only nodes write which no run can leave before it comes to this
//! one. In a graph without declared inputs it is a hint, because runs may be seeded with anything. A graph
//! with a node that may write every key is not reported.
//!
//! ## Why it matters
//!
//! The node finds nothing under the key. The edge that should lead from the writer to the reader is missing,
//! or the nodes stand in the wrong order.
//!
//! ## Example
//!
//! ```yaml expect=premature-read
//! name: brief
//! description: Write a brief.
//! inputs: {topic: {schema: {type: string}}}
//! nodes:
//!   - {id: a, type: agent, agent_id: writer, read_keys: [topic, notes], write_keys: [brief]}
//!   - {id: b, type: agent, agent_id: writer, read_keys: [topic], write_keys: [notes]}
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
//!   - {id: b, type: agent, agent_id: writer, read_keys: [topic, notes], write_keys: [brief]}
//! edges:
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```
//!
//! ## Options
//!
//! `[cycgraph.external] keys` in `nodewise.toml` lists keys that the program seeds runs with.

use nodewise_model::Located;
use nodewise_model::graph::Graph;
use nodewise_model::state::top_level;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::diagnostic::{Finding, Severity};
use crate::graphs::GraphFacts;
use crate::rule::{Category, Context, Needs, Report, Rule, RulePart};
use crate::rules::cycgraph::state::keys;
use crate::rules::graph_findings;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "premature-read",
    former: &["key-read-too-early"],
    category: Category::Dataflow,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, needs: Needs::Edges, check, ..RulePart::DEFAULT }],
};

/// The most steps of the search in one graph.
const STEPS_MAX: usize = 4_000_000;

fn check(context: &Context<'_>, report: &mut Report) {
    for (graph, facts) in context.graphs_with_facts() {
        if !facts.wildcard_writers.is_empty() || graph.is_fragment {
            continue;
        }
        let leavers = facts.leavers(graph);
        let mut led_to: FxHashMap<&str, Vec<bool>> = FxHashMap::default();
        let mut steps = STEPS_MAX;
        for (key, reader) in readers(graph, facts) {
            let top = top_level(&key.value);
            let Some(writers) = leavers.get(top) else { continue };
            if facts.is_input(top) || keys::is_seeded(context, top) {
                continue;
            }
            let is_known = led_to.contains_key(top);
            if !is_known && facts.leads_soon(writers, facts.meant(reader)) {
                continue;
            }
            if !is_known {
                let cost = graph.nodes.len() + graph.edges.len();
                if steps < cost {
                    break;
                }
                steps -= cost;
                led_to.insert(top, facts.led_to(writers));
            }
            let is_reached = led_to.get(top).and_then(|reached| reached.get(facts.meant(reader)));
            if is_reached == Some(&false) {
                report.push_at(keys::severity(graph), finding(graph, key, reader, writers));
            }
        }
    }
}

/// For each node that a run can reach, the keys that it reads.
fn readers<'a>(
    graph: &'a Graph,
    facts: &'a GraphFacts,
) -> impl Iterator<Item = (&'a Located<SmolStr>, usize)> {
    let nodes = graph.nodes.iter().enumerate().filter(|(position, node)| {
        let is_visited = node.id.as_ref().is_some_and(|id| facts.is_visited(&id.value));
        is_visited && facts.is_reached(*position)
    });
    nodes.flat_map(|(position, node)| node.access.reads.iter().map(move |key| (key, position)))
}

fn finding(graph: &Graph, key: &Located<SmolStr>, reader: usize, writers: &[usize]) -> Finding {
    let name = short(top_level(&key.value));
    let reader = graph.nodes.get(reader).map_or_else(String::new, graph_findings::named);
    let finding = Finding::new(key.at, format!("no node writes `{name}` before {reader} runs"))
        .label("nothing is found there")
        .help("add an edge so that the writer runs first, or declare the key under `inputs`");
    match writers.first().and_then(|writer| graph.nodes.get(*writer)) {
        Some(writer) => finding.related(
            graph_findings::id_place(writer),
            format!("{} writes it", graph_findings::named(writer)),
        ),
        None => finding,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn order_loops_and_hand_overs() {
        check_rule(
            "premature-read",
            r"
name: brief
description: Write a brief.
inputs: {topic: {schema: {type: string}}}
nodes:
  - {id: a, type: agent, agent_id: writer, read_keys: [late, managed], write_keys: [x]}
#                                                      ^^^^ warning[premature-read]: no node writes `late` before `a` runs
  - {id: b, type: agent, agent_id: writer, read_keys: [own], write_keys: [again, own]}
#                                                      ^^^ warning[premature-read]: no node writes `own` before `b` runs
  - {id: c, type: agent, agent_id: writer, read_keys: [x, again], write_keys: [late]}
  - {id: s, type: supervisor, agent_id: x, supervisor_config: {managed_nodes: [m]}}
  - {id: m, type: agent, agent_id: writer, read_keys: [], write_keys: [managed]}
edges:
  - {source: s, target: a}
  - {source: m, target: a}
  - {source: a, target: b}
  - {source: b, target: c}
start_node: s
end_nodes: [b]
",
        );
    }

    #[test]
    fn a_hint_where_runs_may_be_seeded() {
        check_rule(
            "premature-read",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: agent, agent_id: writer, read_keys: [late], write_keys: [x]}
#                                                      ^^^^ hint[premature-read]: no node writes `late` before `a` runs
  - {id: b, type: agent, agent_id: writer, read_keys: [x], write_keys: [late]}
edges:
  - {source: a, target: b}
start_node: a
end_nodes: [b]
",
        );
    }
}
