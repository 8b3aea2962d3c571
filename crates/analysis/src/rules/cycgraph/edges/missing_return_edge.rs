//! ## What it does
//!
//! Reports a node that a supervisor manages and that no edge leaves, unless the run may end there.
//!
//! ## Why it matters
//!
//! A supervisor chooses a node; it is the node's own edges that lead back. Without one the run fails behind
//! the node. (The warning about edges from the supervisor is about the direction that is not needed.)
//!
//! ## Example
//!
//! ```yaml expect=missing-return-edge
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: boss, type: supervisor, agent_id: one, supervisor_config: {managed_nodes: [w]}}
//!   - {id: w, type: agent, agent_id: two, write_keys: [draft]}
//! edges:
//!   - {source: boss, target: w}
//! start_node: boss
//! end_nodes: []
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: boss, type: supervisor, agent_id: one, supervisor_config: {managed_nodes: [w]}}
//!   - {id: w, type: agent, agent_id: two, write_keys: [draft]}
//! edges:
//!   - {source: boss, target: w}
//!   - {source: w, target: boss}
//! start_node: boss
//! end_nodes: []
//! ```

use nodewise_model::cycgraph::Work;
use rustc_hash::FxHashSet;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::cycgraph::fixes;
use crate::rules::cycgraph::located_nodes;
use crate::rules::graph_findings;
use crate::rules::list_fixes;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "missing-return-edge",
    former: &["delegate-without-way-back"],
    category: Category::Suspicious,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Hint, absence: true, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (graph, facts) in context.graphs_with_facts().filter(|(graph, _)| !graph.is_fragment) {
        let ends = graph.ends.iter().flat_map(|ends| &ends.value);
        let ends: FxHashSet<&str> = ends.map(|end| end.value.as_str()).collect();
        for visit in located_nodes::of_graph(graph, facts) {
            let (Work::Supervisor(supervisor), Some(id)) = (Work::of(visit.node), &visit.node.id) else {
                continue;
            };
            for managed in supervisor.managed.iter().filter(|managed| !ends.contains(managed.value.as_str()))
            {
                let Some(position) = facts.node(&managed.value) else { continue };
                let hands_over = !facts.handed(position).is_empty();
                if position == visit.position || hands_over || !facts.outgoing(position).is_empty() {
                    continue;
                }
                let message = format!("`{}` does not come back to its supervisor", short(&managed.value));
                let mut finding = Finding::new(managed.at, message)
                    .label("the run fails after it")
                    .help(format!("add an edge from it to `{}`", short(&id.value)));
                if let Some(node) = graph.nodes.get(position) {
                    finding = finding.related(graph_findings::id_place(node), "no edge leaves it");
                }
                let edit = fixes::with_edge(context, graph, &managed.value, &id.value);
                report.push(list_fixes::offer(finding, "Add the edge".to_owned(), false, edit));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn ends_and_nodes_that_lead_on() {
        check_rule(
            "missing-return-edge",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: supervisor, agent_id: x, supervisor_config: {managed_nodes: [b, c, d, e, a]}}
#                                                                              ^ hint[missing-return-edge]: `b` does not come back to its supervisor
  - {id: b, type: router}
  - {id: c, type: router}
  - {id: d, type: router}
edges:
  - {source: d, target: c}
start_node: a
end_nodes: [c]
"#,
        );
    }

    #[test]
    fn adds_the_edge() {
        check_fix(
            "missing-return-edge",
            r#"
name: desk
description: A desk.
nodes:
  - {id: boss, type: supervisor, agent_id: one, supervisor_config: {managed_nodes: [w]}}
  - {id: w, type: agent, agent_id: two, write_keys: [draft]}
edges:
  - {source: boss, target: w}
start_node: boss
end_nodes: []
"#,
            r#"
name: desk
description: A desk.
nodes:
  - {id: boss, type: supervisor, agent_id: one, supervisor_config: {managed_nodes: [w]}}
  - {id: w, type: agent, agent_id: two, write_keys: [draft]}
edges:
  - {source: boss, target: w}
  - {source: w, target: boss}
start_node: boss
end_nodes: []
"#,
        );
    }
}
