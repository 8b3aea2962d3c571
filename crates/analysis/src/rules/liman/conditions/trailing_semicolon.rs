//! ## What it does
//!
//! Reports a `;` at the end of a condition. Under a release profile it is a warning.
//!
//! ## Why it matters
//!
//! The specification shows one in an example and allows it. The packages reject the condition, so the
//! edge is never followed.
//!
//! ## Example
//!
//! ```yaml expect=trailing-semicolon
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: ready;}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: ready}
//! ```

use nodewise_expr::limance::check::FindingKind;

use crate::diagnostic::Severity;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::liman::conditions::condition::{self, Wording};

pub(crate) static RULE: Rule = Rule {
    id: "trailing-semicolon",
    former: &["when-semicolon"],
    category: Category::Style,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:when-semicolon"),
        severity: Severity::Hint,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let wording =
        Wording { label: "the packages would never follow the edge", repair: Some(("Remove the `;`", true)) };
    for facts in condition::conditions(context) {
        let semicolons = facts
            .findings
            .iter()
            .filter(|finding| condition::is_kind(finding, FindingKind::TrailingSemicolon));
        for finding in semicolons {
            report.push_at(condition::release_severity(context), condition::shown(finding, &wording));
        }
    }
}

#[cfg(test)]
mod tests {
    use nodewise_dialect::tables::liman::{LIMAN, RELEASE_0_1_1};

    use crate::settings::Settings;
    use crate::testing::{check_rule, check_rule_with};

    #[test]
    fn at_the_end_only() {
        check_rule(
            "trailing-semicolon",
            r"
kind: Node
name: router
func: r.route
nodes:
  - {target: router, when: ready;}
#                               ^ hint[trailing-semicolon]
  - {target: router, when: ready}
",
        );
    }

    #[test]
    fn a_warning_under_a_release() {
        let release = Settings::default().following(&LIMAN, RELEASE_0_1_1);
        check_rule_with(
            "trailing-semicolon",
            &release,
            r"
kind: Node
name: router
func: r.route
nodes:
  - {target: router, when: ready;}
#                               ^ warning[trailing-semicolon]
",
        );
    }
}
