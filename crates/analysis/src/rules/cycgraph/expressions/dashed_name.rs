//! ## What it does
//!
//! Reports a key with a dash.
//!
//! ## Why it matters
//!
//! The dash subtracts: `memory.my-key` is `memory.my` minus a state field called `key`. A key with a dash
//! cannot be named in an expression.
//!
//! ## Example
//!
//! ```yaml expect=dashed-name
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.my-key > 1}}
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
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.my_key > 1}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```

use nodewise_expr::filtrex::FindingKind;

use crate::diagnostic::Severity;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::expressions::expression::{self, FindingLabels};

pub(crate) static RULE: Rule = Rule {
    id: "dashed-name",
    former: &[],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let labels = FindingLabels { edge: "a dash subtracts", verifier: "a dash subtracts" };
    expression::check(context, FindingKind::DashedName, &labels, report);
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn in_edges_and_verifiers() {
        check_rule(
            "dashed-name",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: verifier, verifier_config: {type: expression, expression: memory.my-key > 1}}
#                                                                           ^^^^^^^^^^^^^ warning[dashed-name]
edges:
  - {source: a, target: a, condition: {type: conditional, condition: memory.my-key > 1}}
#                                                                    ^^^^^^^^^^^^^ warning[dashed-name]
  - {source: a, target: a, condition: {type: always, condition: memory.my-key > 1}}
start_node: a
end_nodes: [b]
",
        );
    }
}
