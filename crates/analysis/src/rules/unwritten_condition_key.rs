//! ## What it does
//!
//! Reports a key of the memory in the condition of an edge that no node of the graph writes and no input
//! declares. A graph with a node that may write every key is left alone.
//!
//! ## Why it matters
//!
//! Unless runs are seeded with the key, nothing is found there: comparisons end in an error or hold for the
//! wrong reason.
//!
//! ## Example
//!
//! ```yaml expect=unwritten-condition-key
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: agent, agent_id: writer, read_keys: [], write_keys: [done]}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.don}}
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
//!   - {id: a, type: agent, agent_id: writer, read_keys: [], write_keys: [done]}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.done}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```
//!
//! ## Options
//!
//! `[cycgraph.external] keys` in `nodewise.toml` lists keys that the program seeds runs with.

use super::keys::Expressions;
use super::wording::short;
use super::{keys, step};
use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "unwritten-condition-key",
    spec: None,
    systems: &["cycgraph"],
    severity: Severity::Hint,
    absence: false,
    about_syntax: false,
    about_form: false,
    needs: Needs::Nodes,
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    let expressions = Expressions::of_file(context);
    for (graph, facts) in context.graphs_with_facts() {
        if !facts.wildcard_writers.is_empty() {
            continue;
        }
        let leavers = facts.leavers(graph);
        for key in expressions.on_edges(graph) {
            let name = key.value.as_str();
            if facts.is_producible(name) || leavers.contains_key(name) || keys::is_seeded(context, name) {
                continue;
            }
            let finding = Finding::new(key.at, format!("no node writes `{}`", short(name)))
                .label("nothing is found there");
            report.push(match facts.nearest_key(name) {
                Some(near) => {
                    step::replace(context, finding.help(format!("write `{}`", short(near))), key, near)
                }
                None => finding.help("declare it under `inputs` if runs are seeded with it"),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn what_people_and_inputs_bring_is_there() {
        check_rule(
            "unwritten-condition-key",
            r"
name: brief
description: Write a brief.
inputs: {topic: {schema: {type: string}}}
nodes:
  - {id: a, type: agent, agent_id: writer, read_keys: [], write_keys: [done]}
  - {id: p, type: approval, approval_config: {}}
edges:
  - {source: a, target: p, condition: {type: conditional, condition: memory.done and memory.topic.x == 1 and memory.don}}
#                                                                                                                   ^^^ hint[unwritten-condition-key]: no node writes `don`
  - {source: p, target: a, condition: {type: conditional, condition: memory.human_decision == 'again'}}
start_node: a
end_nodes: [b]
",
        );
    }

    #[test]
    fn a_near_key_is_offered() {
        check_fix(
            "unwritten-condition-key",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: agent, agent_id: writer, read_keys: [], write_keys: [done]}
edges:
  - {source: a, target: a, condition: {type: conditional, condition: memory.don}}
start_node: a
end_nodes: [b]
",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: agent, agent_id: writer, read_keys: [], write_keys: [done]}
edges:
  - {source: a, target: a, condition: {type: conditional, condition: memory.done}}
start_node: a
end_nodes: [b]
",
        );
    }
}
