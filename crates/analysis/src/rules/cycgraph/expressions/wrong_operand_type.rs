//! ## What it does
//!
//! Reports an operand of a type that its operator never takes, such as a text beside `>` or a number beside
//! `and`.
//!
//! ## Why it matters
//!
//! The operator ends in an error. An edge is then not followed; a verifier passes.
//!
//! ## Example
//!
//! ```yaml expect=wrong-operand-type
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.n > 'high'}}
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
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.n == 'high'}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```

use nodewise_expr::filtrex::FindingKind;

use crate::diagnostic::Severity;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::expressions::expression::{self, FindingLabels};

pub(crate) static RULE: Rule = Rule {
    id: "wrong-operand-type",
    former: &["operand-type"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let labels = FindingLabels {
        edge: "an error counts as false: the edge is never followed",
        verifier: "an error passes: whatever the value, it is verified",
    };
    expression::check(context, FindingKind::OperandType, &labels, report);
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn in_edges_and_verifiers() {
        check_rule(
            "wrong-operand-type",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: verifier, verifier_config: {type: expression, expression: memory.n > 'high'}}
#                                                                                      ^^^^^^ warning[wrong-operand-type]
edges:
  - {source: a, target: a, condition: {type: conditional, condition: memory.n > 'high'}}
#                                                                               ^^^^^^ warning[wrong-operand-type]
  - {source: a, target: a, condition: {type: always, condition: memory.n > 'high'}}
start_node: a
end_nodes: [b]
",
        );
    }
}
