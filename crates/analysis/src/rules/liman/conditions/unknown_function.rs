//! What `unknown-function` finds here. Reports a call of a builtin that LimanCE does not have.

use nodewise_expr::limance::check::FindingKind;

use crate::diagnostic::Severity;
use crate::rule::{Context, Report, RulePart};
use crate::rules::liman::conditions::condition::{self, Wording};

pub(in crate::rules) static PART: RulePart = RulePart {
    spec: Some("liman:when-unknown-builtin"),
    severity: Severity::Error,
    check,
    ..RulePart::DEFAULT
};

fn check(context: &Context<'_>, report: &mut Report) {
    let wording =
        Wording { label: "the edge would never be followed", repair: Some(("Correct the name", false)) };
    condition::check_first_error(context, FindingKind::UnknownBuiltin, &wording, report);
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn only_the_first_error_of_a_condition_is_reported() {
        check_rule(
            "unknown-function",
            r#"
kind: Node
name: router
func: r.route
nodes:
  - {target: router, when: "$is_failed() or $nope()"}
#                           ^^^^^^^^^^ error[unknown-function]: there is no builtin `$is_failed`
  - {target: router, when: "$now(x) > y or $nope()"}
  - {target: router, when: "$is_error(Timeout)"}
"#,
        );
    }
}
