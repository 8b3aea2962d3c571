//! ## What it does
//!
//! Reports an `agent` or `supervisor` node that names no agent.
//!
//! ## Why it matters
//!
//! The graph does not load: nothing says which model works there.
//!
//! ## Example
//!
//! ```yaml expect=missing-agent
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: agent, write_keys: [brief]}
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
//! nodes:
//!   - {id: a, type: agent, agent_id: writer, write_keys: [brief]}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use nodewise_model::Reference;
use nodewise_model::work::Work;

use super::step;
use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "missing-agent",
    former: &[],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    spec: None,
    systems: &["cycgraph"],
    severity: Severity::Error,
    absence: true,
    about_syntax: false,
    about_form: false,
    needs: Needs::Nothing,
    also: &[],
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    for node in context.graphs().flat_map(|graph| &graph.nodes) {
        let named =
            |reference: &Option<Reference>| reference.as_ref().is_some_and(|agent| !agent.name.is_empty());
        let class = match &node.work {
            Work::Agent(_) if !named(&node.agent) => step::class(context, &["cycgraph:R15"]),
            Work::Supervisor(supervisor)
                if supervisor.settings_at.is_some() && !named(&supervisor.agent) && !named(&node.agent) =>
            {
                step::class(context, &["cycgraph:R33"])
            }
            _ => None,
        };
        if let Some(class) = class {
            report.push(
                Finding::new(step::type_place(node), format!("{} names no agent", step::named(node)))
                    .spec(class)
                    .label("the graph does not load")
                    .help("add `agent_id` with the id of an agent"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn agents_and_supervisors() {
        check_rule(
            "missing-agent",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: agent, agent_id: ''}
#                 ^^^^^ error[missing-agent]: `a` names no agent
  - {id: s, type: supervisor, supervisor_config: {managed_nodes: []}}
#                 ^^^^^^^^^^ error[missing-agent]: `s` names no agent
  - {id: t, type: supervisor, supervisor_config: {managed_nodes: [], agent_id: x}}
  - {id: u, type: supervisor, agent_id: x, supervisor_config: {managed_nodes: []}}
  - {id: v, type: supervisor}
  - {id: b, type: synthesizer}
edges: []
start_node: a
end_nodes: [b]
",
        );
    }
}
