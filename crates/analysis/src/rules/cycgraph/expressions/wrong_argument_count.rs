//! What `wrong-argument-count` finds in cycgraph.

use nodewise_expr::filtrex::FindingKind;

use crate::diagnostic::Severity;
use crate::rule::{Context, Report, RulePart};
use crate::rules::expressions::expression::{self, FindingLabels};

pub(in crate::rules) static PART: RulePart =
    RulePart { severity: Severity::Hint, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    let labels = FindingLabels {
        edge: "the release reads something else than is written",
        verifier: "the release reads something else than is written",
    };
    expression::check(context, FindingKind::Arity, &labels, report);
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn in_edges_and_verifiers() {
        check_rule(
            "wrong-argument-count",
            r#"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: verifier, verifier_config: {type: expression, expression: "exists(memory.a, memory.b)"}}
#                                                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[wrong-argument-count]
edges:
  - {source: a, target: a, condition: {type: conditional, condition: "exists(memory.a, memory.b)"}}
#                                                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[wrong-argument-count]
  - {source: a, target: a, condition: {type: always, condition: "exists(memory.a, memory.b)"}}
start_node: a
end_nodes: [b]
"#,
        );
    }
}
