//! What `unknown-function` finds in cycgraph.

use nodewise_expr::filtrex::FindingKind;

use crate::diagnostic::Severity;
use crate::rule::{Context, Report, RulePart};
use crate::rules::expressions::expression::{self, FindingLabels};

pub(in crate::rules) static PART: RulePart =
    RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    let labels = FindingLabels {
        edge: "an error counts as false: the edge is never followed",
        verifier: "an error passes: whatever the value, it is verified",
    };
    expression::check(context, FindingKind::UnknownFunction, &labels, report);
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn in_edges_and_verifiers() {
        check_rule(
            "unknown-function",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: verifier, verifier_config: {type: expression, expression: isset(memory.a)}}
#                                                                           ^^^^^ warning[unknown-function]
edges:
  - {source: a, target: a, condition: {type: conditional, condition: isset(memory.a)}}
#                                                                    ^^^^^ warning[unknown-function]
  - {source: a, target: a, condition: {type: always, condition: isset(memory.a)}}
start_node: a
end_nodes: [b]
",
        );
    }
}
