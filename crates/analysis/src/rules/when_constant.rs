//! ## What it does
//!
//! Reports a condition of literals alone, other than a lone `true`, which says that an edge is always
//! followed.
//!
//! ## Why it matters
//!
//! The condition is the same in every run: the edge is always followed, or never.
//!
//! ## Example
//!
//! ```yaml expect=when-constant
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: "1 == 1"}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: done, when: "true"}
//! ---
//! kind: Node
//! name: done
//! func: r.done
//! ```

use nodewise_expr::check::FindingKind;

use super::condition::{self, Wording};
use crate::diagnostic::Severity;
use crate::rule::{Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "when-constant",
    spec: Some("liman:when-constant"),
    systems: &["liman"],
    severity: Severity::Warning,
    absence: false,
    about_syntax: false,
    about_form: false,
    needs: Needs::Nothing,
    check,
};

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
            "when-constant",
            r#"
kind: Node
name: router
func: r.route
nodes:
  - {target: router, when: "1 == '1'"}
#                           ^^^^^^^^ warning[when-constant]: the condition reads no variable: it is always the same
  - {target: router, when: "false"}
#                           ^^^^^ warning[when-constant]
  - {target: router, when: "true"}
  - {target: router, when: "$now() > 1"}
"#,
        );
    }
}
