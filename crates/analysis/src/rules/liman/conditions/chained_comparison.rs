//! ## What it does
//!
//! Reports a comparison of a comparison: `0 < x < 10`.
//!
//! ## Why it matters
//!
//! The specification reads it as the conjunction of neighbours. The packages reject the condition, so
//! the edge is never followed.
//!
//! ## Example
//!
//! ```yaml expect=chained-comparison
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: 0 < tries < 3}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: 0 < tries and tries < 3}
//! ```

use nodewise_expr::limance::check::FindingKind;

use crate::diagnostic::Severity;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::liman::conditions::condition::{self, Wording};

pub(crate) static RULE: Rule = Rule {
    id: "chained-comparison",
    former: &["when-chained"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:when-chained"),
        severity: Severity::Warning,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let wording = Wording {
        label: "the packages would never follow the edge",
        repair: Some(("Spell the chain out", true)),
    };
    condition::check(context, FindingKind::ChainedComparison, &wording, report);
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn chains_of_any_length() {
        check_rule(
            "chained-comparison",
            r"
kind: Node
name: router
func: r.route
nodes:
  - {target: router, when: 0 < tries < 3}
#                          ^^^^^^^^^^^^^ warning[chained-comparison]
  - {target: router, when: a == b == c == d}
#                          ^^^^^^^^^^^^^^^^ warning[chained-comparison]
  - {target: router, when: a < b and b < c}
",
        );
    }
}
