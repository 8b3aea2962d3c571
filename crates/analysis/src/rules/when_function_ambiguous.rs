//! ## What it does
//!
//! Reports a condition that is a lone dotted name. It is the path of a function, not a variable.
//!
//! ## Why it matters
//!
//! A reader may take it for a variable. The function is imported and called without arguments; when there
//! is none, the edge is never followed. This is a hint: for a function it is the right form.
//!
//! ## Example
//!
//! ```yaml expect=when-function-ambiguous
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: ticket.closed}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: (ticket.closed)}
//! ```

use nodewise_expr::check::FindingKind;

use super::condition::{self, Wording};
use crate::diagnostic::Severity;
use crate::rule::{Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "when-function-ambiguous",
    spec: Some("liman:when-function-ambiguous"),
    systems: &["liman"],
    severity: Severity::Hint,
    absence: false,
    about_syntax: false,
    about_form: false,
    needs: Needs::Nothing,
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    let wording = Wording { label: "called as a function, without arguments", repair: None };
    condition::check(context, FindingKind::FunctionAmbiguous, &wording, report);
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn a_lone_dotted_name() {
        check_rule(
            "when-function-ambiguous",
            r"
kind: Node
name: router
func: r.route
nodes:
  - {target: router, when: shop.rules.can_ship}
#                          ^^^^^^^^^^^^^^^^^^^ hint[when-function-ambiguous]: `shop.rules.can_ship` alone is a function, not a variable
  - {target: router, when: (ticket.closed)}
  - {target: router, when: ticket.closed == true}
",
        );
    }
}
