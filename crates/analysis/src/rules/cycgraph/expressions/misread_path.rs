//! ## What it does
//!
//! Reports a part of a JSONPath that the release reads otherwise than it looks: `[-1]`, which is no index
//! from the end, a bracket that is not closed, quotes that keep nothing together, a filter without
//! parentheses, steps that are never taken.
//!
//! ## Why it matters
//!
//! The path selects something else, or nothing, and nobody says so.
//!
//! ## Example
//!
//! ```yaml expect=misread-path
//! name: brief
//! description: Write a brief.
//! inputs: {rows: {schema: {type: array}}}
//! nodes:
//!   - {id: a, type: map, read_keys: [rows], map_reduce_config: {worker_node_id: w, items_path: '$.memory.rows[-1]'}}
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
//!   - {id: a, type: map, read_keys: [rows], map_reduce_config: {worker_node_id: w, items_path: '$.memory.rows[-1:]'}}
//!   - {id: w, type: agent, agent_id: writer, write_keys: [row]}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use nodewise_expr::jsonpath::FindingKind;

use crate::conditions::ConditionFindingKind;
use crate::diagnostic::Severity;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::expressions::expression;

pub(crate) static RULE: Rule = Rule {
    id: "misread-path",
    former: &[],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for facts in expression::paths(context) {
        for finding in facts.findings.iter().filter(|finding| is_misread(finding.kind)) {
            report.push(expression::shown(finding).label("the path selects something else"));
        }
    }
}

fn is_misread(kind: ConditionFindingKind) -> bool {
    kind.kind().is_some_and(|kind| {
        !matches!(kind, FindingKind::Empty | FindingKind::OutsideState | FindingKind::OutsideUpdates)
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn what_looks_otherwise() {
        check_rule(
            "misread-path",
            r"
name: brief
description: Write a brief.
inputs: {rows: {schema: {type: array}}}
nodes:
  - {id: a, type: map, read_keys: [rows], map_reduce_config: {worker_node_id: w, items_path: '$.memory.rows[-1]'}}
#                                                                                                           ^^ warning[misread-path]
  - {id: w, type: agent, agent_id: writer, write_keys: [row]}
edges: []
start_node: a
end_nodes: [a]
",
        );
    }
}
