//! ## What it does
//!
//! Reports a comparison that holds also when its key is missing, such as `memory.x != 'a'`.
//!
//! ## Why it matters
//!
//! A key that no node has written yet is nothing, and nothing is not `'a'`. If that is not meant, the edge is
//! followed too early.
//!
//! ## Example
//!
//! ```yaml expect=vacuous-comparison
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.x != 'a'}}
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
//!   - {source: a, target: b, condition: {type: conditional, condition: exists(memory.x) and memory.x != 'a'}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```

use nodewise_expr::filtrex::FindingKind;

use crate::diagnostic::Severity;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::expressions::expression::{self, FindingLabels};

pub(crate) static RULE: Rule = Rule {
    id: "vacuous-comparison",
    former: &["holds-when-missing"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Hint, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let labels = FindingLabels {
        edge: "it is also true if the key is missing",
        verifier: "it is also true if the key is missing",
    };
    expression::check(context, FindingKind::HoldsWhenMissing, &labels, report);
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn in_edges_and_verifiers() {
        check_rule(
            "vacuous-comparison",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: verifier, verifier_config: {type: expression, expression: memory.x != 'a'}}
#                                                                           ^^^^^^^^^^^^^^^ hint[vacuous-comparison]
edges:
  - {source: a, target: a, condition: {type: conditional, condition: memory.x != 'a'}}
#                                                                    ^^^^^^^^^^^^^^^ hint[vacuous-comparison]
  - {source: a, target: a, condition: {type: always, condition: memory.x != 'a'}}
start_node: a
end_nodes: [b]
",
        );
    }
}
