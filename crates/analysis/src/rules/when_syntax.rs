//! ## What it does
//!
//! Reports a condition that is not LimanCE: its first fault, at the character where it is.
//!
//! ## Why it matters
//!
//! No package checks conditions when it loads a file. At run time a condition that does not parse
//! counts as false: the edge is never followed, and nothing says so.
//!
//! ## Example
//!
//! ```yaml expect=when-syntax
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: "status = 'ok'"}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: "status == 'ok'"}
//! ```

use super::{condition, expression};
use crate::conditions::ConditionFindingKind;
use crate::diagnostic::Severity;
use crate::rule::{Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "when-syntax",
    spec: Some("liman:when-syntax"),
    systems: &["liman"],
    severity: Severity::Error,
    absence: false,
    about_syntax: false,
    about_form: false,
    needs: Needs::Nothing,
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    for finding in condition::conditions(context).flat_map(|facts| &facts.findings) {
        if finding.kind == ConditionFindingKind::Syntax {
            report.push(expression::shown(finding).label("the edge would never be followed"));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn the_first_fault_is_shown_at_its_character_through_quotes() {
        check_rule(
            "when-syntax",
            r#"
kind: Node
name: router
func: r.route
nodes:
  - {target: router, when: "status = 'ok'"}
#                                  ^ error[when-syntax]
"#,
        );
    }
}
