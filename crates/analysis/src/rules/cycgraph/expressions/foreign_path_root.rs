//! ## What it does
//!
//! Reports a JSONPath that begins with something its root does not have: the items of a map are found below
//! `$.memory`, a score below `$.updates`.
//!
//! ## Why it matters
//!
//! The path finds nothing. A map then has no items, an annealing scores 0.
//!
//! ## Example
//!
//! ```yaml expect=foreign-path-root
//! name: brief
//! description: Write a brief.
//! inputs: {rows: {schema: {type: array}}}
//! nodes:
//!   - {id: a, type: map, read_keys: [rows], map_reduce_config: {worker_node_id: w, items_path: $.rows}}
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
//!   - {id: a, type: map, read_keys: [rows], map_reduce_config: {worker_node_id: w, items_path: $.memory.rows}}
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
    id: "foreign-path-root",
    former: &["path-outside-root"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for facts in expression::paths(context) {
        for finding in facts.findings.iter().filter(|finding| is_outside(finding.kind)) {
            report.push(expression::shown(finding).label("nothing is found there"));
        }
    }
}

fn is_outside(kind: ConditionFindingKind) -> bool {
    matches!(kind.kind(), Some(FindingKind::OutsideState | FindingKind::OutsideUpdates))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn items_and_scores() {
        check_rule(
            "foreign-path-root",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: map, map_reduce_config: {worker_node_id: w, items_path: $.rows}}
#                                                                           ^^^^ warning[foreign-path-root]
  - {id: w, type: agent, agent_id: x, annealing_config: {score_path: $.value}}
#                                                                      ^^^^^ warning[foreign-path-root]
edges: []
start_node: a
end_nodes: [b]
",
        );
    }
}
