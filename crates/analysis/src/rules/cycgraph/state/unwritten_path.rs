//! What `unwritten-path` finds here. Reports a key of the memory in the condition of an edge that no node of the
//! graph writes and no input declares.

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Needs, Report, RulePart};
use crate::rules::cycgraph::state::keys;
use crate::rules::cycgraph::state::keys::Expressions;
use crate::rules::graph_findings;
use crate::rules::wording::short;

pub(in crate::rules) static PART: RulePart =
    RulePart { severity: Severity::Hint, needs: Needs::Nodes, check, ..RulePart::DEFAULT };

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
                Some(near) => graph_findings::replace(
                    context,
                    finding.help(format!("write `{}`", short(near))),
                    key,
                    near,
                ),
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
            "unwritten-path",
            r"
name: brief
description: Write a brief.
inputs: {topic: {schema: {type: string}}}
nodes:
  - {id: a, type: agent, agent_id: writer, read_keys: [], write_keys: [done]}
  - {id: p, type: approval, approval_config: {}}
edges:
  - {source: a, target: p, condition: {type: conditional, condition: memory.done and memory.topic.x == 1 and memory.don}}
#                                                                                                                   ^^^ hint[unwritten-path]: no node writes `don`
  - {source: p, target: a, condition: {type: conditional, condition: memory.human_decision == 'again'}}
start_node: a
end_nodes: [b]
",
        );
    }

    #[test]
    fn a_near_key_is_offered() {
        check_fix(
            "unwritten-path",
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
