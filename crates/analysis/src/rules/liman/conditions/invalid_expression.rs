//! What `invalid-expression` finds here. Reports a condition that is not LimanCE: its first fault, at the
//! character where it is.

use crate::conditions::ConditionFindingKind;
use crate::diagnostic::Severity;
use crate::rule::{Context, Report, RulePart};
use crate::rules::expressions::expression;
use crate::rules::liman::conditions::condition;

pub(in crate::rules) static PART: RulePart =
    RulePart { spec: Some("liman:when-syntax"), severity: Severity::Error, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    for finding in condition::conditions(context).flat_map(|facts| &facts.findings) {
        if finding.kind == ConditionFindingKind::Syntax {
            report.push(expression::shown(finding).label("the edge would never be followed"));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn the_first_fault_is_shown_at_its_character_through_quotes() {
        check_rule(
            "invalid-expression",
            r#"
kind: Node
name: router
func: r.route
nodes:
  - {target: router, when: "status = 'ok'"}
#                                  ^ error[invalid-expression]
"#,
        );
    }

    #[test]
    fn a_marked_value_gets_its_quotes() {
        let router = |when: &str| {
            format!("kind: Node\nname: router\nfunc: r.route\nnodes:\n  - {{target: router, when: {when}}}\n")
        };
        check_fix(
            "invalid-expression",
            &router("\"channel == #general\""),
            &router("\"channel == '#general'\""),
        );
    }
}
