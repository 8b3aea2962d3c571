//! ## What it does
//!
//! Reports a builtin that is called with the wrong number of arguments.
//!
//! ## Why it matters
//!
//! The condition fails when it is evaluated, so the edge is never followed.
//!
//! ## Example
//!
//! ```yaml expect=when-arity
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: $now(deadline) > 0}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: $now() > deadline}
//! ```

use nodewise_expr::check::FindingKind;

use super::condition::{self, Wording};
use crate::diagnostic::Severity;
use crate::rule::{Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "when-arity",
    spec: Some("liman:when-arity"),
    systems: &["liman"],
    severity: Severity::Error,
    absence: false,
    about_syntax: false,
    about_form: false,
    needs: Needs::Nothing,
    check,
};

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
            "when-arity",
            r#"
kind: Node
name: router
func: r.route
nodes:
  - {target: router, when: "$now(x) > y"}
#                           ^^^^^^^ error[when-arity]: `$now` takes no argument
  - {target: router, when: "$nope() or $now(x) > y"}
  - {target: router, when: "$now() > y"}
"#,
        );
    }
}
