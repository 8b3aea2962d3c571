//! ## What it does
//!
//! Reports a list that is compared with `==` or `!=`.
//!
//! ## Why it matters
//!
//! Lists are equal only to themselves, whatever they hold.
//!
//! ## Example
//!
//! ```yaml expect=compared-list
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: "memory.a == (1, 2)"}}
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
//!   - {source: a, target: b, condition: {type: conditional, condition: "memory.a in (1, 2)"}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```

use nodewise_expr::filtrex::FindingKind;

use crate::diagnostic::Severity;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::expressions::expression::{self, FindingLabels};

pub(crate) static RULE: Rule = Rule {
    id: "compared-list",
    former: &["list-identity"],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let labels = FindingLabels { edge: "a list equals only itself", verifier: "a list equals only itself" };
    expression::check(context, FindingKind::NeverEqual, &labels, report);
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn in_edges_and_verifiers() {
        check_rule(
            "compared-list",
            r#"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: verifier, verifier_config: {type: expression, expression: "memory.a == (1, 2)"}}
#                                                                            ^^^^^^^^^^^^^^^^^^ warning[compared-list]
edges:
  - {source: a, target: a, condition: {type: conditional, condition: "memory.a == (1, 2)"}}
#                                                                     ^^^^^^^^^^^^^^^^^^ warning[compared-list]
  - {source: a, target: a, condition: {type: always, condition: "memory.a == (1, 2)"}}
start_node: a
end_nodes: [b]
"#,
        );
    }
}
