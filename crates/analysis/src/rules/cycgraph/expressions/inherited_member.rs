//! ## What it does
//!
//! Reports a key that every mapping has from JavaScript, such as `toString`.
//!
//! ## Why it matters
//!
//! Where no node wrote the key, a function is found, which counts as true.
//!
//! ## Example
//!
//! ```yaml expect=inherited-member
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.toString}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.to_string}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```

use nodewise_expr::filtrex::FindingKind;

use crate::diagnostic::Severity;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::expressions::expression::{self, FindingLabels};

pub(crate) static RULE: Rule = Rule {
    id: "inherited-member",
    former: &[],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Hint, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let labels = FindingLabels {
        edge: "it is there even if no node wrote it",
        verifier: "it is there even if no node wrote it",
    };
    expression::check(context, FindingKind::InheritedMember, &labels, report);
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn in_edges_and_verifiers() {
        check_rule(
            "inherited-member",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: verifier, verifier_config: {type: expression, expression: memory.toString}}
#                                                                                  ^^^^^^^^ hint[inherited-member]
edges:
  - {source: a, target: a, condition: {type: conditional, condition: memory.toString}}
#                                                                           ^^^^^^^^ hint[inherited-member]
  - {source: a, target: a, condition: {type: always, condition: memory.toString}}
start_node: a
end_nodes: [b]
",
        );
    }
}
