//! ## What it does
//!
//! Reports a supervisor that lists itself among the nodes it manages.
//!
//! ## Why it matters
//!
//! It may choose itself again and again, until its limit ends the run.
//!
//! ## Example
//!
//! ```yaml expect=self-managed-supervisor
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: supervisor, agent_id: boss, supervisor_config: {managed_nodes: [a]}}
//! edges:
//!   - {source: a, target: a}
//! start_node: a
//! end_nodes: []
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: supervisor, agent_id: boss, supervisor_config: {managed_nodes: [b]}}
//!   - {id: b, type: agent, agent_id: writer, write_keys: [brief]}
//! edges:
//!   - {source: a, target: b}
//!   - {source: b, target: a}
//! start_node: a
//! end_nodes: []
//! ```

use nodewise_model::cycgraph::Work;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::graph_findings;

pub(crate) static RULE: Rule = Rule {
    id: "self-managed-supervisor",
    former: &["self-management"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { spec: Some("cycgraph:R36"), severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for node in context.graphs().flat_map(|graph| &graph.nodes) {
        let (Work::Supervisor(supervisor), Some(id)) = (Work::of(node), &node.id) else { continue };
        if let Some(itself) = supervisor.managed.iter().find(|managed| managed.value == id.value) {
            report.push(
                Finding::new(itself.at, format!("{} manages itself", graph_findings::named(node)))
                    .spec("cycgraph:R36")
                    .label("it may choose itself again and again")
                    .help("remove it from the list"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn the_own_id() {
        check_rule(
            "self-managed-supervisor",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: s, type: supervisor, agent_id: x, supervisor_config: {managed_nodes: [a, s]}}
#                                                                                 ^ warning[self-managed-supervisor]: `s` manages itself
  - {id: a, type: router}
edges: []
start_node: a
end_nodes: [b]
",
        );
    }
}
