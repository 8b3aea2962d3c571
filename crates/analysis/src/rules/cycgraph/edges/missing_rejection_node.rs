//! ## What it does
//!
//! Reports an approval without `rejection_node_id`.
//!
//! ## Why it matters
//!
//! A rejection then cancels the whole run: its status is `cancelled`, not `failed`, and nothing else runs. An
//! answer that comes too late ends the run as well, with or without that node.
//!
//! ## Example
//!
//! ```yaml expect=missing-rejection-node
//! name: desk
//! description: A desk.
//! inputs:
//!   items: {schema: {type: array}}
//!   topic: {schema: {type: string}}
//! nodes:
//!   - {id: a, type: approval, approval_config: {review_keys: [topic]}}
//!   - {id: b, type: router}
//!   - {id: c, type: router}
//! edges:
//!   - {source: a, target: b}
//!   - {source: b, target: c}
//! start_node: a
//! end_nodes: [c]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: desk
//! description: A desk.
//! inputs:
//!   items: {schema: {type: array}}
//!   topic: {schema: {type: string}}
//! nodes:
//!   - {id: a, type: approval, approval_config: {review_keys: [topic], rejection_node_id: c}}
//!   - {id: b, type: router}
//!   - {id: c, type: router}
//! edges:
//!   - {source: a, target: b}
//!   - {source: b, target: c}
//! start_node: a
//! end_nodes: [c]
//! ```

use nodewise_model::cycgraph::Work;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::cycgraph::located_nodes::nodes;

pub(crate) static RULE: Rule = Rule {
    id: "missing-rejection-node",
    former: &["rejection-cancels"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Hint, absence: true, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for visit in nodes(context) {
        let Work::Human(human) = Work::of(visit.node) else { continue };
        if let Some(at) = human.settings_at.filter(|_| human.rejection.is_none()) {
            report.push(
                Finding::new(at, "a rejection cancels the run")
                    .label("no node is named for it")
                    .help("name one in `rejection_node_id`, if the run should continue"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn with_and_without_a_node() {
        check_rule(
            "missing-rejection-node",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: approval, approval_config: {}}
#                           ^^^^^^^^^^^^^^^ hint[missing-rejection-node]: a rejection cancels the run
  - {id: b, type: approval}
  - {id: c, type: approval, approval_config: {rejection_node_id: a}}
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }
}
