//! ## What it does
//!
//! Reports a key that the documentation knows and every release ignores.
//!
//! ## Why it matters
//!
//! The key is accepted and does nothing. Its entry in the reference says what to write instead.
//!
//! ## Example
//!
//! ```yaml expect=unsupported-field
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: supervisor, agent_id: boss, supervisor_config: {managed_nodes: [b], completion_condition: $.memory.brief}}
//!   - {id: b, type: agent, agent_id: writer, write_keys: [brief]}
//! edges:
//!   - {source: a, target: b}
//!   - {source: b, target: a}
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

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use nodewise_dialect::bind::IssueKind;

pub(crate) static RULE: Rule = Rule {
    id: "unsupported-field",
    former: &["unheeded-field"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[],
};

pub(in crate::rules) static PART: RulePart =
    RulePart { severity: Severity::Hint, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    for issue in context.documents().flat_map(|document| &document.faults.issues) {
        if let (IssueKind::Unheeded, Some(field)) = (&issue.kind, issue.field) {
            report.push(
                Finding::new(issue.at, format!("`{}` has no effect here", field.key))
                    .label("every release ignores it")
                    .help(field.doc),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn on_nodes_and_conditions() {
        check_rule(
            "unsupported-field",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: subgraph, subgraph_id: other, subgraph_config: {subgraph_id: other}}
#                           ^^^^^^^^^^^ hint[unsupported-field]: `subgraph_id` has no effect here
edges:
  - {source: a, target: a, condition: {type: always, value: 1}}
#                                                    ^^^^^ hint[unsupported-field]: `value` has no effect here
start_node: a
end_nodes: [b]
",
        );
    }
}
