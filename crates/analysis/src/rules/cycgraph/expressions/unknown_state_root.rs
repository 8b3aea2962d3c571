//! What `unknown-state-root` finds here. Reports a name at the beginning of a path that is no part of the run's
//! state.

use nodewise_expr::filtrex::FindingKind;

use crate::diagnostic::Severity;
use crate::rule::{Context, Report, RulePart};
use crate::rules::expressions::expression::{self, FindingLabels};

pub(in crate::rules) static PART: RulePart =
    RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    let labels = FindingLabels { edge: "nothing is found there", verifier: "nothing is found there" };
    expression::check(context, FindingKind::UnknownName, &labels, report);
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn in_edges_and_verifiers() {
        check_rule(
            "unknown-state-root",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: verifier, verifier_config: {type: expression, expression: approved == 1}}
#                                                                           ^^^^^^^^ warning[unknown-state-root]
edges:
  - {source: a, target: a, condition: {type: conditional, condition: approved == 1}}
#                                                                    ^^^^^^^^ warning[unknown-state-root]
  - {source: a, target: a, condition: {type: always, condition: approved == 1}}
start_node: a
end_nodes: [b]
",
        );
    }
}
