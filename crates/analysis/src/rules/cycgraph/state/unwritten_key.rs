//! ## What it does
//!
//! Reports a key that a node reads and that no node of the graph writes and no input declares. Under
//! `strict_keys` it is an error. Nothing is reported in a graph with a node that may write every key.
//!
//! If several nodes read the key, and the only similar key has no reader, the similar key is reported, once.
//!
//! ## Why it matters
//!
//! The node finds nothing there and works with what is left; a `reflection` node keeps no facts. Usually the
//! key is misspelt. A key that the caller of the graph seeds is best declared under `inputs`.
//!
//! ## Example
//!
//! ```yaml expect=unwritten-key
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: agent, agent_id: writer, write_keys: [notes]}
//!   - {id: b, type: agent, agent_id: writer, read_keys: [note], write_keys: [brief]}
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
//! nodes:
//!   - {id: a, type: agent, agent_id: writer, write_keys: [notes]}
//!   - {id: b, type: agent, agent_id: writer, read_keys: [notes], write_keys: [brief]}
//! edges:
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```
//!
//! ## Options
//!
//! `[cycgraph.external] keys` in `nodewise.toml` lists keys that the program seeds runs with.

use std::cell::LazyCell;

use nodewise_model::Located;
use nodewise_model::graph::Graph;
use nodewise_model::state::top_level;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::diagnostic::{Finding, Severity};
use crate::graphs::GraphFacts;
use crate::rule::{Category, Context, Needs, Report, Rule, RulePart};
use crate::rules::cycgraph::state::keys;
use crate::rules::cycgraph::state::misnamed_key::{ReadKey, misnamed_key, reads};
use crate::rules::graph_findings;
use crate::rules::names::misnamed_node::missing_nodes;
use crate::rules::wording::{listed, short};

pub(crate) static RULE: Rule = Rule {
    id: "unwritten-key",
    former: &[],
    category: Category::Dataflow,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart {
        severity: Severity::Warning,
        absence: true,
        needs: Needs::Nodes,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (graph, facts) in context.graphs_with_facts() {
        if !facts.wildcard_writers.is_empty() {
            continue;
        }
        let severity = keys::severity_of_unwritten(graph);
        let is_unwritten = |read: &ReadKey<'_>| {
            let top = top_level(&read.key.value);
            !facts.is_producible(top) && !keys::is_seeded(context, top)
        };
        let unwritten: Vec<ReadKey<'_>> =
            graph.nodes.iter().enumerate().flat_map(reads).filter(is_unwritten).collect();
        let missing = LazyCell::new(|| missing_nodes(graph));
        let read = LazyCell::new(|| keys::read_somewhere(graph, facts, &keys::Expressions::of_file(context)));
        let mut by_key: FxHashMap<&str, Vec<&ReadKey<'_>>> = FxHashMap::default();
        for read in &unwritten {
            by_key.entry(top_level(&read.key.value)).or_default().push(read);
        }
        let mut misnamed: FxHashMap<&str, Option<Finding>> = FxHashMap::default();
        for ReadKey { key, class, .. } in &unwritten {
            let (top, is_literal) = (top_level(&key.value), context.file.settings.is_literal);
            // A node that the graph names but does not have would write the key.
            if !is_literal && possible_ids(top).any(|id| missing.contains(id)) {
                continue;
            }
            let other = misnamed.entry(top).or_insert_with(|| {
                let reads = by_key.get(top).filter(|_| !is_literal)?;
                let is_output = |key: &str| graph.outputs.iter().flatten().any(|port| port.key.value == key);
                let is_read =
                    |key: &str| read.as_ref().is_none_or(|read| read.contains(key)) || is_output(key);
                misnamed_key(context, (graph, facts), (top, reads), is_read)
            });
            // The finding about a key that has the wrong name is reported only once.
            let found = other.clone().unwrap_or_else(|| finding(context, graph, facts, key));
            report.push_at(severity, found.spec(*class));
        }
    }
}

fn finding(context: &Context<'_>, graph: &Graph, facts: &GraphFacts, key: &Located<SmolStr>) -> Finding {
    let top = top_level(&key.value);
    // People write this prefix as in expressions.
    let rest = key.value.strip_prefix("memory.").or_else(|| key.value.strip_prefix("state."));
    if let Some(rest) = rest.filter(|rest| keys::is_there(context, facts, rest)) {
        let finding =
            Finding::new(key.at, format!("`{}` is not a key: the memory has no parts", short(&key.value)))
                .label("nothing is found there")
                .help(format!("write `{}`", short(rest)));
        return graph_findings::replace(context, finding, key, rest);
    }
    let finding =
        Finding::new(key.at, format!("no node writes `{}`", short(top))).label("nothing is found there");
    match facts.nearest_key(top) {
        Some(near) => {
            let meant = format!("{near}{}", key.value.get(top.len()..).unwrap_or_default());
            graph_findings::replace(context, finding.help(format!("write `{}`", short(&meant))), key, &meant)
        }
        None => match written_by(graph, facts, top) {
            Some((node, keys)) => finding.help(format!("`{}` writes {}", short(node), listed(keys))),
            None => finding.help("declare it under `inputs` if runs are seeded with it"),
        },
    }
}

/// The node with whose id the key begins, and the keys with that beginning which it writes: `panel_consensus` for
/// `panel_result`.
fn written_by<'g>(graph: &'g Graph, facts: &'g GraphFacts, key: &str) -> Option<(&'g str, Vec<&'g str>)> {
    let position = possible_ids(key).filter_map(|id| facts.node(id)).min()?;
    let id = graph.nodes.get(position)?.id.as_ref()?.value.as_str();
    let prefix = format!("{id}_");
    let writes = &facts.access.get(position)?.writes;
    let mut keys: Vec<&str> =
        writes.iter().map(SmolStr::as_str).filter(|key| key.starts_with(&prefix)).collect();
    keys.sort_unstable();
    keys.dedup();
    (!keys.is_empty()).then_some((id, keys))
}

/// The parts of a key before each `_`, each of which may be an id. Each one is looked up, because a large graph may have as
/// many unwritten keys as nodes.
fn possible_ids(key: &str) -> impl Iterator<Item = &str> {
    key.match_indices('_').filter_map(|(end, _)| key.get(..end))
}

#[cfg(test)]
mod tests {
    use super::possible_ids;
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn few_ids_are_looked_up_for_a_key() {
        assert_eq!(possible_ids("panel_b_result").collect::<Vec<_>>(), ["panel", "panel_b"]);
        assert_eq!(possible_ids("result").count(), 0);
    }

    #[test]
    fn the_first_part_of_a_key_counts() {
        check_rule(
            "unwritten-key",
            r"
name: brief
description: Write a brief.
inputs: {topic: {schema: {}}}
nodes:
  - {id: a, type: agent, agent_id: x, read_keys: [topic.name, nots.items, b_output], write_keys: [notes]}
#                                                             ^^^^^^^^^^ warning[unwritten-key]: no node writes `nots`
  - {id: b, type: synthesizer, read_keys: [b_result, goal]}
#                                          ^^^^^^^^ warning[unwritten-key]: no node writes `b_result`
  - {id: r, type: reflection, read_keys: ['*'], reflection_config: {source_keys: [lost], extractor: {type: rule_based}}}
#                                                                                 ^^^^ warning[unwritten-key]: no node writes `lost`
  - {id: p, type: approval, approval_config: {review_keys: ['*', gone, notes]}}
#                                                                ^^^^ warning[unwritten-key]: no node writes `gone`
edges: []
start_node: a
end_nodes: [b]
",
        );
    }

    #[test]
    fn strict_keys_make_it_an_error() {
        check_rule(
            "unwritten-key",
            r"
name: brief
description: Write a brief.
strict_keys: true
nodes:
  - {id: a, type: agent, agent_id: x, read_keys: [k]}
#                                                 ^ error[unwritten-key]: no node writes `k`
edges: []
start_node: a
end_nodes: [b]
",
        );
    }

    #[test]
    fn an_input_that_several_nodes_name_differently_is_the_one_fault() {
        check_rule(
            "unwritten-key",
            r"
name: brief
description: Write a brief.
inputs: {topc: {schema: {}}}
#        ^^^^ warning[unwritten-key]: nothing reads `topc`, and no node writes `topic`
nodes:
  - {id: a, type: agent, agent_id: x, read_keys: [topic], write_keys: [notes]}
  - {id: b, type: agent, agent_id: x, read_keys: [topic.name, notes]}
edges:
  - {source: a, target: b}
start_node: a
end_nodes: [b]
",
        );
    }

    #[test]
    fn an_output_is_read() {
        check_rule(
            "unwritten-key",
            r"
name: brief
description: Write a brief.
outputs: {draft: {schema: {}}}
nodes:
  - {id: a, type: agent, agent_id: x, read_keys: [drafts], write_keys: [draft]}
#                                                 ^^^^^^ warning[unwritten-key]: no node writes `drafts`
  - {id: b, type: agent, agent_id: x, read_keys: [drafts]}
#                                                 ^^^^^^ warning[unwritten-key]: no node writes `drafts`
edges:
  - {source: a, target: b}
start_node: a
end_nodes: [b]
",
        );
    }

    #[test]
    fn a_key_of_a_node_that_is_missing_is_silent() {
        check_rule(
            "unwritten-key",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: plicy, type: tool, tool_id: look}
  - {id: b, type: agent, agent_id: x, read_keys: [policy_result]}
edges:
  - {source: policy, target: b}
start_node: policy
end_nodes: [b]
",
        );
    }

    #[test]
    fn a_near_key_is_offered() {
        check_fix(
            "unwritten-key",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: agent, agent_id: x, read_keys: [drafts.title], write_keys: [draft]}
edges: []
start_node: a
end_nodes: [b]
",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: agent, agent_id: x, read_keys: [draft.title], write_keys: [draft]}
edges: []
start_node: a
end_nodes: [b]
",
        );
    }
}
