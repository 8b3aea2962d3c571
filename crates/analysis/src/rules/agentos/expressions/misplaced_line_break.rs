//! ## What it does
//!
//! Reports a line break that keeps a choice `condition ? one : other` of AgentOS from being read: before it,
//! behind it, or within one of its parts.
//!
//! ## Why it matters
//!
//! The runtime finds a choice only if each of its three parts stands on one line and the text ends with the last
//! one. A literal block (`|`) ends with a line break, so that its choice is compared as one long text.
//!
//! ## Example
//!
//! ```yaml expect=misplaced-line-break
//! id: pick
//! type: router
//! executorConfig:
//!   type: router
//!   condition:
//!     type: expression
//!     expr: |
//!       scratch.n > 3 ? 'many' : 'few'
//! executionMode: single_turn
//! effectClass: pure
//! checkpoint: none
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! id: pick
//! type: router
//! executorConfig:
//!   type: router
//!   condition:
//!     type: expression
//!     expr: |-
//!       scratch.n > 3 ? 'many' : 'few'
//! executionMode: single_turn
//! effectClass: pure
//! checkpoint: none
//! ```

use nodewise_expr::agentos::FindingKind;

use crate::diagnostic::Severity;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::agentos::routing;

pub(crate) static RULE: Rule = Rule {
    id: "misplaced-line-break",
    former: &["routing-line-break"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { spec: Some("agentos:I46"), severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let label = |kind| (kind == FindingKind::LineBreak).then_some("the choice is compared as one long text");
    routing::report(context, report, label, |_| true);
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    fn router(expression: &str) -> String {
        format!(
            "id: pick\ntype: router\nexecutorConfig:\n  type: router\n  condition:\n    type: expression\n    expr: {expression}\neffectClass: pure\n"
        )
    }

    #[test]
    fn line_breaks_around_the_marks_are_allowed() {
        for expression in [
            "|-\n      scratch.n > 3\n        ? 'a'\n        : 'b'",
            ">-\n      scratch.n > 3 ? 'a'\n      : 'b'",
            "|\n      scratch.n > 3",
        ] {
            check_rule("misplaced-line-break", &router(expression));
        }
    }

    #[test]
    fn each_way_to_write_it_is_fixed() {
        for (before, after) in [
            ("|\n      input.n ? a : b", "|-\n      input.n ? a : b"),
            (">\n      input.n ? a :\n      b", ">-\n      input.n ? a :\n      b"),
            ("\"input.n ? a : b\\n\"", "\"input.n ? a : b\""),
            ("|-\n      input.n\n      && input.m ? a : b", "|-\n      input.n && input.m ? a : b"),
        ] {
            check_fix("misplaced-line-break", &router(before), &router(after));
        }
    }
}
