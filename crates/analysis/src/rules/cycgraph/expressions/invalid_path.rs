//! ## What it does
//!
//! Reports a JSONPath on which the release throws: a filter that is no expression.
//!
//! ## Why it matters
//!
//! The node fails whenever the path is followed that far.
//!
//! ## Example
//!
//! ```yaml expect=invalid-path
//! name: brief
//! description: Write a brief.
//! inputs: {rows: {schema: {type: array}}}
//! nodes:
//!   - {id: a, type: map, read_keys: [rows], map_reduce_config: {worker_node_id: w, items_path: '$.memory.rows[?(@.n <)]'}}
//!   - {id: w, type: agent, agent_id: writer, write_keys: [row]}
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
//! inputs: {rows: {schema: {type: array}}}
//! nodes:
//!   - {id: a, type: map, read_keys: [rows], map_reduce_config: {worker_node_id: w, items_path: '$.memory.rows[?(@.n < 5)]'}}
//!   - {id: w, type: agent, agent_id: writer, write_keys: [row]}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use crate::conditions::ConditionFindingKind;
use crate::diagnostic::Severity;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::expressions::expression;

pub(crate) static RULE: Rule = Rule {
    id: "invalid-path",
    former: &["path-syntax"],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for facts in expression::paths(context) {
        for finding in facts.findings.iter().filter(|finding| finding.kind == ConditionFindingKind::Syntax) {
            report.push(expression::shown(finding).label("the node fails when it runs"));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn in_filters() {
        check_rule(
            "invalid-path",
            r"
name: brief
description: Write a brief.
inputs: {rows: {schema: {type: array}}}
nodes:
  - {id: a, type: map, read_keys: [rows], map_reduce_config: {worker_node_id: w, items_path: '$.memory.rows[?(@.n <)]'}}
#                                                                                                                  ^ warning[invalid-path]
  - {id: w, type: agent, agent_id: writer, write_keys: [row]}
edges: []
start_node: a
end_nodes: [a]
",
        );
    }
}
