//! ## What it does
//!
//! Reports `and` and `or` side by side without parentheses, and a negation that more logic follows.
//! The first such place of a condition is shown.
//!
//! ## Why it matters
//!
//! The specification's `and` binds tighter than `or`, and `not` takes one term. Release 0.1.1 knows no
//! precedence and lets `not` take everything behind it: the same condition means something else there.
//! With parentheses both agree.
//!
//! ## Example
//!
//! ```yaml expect=mixed-logic
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: "paid && checked || vip"}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: "(paid && checked) || vip"}
//! ```

use nodewise_dialect::tables::liman::LIMAN;
use nodewise_expr::limance::check::FindingKind;
use nodewise_expr::limance::{ReleaseDifference, release_verdict};

use crate::diagnostic::Severity;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::liman::conditions::condition::{self, Wording, is_kind};
use crate::settings::Profile;

pub(crate) static RULE: Rule = Rule {
    id: "mixed-logic",
    former: &["when-mixed-logic"],
    category: Category::Suspicious,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:when-mixed-logic"),
        severity: Severity::Warning,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    // The fix keeps the meaning under the specification. Users of a release may have meant the other one.
    let safe = context.file.settings.profile(&LIMAN) == Profile::Specification;
    let wording =
        Wording { label: "release 0.1.1 knows no precedence", repair: Some(("Add the parentheses", safe)) };
    for facts in condition::conditions(context) {
        for finding in facts.findings.iter().filter(|finding| is_kind(finding, FindingKind::MixedLogic)) {
            let shown = condition::shown(finding, &wording);
            report.push(match release_verdict(&facts.text) {
                ReleaseDifference::Groups(reading) => {
                    shown.label(format!("release 0.1.1 reads `{}`", reading.printed))
                }
                _ => shown,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn once_for_each_condition() {
        check_rule(
            "mixed-logic",
            r#"
kind: Node
name: router
func: r.route
nodes:
  - {target: router, when: "a && b || c"}
#                           ^^^^^^^^^^^ warning[mixed-logic]: `and` and `or` stand side by side without parentheses
  - {target: router, when: not a and b}
#                          ^^^^^^^^^^^ warning[mixed-logic]: a negation is followed by more logic without parentheses
  - {target: router, when: "(a && b || c) && (d && e || f)"}
#                            ^^^^^^^^^^^ warning[mixed-logic]
  - {target: router, when: a and not b}
  - {target: router, when: (not a) and b}
"#,
        );
    }
}
