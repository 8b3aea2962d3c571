//! ## What it does
//!
//! Reports a key that a node may write and that nothing in the graph reads: no node, no condition. In a graph
//! that declares its outputs, its caller reads these; in another, what the last nodes write is
//! taken for the result.
//!
//! ## Why it matters
//!
//! The key costs memory and prompts, or its reader misspells it.
//!
//! ## Example
//!
//! ```yaml expect=unread-key
//! name: brief
//! description: Write a brief.
//! inputs: {topic: {schema: {type: string}}}
//! nodes:
//!   - {id: a, type: agent, agent_id: writer, read_keys: [topic], write_keys: [notes, log]}
//!   - {id: b, type: agent, agent_id: writer, read_keys: [notes], write_keys: [brief]}
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

use nodewise_model::cycgraph::HANDOFF_KEY;
use nodewise_model::cycgraph::Work;
use nodewise_model::state::{WILDCARD, top_level};
use rustc_hash::FxHashSet;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Needs, Report, Rule, RulePart};
use crate::rules::cycgraph::state::keys;
use crate::rules::cycgraph::state::keys::Expressions;
use crate::rules::graph_findings;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "unread-key",
    former: &[],
    category: Category::Dataflow,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Hint, needs: Needs::Edges, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let expressions = Expressions::of_file(context);
    for (graph, facts) in context.graphs_with_facts() {
        let Some(read) = keys::read_somewhere(graph, facts, &expressions).filter(|_| !graph.is_fragment)
        else {
            continue;
        };
        let outputs: FxHashSet<&str> =
            graph.outputs.iter().flatten().map(|port| port.key.value.as_str()).collect();
        let ends: FxHashSet<&str> =
            graph.ends.iter().flat_map(|ends| &ends.value).map(|end| end.value.as_str()).collect();
        for (position, node) in graph_findings::nodes(graph) {
            let id = node.id.as_ref().map_or("", |id| id.value.as_str());
            let is_last = ends.contains(id) || facts.outgoing(position).is_empty();
            // The results of a map's worker are stored by the map, under its own key.
            let leaves = matches!(Work::of(node), Work::Agent(_) | Work::Synthesizer) && facts.is_visited(id);
            if !leaves || is_last && graph.outputs.is_none() {
                continue;
            }
            for key in &node.access.writes {
                let top = top_level(&key.value);
                let is_known =
                    read.contains(top) || outputs.contains(top) || [WILDCARD, HANDOFF_KEY].contains(&top);
                if !is_known {
                    report.push(
                        Finding::new(key.at, format!("nothing reads `{}`", short(&key.value)))
                            .label(format!("{} may write it", graph_findings::named(node)))
                            .help("remove it, or declare it under `outputs` if it is a result"),
                    );
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn readers_of_every_kind() {
        check_rule(
            "unread-key",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: agent, agent_id: writer, read_keys: [], write_keys: [notes, score, rows, draft, shown, log, peer_delegation]}
#                                                                                                        ^^^ hint[unread-key]: nothing reads `log`
  - {id: v, type: verifier, read_keys: [draft], verifier_config: {type: llm_judge, target_key: draft, evaluator_agent_id: x}}
  - {id: m, type: map, read_keys: [rows], map_reduce_config: {worker_node_id: w, items_path: $.memory.rows}}
  - {id: w, type: agent, agent_id: x, write_keys: [label]}
  - {id: p, type: approval, approval_config: {review_keys: [shown]}}
  - {id: b, type: agent, agent_id: writer, read_keys: [notes.first], write_keys: [brief]}
edges:
  - {source: a, target: v, condition: {type: conditional, condition: memory.score > 1}}
  - {source: v, target: m}
  - {source: m, target: p}
  - {source: p, target: b}
start_node: a
end_nodes: [b]
",
        );
    }

    #[test]
    fn declared_outputs_are_read_by_others() {
        check_rule(
            "unread-key",
            r"
name: brief
description: Write a brief.
outputs: {brief: {schema: {}}}
nodes:
  - {id: a, type: agent, agent_id: writer, read_keys: [], write_keys: [notes, brief]}
#                                                                      ^^^^^ hint[unread-key]: nothing reads `notes`
edges: []
start_node: a
end_nodes: [a]
",
        );
    }
}
