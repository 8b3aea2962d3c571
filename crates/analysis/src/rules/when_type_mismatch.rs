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
//! ```yaml expect=when-type-mismatch
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

use nodewise_expr::check::FindingKind;

use super::condition::{self, Wording};
use crate::diagnostic::Severity;
use crate::rule::{Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "when-type-mismatch",
    spec: Some("liman:when-type-mismatch"),
    systems: &["liman"],
    severity: Severity::Hint,
    absence: false,
    about_syntax: false,
    about_form: false,
    needs: Needs::Nothing,
    check,
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
            "when-type-mismatch",
            r#"
kind: Node
name: router
func: r.route
nodes:
  - {target: router, when: "code == '404' or code == 500"}
#                                            ^^^^ hint[when-type-mismatch]: `code` is compared with a text and with a number
  - {target: router, when: "code == 404 or code == 500"}
"#,
        );
    }
}
