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
//! ```yaml expect=ambiguous-condition
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

use nodewise_expr::limance::check::FindingKind;

use crate::diagnostic::Severity;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::liman::conditions::condition::{self, Wording};

pub(crate) static RULE: Rule = Rule {
    id: "ambiguous-condition",
    former: &["when-function-ambiguous"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:when-function-ambiguous"),
        severity: Severity::Hint,
        check,
        ..RulePart::DEFAULT
    }],
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
            "ambiguous-condition",
            r"
kind: Node
name: router
func: r.route
nodes:
  - {target: router, when: shop.rules.can_ship}
#                          ^^^^^^^^^^^^^^^^^^^ hint[ambiguous-condition]: `shop.rules.can_ship` alone is a function, not a variable
  - {target: router, when: (ticket.closed)}
  - {target: router, when: ticket.closed == true}
",
        );
    }
}
