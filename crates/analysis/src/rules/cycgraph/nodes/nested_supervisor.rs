//! ## What it does
//!
//! Reports a supervisor that another supervisor of the same graph manages.
//!
//! ## Why it matters
//!
//! When the inner one answers `__done__`, the whole run is over, not only its part: the outer one does not
//! choose again.
//!
//! ## Example
//!
//! ```yaml expect=nested-supervisor
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: top, type: supervisor, agent_id: one, supervisor_config: {managed_nodes: [inner]}}
//!   - {id: inner, type: supervisor, agent_id: two, supervisor_config: {managed_nodes: [w]}}
//!   - {id: w, type: agent, agent_id: two, write_keys: [draft]}
//! edges:
//!   - {source: top, target: inner}
//!   - {source: inner, target: w}
//!   - {source: w, target: top}
//! start_node: top
//! end_nodes: []
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: top, type: supervisor, agent_id: one, supervisor_config: {managed_nodes: [part]}}
//!   - {id: part, type: subgraph, subgraph_config: {subgraph_id: inner}}
//! edges:
//!   - {source: top, target: part}
//!   - {source: part, target: top}
//! start_node: top
//! end_nodes: []
//! ```

use nodewise_model::cycgraph::Work;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::cycgraph::located_nodes;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "nested-supervisor",
    former: &[],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Hint, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for visit in located_nodes::nodes(context) {
        let Work::Supervisor(supervisor) = Work::of(visit.node) else { continue };
        for managed in &supervisor.managed {
            let inner = visit.facts.node(&managed.value).filter(|inner| *inner != visit.position);
            let inner = inner.and_then(|inner| visit.graph.nodes.get(inner));
            if inner.is_some_and(|inner| matches!(Work::of(inner), Work::Supervisor(_))) {
                let message = format!("`__done__` of `{}` ends the whole run", short(&managed.value));
                report.push(
                    Finding::new(managed.at, message)
                        .label("this supervisor does not choose again")
                        .help("put the inner supervisor and its nodes into a graph of their own"),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn another_supervisor() {
        check_rule(
            "nested-supervisor",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: supervisor, agent_id: x, supervisor_config: {managed_nodes: [a, b, c]}}
#                                                                                 ^ hint[nested-supervisor]: `__done__` of `b` ends the whole run
  - {id: b, type: supervisor, agent_id: x, supervisor_config: {managed_nodes: [c]}}
  - {id: c, type: router}
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }
}
