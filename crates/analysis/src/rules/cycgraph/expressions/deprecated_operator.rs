//! ## What it does
//!
//! Reports `?:` and `%`, which filtrex still reads and warns of.
//!
//! ## Why it matters
//!
//! A later release may refuse them.
//!
//! ## Example
//!
//! ```yaml expect=deprecated-operator
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: "memory.t ? 1 : 0"}}
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
//!   - {source: a, target: b, condition: {type: conditional, condition: if memory.t then 1 else 0}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```

use nodewise_expr::filtrex::FindingKind;

use crate::diagnostic::Severity;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::expressions::expression::{self, FindingLabels};

pub(crate) static RULE: Rule = Rule {
    id: "deprecated-operator",
    former: &[],
    category: Category::Style,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Hint, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let labels =
        FindingLabels { edge: "a later release may refuse it", verifier: "a later release may refuse it" };
    expression::check(context, FindingKind::Deprecated, &labels, report);
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn in_edges_and_verifiers() {
        check_rule(
            "deprecated-operator",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: verifier, verifier_config: {type: expression, expression: memory.n % 2 == 1}}
#                                                                                    ^ hint[deprecated-operator]
edges:
  - {source: a, target: a, condition: {type: conditional, condition: memory.n % 2 == 1}}
#                                                                             ^ hint[deprecated-operator]
  - {source: a, target: a, condition: {type: always, condition: memory.n % 2 == 1}}
start_node: a
end_nodes: [b]
",
        );
    }
}
