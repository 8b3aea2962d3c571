//! ## What it does
//!
//! Reports a node that asks for compensation.
//!
//! ## Why it matters
//!
//! No executor of the engine makes a compensation. Only a middleware of the host can attach one to the node's
//! action, and only with automatic rollback is it run, after an error that is thrown.
//!
//! ## Example
//!
//! ```yaml expect=ineffective-compensation
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: a, type: agent, agent_id: one, write_keys: [reply], requires_compensation: true}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: a, type: agent, agent_id: one, write_keys: [reply]}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::cycgraph::located_nodes::nodes;
use crate::rules::graph_findings;

pub(crate) static RULE: Rule = Rule {
    id: "ineffective-compensation",
    former: &["idle-compensation"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Hint, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for visit in nodes(context).filter(|visit| visit.node.execution.compensated) {
        let message = format!("nothing undoes {} by itself", graph_findings::named(visit.node));
        report.push(
            Finding::new(graph_findings::id_place(visit.node), message)
                .label("it asks for compensation, which only a host can attach")
                .help("let a middleware of the host attach one, and switch rollback on"),
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn where_it_is_asked_for() {
        check_rule(
            "ineffective-compensation",
            r#"
name: desk
description: A desk.
nodes:
  - {id: pay, type: tool, tool_id: t, tools: [t], requires_compensation: true}
#        ^^^ hint[ineffective-compensation]: nothing undoes `pay` by itself
  - {id: b, type: router, requires_compensation: false}
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }
}
