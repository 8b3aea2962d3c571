//! What `constant-expression` finds in cycgraph.

use nodewise_expr::filtrex::FindingKind;

use crate::diagnostic::Severity;
use crate::rule::{Context, Report, RulePart};
use crate::rules::expressions::expression::{self, FindingLabels};

pub(in crate::rules) static PART: RulePart =
    RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    let labels =
        FindingLabels { edge: "it always comes to the same", verifier: "it always comes to the same" };
    expression::check(context, FindingKind::Constant, &labels, report);
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn in_edges_and_verifiers() {
        check_rule(
            "constant-expression",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: verifier, verifier_config: {type: expression, expression: 1 == 1}}
#                                                                           ^^^^^^ warning[constant-expression]
edges:
  - {source: a, target: a, condition: {type: conditional, condition: 1 == 1}}
#                                                                    ^^^^^^ warning[constant-expression]
  - {source: a, target: a, condition: {type: always, condition: 1 == 1}}
start_node: a
end_nodes: [b]
",
        );
    }
}
