//! ## What it does
//!
//! Reports a variable that one condition compares with a text and with a number.
//!
//! ## Why it matters
//!
//! A text never equals a number, and comparing their order fails: one of the two comparisons cannot
//! hold.
//!
//! ## Example
//!
//! ```yaml expect=inconsistent-comparison
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: "code == '404' or code == 500"}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: code == 404 or code == 500}
//! ```

use nodewise_expr::limance::check::FindingKind;

use crate::diagnostic::Severity;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::liman::conditions::condition::{self, Wording};

pub(crate) static RULE: Rule = Rule {
    id: "inconsistent-comparison",
    former: &["when-type-mismatch"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:when-type-mismatch"),
        severity: Severity::Hint,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let wording = Wording { label: "one of the two comparisons cannot hold", repair: None };
    condition::check(context, FindingKind::TypeMismatch, &wording, report);
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn one_variable_and_two_types() {
        check_rule(
            "inconsistent-comparison",
            r#"
kind: Node
name: router
func: r.route
nodes:
  - {target: router, when: "code == '404' or code == 500"}
#                                            ^^^^ hint[inconsistent-comparison]: `code` is compared with a text and with a number
  - {target: router, when: "code == 404 or code == 500"}
"#,
        );
    }
}
