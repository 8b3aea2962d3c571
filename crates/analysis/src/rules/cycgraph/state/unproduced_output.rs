//! ## What it does
//!
//! Reports an output of a graph that no node of it writes.
//!
//! ## Why it matters
//!
//! A run never produces the key. A parent graph that maps it gets nothing.
//!
//! ## Example
//!
//! ```yaml expect=unproduced-output
//! name: brief
//! description: Write a brief.
//! outputs: {brif: {schema: {type: string}}}
//! nodes:
//!   - {id: a, type: agent, agent_id: writer, read_keys: [], write_keys: [brief]}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: brief
//! description: Write a brief.
//! outputs: {brief: {schema: {type: string}}}
//! nodes:
//!   - {id: a, type: agent, agent_id: writer, read_keys: [], write_keys: [brief]}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use nodewise_model::cycgraph::HUMAN_KEYS;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Needs, Report, Rule, RulePart};
use crate::rules::cycgraph::state::keys;
use crate::rules::graph_findings;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "unproduced-output",
    former: &[],
    category: Category::Dataflow,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, needs: Needs::Edges, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (graph, facts) in context.graphs_with_facts() {
        if !facts.wildcard_writers.is_empty() {
            continue;
        }
        for output in graph.outputs.iter().flatten() {
            let key = &output.key;
            if facts.is_producible(&key.value)
                || HUMAN_KEYS.contains(&key.value.as_str())
                || keys::is_seeded(context, &key.value)
            {
                continue;
            }
            let finding = Finding::new(key.at, format!("no node writes the output `{}`", short(&key.value)))
                .label("a run never produces it");
            report.push(match facts.nearest_key(&key.value) {
                Some(near) => graph_findings::replace(
                    context,
                    finding.help(format!("write `{}`", short(near))),
                    key,
                    near,
                ),
                None => finding.help("let a node write it, or remove it"),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn inputs_may_be_handed_on() {
        check_rule(
            "unproduced-output",
            r"
name: brief
description: Write a brief.
inputs: {topic: {schema: {}}}
outputs: {topic: {schema: {}}, brief: {schema: {}}, length: {schema: {}}}
#                                                   ^^^^^^ warning[unproduced-output]: no node writes the output `length`
nodes:
  - {id: a, type: agent, agent_id: writer, read_keys: [], write_keys: [brief]}
edges: []
start_node: a
end_nodes: [a]
",
        );
    }
}
