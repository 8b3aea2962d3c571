//! What `recursive-graph` finds in cycgraph.

use nodewise_model::graph::{EdgeGuard, Graph};
use rustc_hash::FxHashSet;

use crate::diagnostic::{Finding, Severity};
use crate::graphs::GraphFacts;
use crate::rule::{Context, Report, RulePart};
use crate::rules::state::subgraph_calls;
use crate::rules::wording::short;

pub(in crate::rules) static PART: RulePart =
    RulePart { severity: Severity::Error, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    let mut begun = None;
    for call in subgraph_calls::calls(context) {
        if !context.index.comes_back(call.parent_id, call.child_id) {
            continue;
        }
        let name = short(&call.reference.name);
        let finding = if call.parent_id == call.child_id {
            Finding::new(call.reference.at, format!("the graph `{name}` runs itself"))
                .label("the inner one may not run it again, and fails here")
                .help("lead an edge back to the step that is to be repeated")
        } else {
            Finding::new(call.reference.at, format!("`{name}` runs this graph again"))
                .label("a graph that is still running is not started again: the inner node fails")
                .help("move what both need into a graph that runs neither")
        };
        let finding = match &call.child.id {
            Some(id) if call.parent_id != call.child_id => {
                finding.related(id.at, "the graph that comes back")
            }
            _ => finding,
        };
        if call.parent_id == call.child_id {
            let (_, begins_with) = match begun.take().filter(|(graph, _)| *graph == call.parent_id) {
                Some(known) => begun.insert(known),
                None => begun.insert((call.parent_id, beginning(call.parent, call.parent_facts))),
            };
            if begins_with.contains(&call.position) {
                report.push(finding);
                continue;
            }
        }
        report.push_at(Severity::Warning, finding);
    }
}

/// The nodes that every run visits at its beginning, until the first condition or choice.
fn beginning(graph: &Graph, facts: &GraphFacts) -> FxHashSet<usize> {
    let ends = graph.ends.iter().flat_map(|ends| &ends.value);
    let ends: FxHashSet<usize> = ends.filter_map(|end| facts.node(&end.value)).collect();
    let mut visited = FxHashSet::default();
    let mut current = graph.start.as_ref().and_then(|start| facts.node(&start.value));
    while let Some(position) = current.filter(|position| visited.insert(*position)) {
        let leads_on = facts.handed(position).is_empty() && !ends.contains(&position);
        current = facts.outgoing(position).first().filter(|_| leads_on).and_then(|edge| {
            let edge = graph.edges.get(*edge).filter(|edge| matches!(edge.guard, EdgeGuard::Always))?;
            facts.node(&edge.target.as_ref()?.name.value)
        });
    }
    visited
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn a_graph_that_runs_itself() {
        check_rule(
            "recursive-graph",
            r"
id: tree
name: tree
description: Walk a tree.
nodes:
  - {id: look, type: agent, agent_id: w, write_keys: [more]}
  - {id: sure, type: subgraph, subgraph_config: {subgraph_id: tree}}
#                                                             ^^^^ error[recursive-graph]: the graph `tree` runs itself
  - {id: perhaps, type: subgraph, subgraph_config: {subgraph_id: tree}}
#                                                                ^^^^ warning[recursive-graph]: the graph `tree` runs itself
  - {id: done, type: router}
edges:
  - {source: look, target: sure}
  - {source: sure, target: perhaps, condition: {type: conditional, condition: memory.more}}
  - {source: sure, target: done}
  - {source: perhaps, target: done}
start_node: look
end_nodes: [done]
",
        );
    }

    #[test]
    fn graphs_that_run_one_another() {
        check_rule(
            "recursive-graph",
            r#"
#- /a.yaml
id: a
name: a
description: Runs b, and c.
nodes:
  - {id: one, type: subgraph, subgraph_config: {subgraph_id: b}}
#                                                            ^ warning[recursive-graph]: `b` runs this graph again
  - {id: two, type: subgraph, subgraph_config: {subgraph_id: c}}
edges: [{source: one, target: two}]
start_node: one
end_nodes: [two]
#- /b.yaml
id: b
name: b
description: Runs a.
nodes:
  - {id: one, type: subgraph, subgraph_config: {subgraph_id: a}}
#                                                            ^ warning[recursive-graph]: `a` runs this graph again
edges: []
start_node: one
end_nodes: [one]
#- /c.yaml
id: c
name: c
description: Runs nothing.
nodes: [{id: one, type: router}]
edges: []
start_node: one
end_nodes: [one]
#- /d.bundle.yaml
manifest: {name: d, version: "1", requires: {}}
graph:
  id: main
  name: main
  description: Runs its own b, which runs nothing.
  nodes: [{id: one, type: subgraph, subgraph_config: {subgraph_id: b}}]
  edges: []
  start_node: one
  end_nodes: [one]
graphs:
  - {id: b, name: b, description: b, nodes: [{id: one, type: router}], edges: [], start_node: one, end_nodes: [one]}
"#,
        );
    }
}
