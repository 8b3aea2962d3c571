//! What `wrong-argument-count` finds here. Reports a builtin that is called with the wrong number of arguments.

use nodewise_expr::limance::check::FindingKind;

use crate::diagnostic::Severity;
use crate::rule::{Context, Report, RulePart};
use crate::rules::liman::conditions::condition::{self, Wording};

pub(in crate::rules) static PART: RulePart =
    RulePart { spec: Some("liman:when-arity"), severity: Severity::Error, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    let wording =
        Wording { label: "the edge would never be followed", repair: Some(("Remove the arguments", false)) };
    condition::check_first_error(context, FindingKind::Arity, &wording, report);
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn only_the_first_error_of_a_condition_is_reported() {
        check_rule(
            "wrong-argument-count",
            r#"
kind: Node
name: router
func: r.route
nodes:
  - {target: router, when: "$now(x) > y"}
#                           ^^^^^^^ error[wrong-argument-count]: `$now` takes no argument
  - {target: router, when: "$nope() or $now(x) > y"}
  - {target: router, when: "$now() > y"}
"#,
        );
    }
}
