//! What `constant-expression` finds here. Reports a condition of literals alone, other than a lone `true`, which
//! says that an edge is always followed.

use nodewise_expr::limance::check::FindingKind;

use crate::diagnostic::Severity;
use crate::rule::{Context, Report, RulePart};
use crate::rules::liman::conditions::condition::{self, Wording};

pub(in crate::rules) static PART: RulePart =
    RulePart { spec: Some("liman:when-constant"), severity: Severity::Warning, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    let wording = Wording { label: "it never changes", repair: None };
    condition::check(context, FindingKind::Constant, &wording, report);
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn only_a_lone_true_is_meant() {
        check_rule(
            "constant-expression",
            r#"
kind: Node
name: router
func: r.route
nodes:
  - {target: router, when: "1 == '1'"}
#                           ^^^^^^^^ warning[constant-expression]: the condition reads no variable: it is always the same
  - {target: router, when: "false"}
#                           ^^^^^ warning[constant-expression]
  - {target: router, when: "true"}
  - {target: router, when: "$now() > 1"}
"#,
        );
    }
}
