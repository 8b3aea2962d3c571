//! ## What it does
//!
//! Reports `not` in front of a comparison without parentheses.
//!
//! ## Why it matters
//!
//! `not` binds more tightly: `not memory.x == 3` negates `memory.x`, which ends in an error unless it is true
//! or false.
//!
//! ## Example
//!
//! ```yaml expect=ambiguous-negation
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: not memory.x == 3}}
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
//!   - {source: a, target: b, condition: {type: conditional, condition: not (memory.x == 3)}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```

use nodewise_expr::filtrex::FindingKind;

use crate::diagnostic::Severity;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::expressions::expression::{self, FindingLabels};

pub(crate) static RULE: Rule = Rule {
    id: "ambiguous-negation",
    former: &["negation-reach"],
    category: Category::Suspicious,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Hint, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let labels = FindingLabels {
        edge: "`not` negates the first operand only",
        verifier: "`not` negates the first operand only",
    };
    expression::check(context, FindingKind::NegationReach, &labels, report);
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn in_edges_and_verifiers() {
        check_rule(
            "ambiguous-negation",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: verifier, verifier_config: {type: expression, expression: not memory.x == 3}}
#                                                                           ^^^^^^^^^^^^^^^^^ hint[ambiguous-negation]
edges:
  - {source: a, target: a, condition: {type: conditional, condition: not memory.x == 3}}
#                                                                    ^^^^^^^^^^^^^^^^^ hint[ambiguous-negation]
  - {source: a, target: a, condition: {type: always, condition: not memory.x == 3}}
start_node: a
end_nodes: [b]
",
        );
    }
}
