//! ## What it does
//!
//! Reports a variable that is another language's literal: `True`, `None`, `nil`, `undefined`.
//!
//! ## Why it matters
//!
//! LimanCE writes `true`, `false` and `null` in lower case only. Anything else is a variable; when it is
//! not there, the condition fails and the edge is never followed.
//!
//! ## Example
//!
//! ```yaml expect=when-suspicious-name
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: owner != None}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: owner != null}
//! ```

use nodewise_expr::check::FindingKind;

use super::condition::{self, Wording};
use crate::diagnostic::Severity;
use crate::rule::{Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "when-suspicious-name",
    spec: Some("liman:when-suspicious-name"),
    systems: &["liman"],
    severity: Severity::Warning,
    absence: false,
    about_syntax: false,
    about_form: false,
    needs: Needs::Nothing,
    check,
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
            "when-suspicious-name",
            r"
kind: Node
name: router
func: r.route
nodes:
  - {target: router, when: ready == True}
#                                   ^^^^ warning[when-suspicious-name]: `True` is read as a variable
  - {target: router, when: undefined}
#                          ^^^^^^^^^ warning[when-suspicious-name]: `undefined` is read as a variable
  - {target: router, when: ready == true and owner.None == null}
",
        );
    }
}
