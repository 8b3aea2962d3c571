//! What `invalid-expression` finds here. Reports the expression of a verifier that is not filtrex: its first
//! fault, at the character where it is.

use nodewise_expr::filtrex;

use crate::conditions::ConditionFindingKind;
use crate::diagnostic::Severity;
use crate::rule::{Context, Report, RulePart};
use crate::rules::expressions::expression;

pub(in crate::rules) static PART: RulePart =
    RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    for facts in expression::in_language(context, filtrex::VERIFIER) {
        for finding in facts.findings.iter().filter(|finding| finding.kind == ConditionFindingKind::Syntax) {
            report.push(expression::shown(finding).label("the node fails when it runs"));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn the_first_fault() {
        check_rule(
            "invalid-expression",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: verifier, verifier_config: {type: expression, expression: memory.x && memory.y && 1}}
#                                                                                    ^^ warning[invalid-expression]
edges: []
start_node: a
end_nodes: [b]
",
        );
    }
}
