//! What `foreign-literal` finds here. Reports a variable that is another language's literal: `True`, `None`,
//! `nil`, `undefined`.

use nodewise_expr::limance::check::FindingKind;

use crate::diagnostic::Severity;
use crate::rule::{Context, Report, RulePart};
use crate::rules::liman::conditions::condition::{self, Wording};

pub(in crate::rules) static PART: RulePart = RulePart {
    spec: Some("liman:when-suspicious-name"),
    severity: Severity::Warning,
    check,
    ..RulePart::DEFAULT
};

fn check(context: &Context<'_>, report: &mut Report) {
    let wording = Wording { label: "no literal of LimanCE", repair: Some(("Write the literal", false)) };
    condition::check(context, FindingKind::SuspiciousName, &wording, report);
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn literals_of_other_languages() {
        check_rule(
            "foreign-literal",
            r"
kind: Node
name: router
func: r.route
nodes:
  - {target: router, when: ready == True}
#                                   ^^^^ warning[foreign-literal]: `True` is read as a variable
  - {target: router, when: undefined}
#                          ^^^^^^^^^ warning[foreign-literal]: `undefined` is read as a variable
  - {target: router, when: ready == true and owner.None == null}
",
        );
    }
}
