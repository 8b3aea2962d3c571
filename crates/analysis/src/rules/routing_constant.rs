//! ## What it does
//!
//! Reports a part of a routing expression of AgentOS that has the same outcome in every run: a text where only
//! truth counts, a comparison of two texts, a text that is ordered by size.
//!
//! ## Why it matters
//!
//! A word that is no path stands for itself. `ready ? 'send' : 'wait'` always leads to `send`, because a text is
//! true; `count > 3` never holds, because `count` is no number.
//!
//! ## Example
//!
//! ```yaml expect=routing-constant
//! id: pick
//! type: router
//! executorConfig:
//!   type: router
//!   condition: {type: expression, expr: "count > 3 ? 'many' : 'few'"}
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
//!   condition: {type: expression, expr: "scratch.count > 3 ? 'many' : 'few'"}
//! executionMode: single_turn
//! effectClass: pure
//! checkpoint: none
//! ```

use nodewise_expr::agentos::FindingKind;

use super::routing;
use crate::diagnostic::Severity;
use crate::rule::{Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "routing-constant",
    spec: Some("agentos:I42"),
    systems: &["agentos"],
    severity: Severity::Error,
    absence: false,
    about_syntax: false,
    about_form: false,
    needs: Needs::Nothing,
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    routing::report(context, report, label, |_| false);
}

fn label(kind: FindingKind) -> Option<&'static str> {
    match kind {
        FindingKind::ConstantText | FindingKind::ConstantComparison | FindingKind::NotANumber => {
            Some("the state has no part in it")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn parts_that_read_no_state() {
        check_rule(
            "routing-constant",
            r#"
id: pick
type: router
executorConfig:
  type: router
  condition:
    type: expression
    expr: "status == 'done' || ready || 'b' < scratch.n ? a : b"
#          ^^^^^^^^^^^^^^^^ error[routing-constant]: `status == 'done'` reads no state: always false
#                              ^^^^^ error[routing-constant]: `ready` is a text here, and always true
#                                       ^^^ error[routing-constant]: `b` is no number: `<` never holds
"#,
        );
        check_rule(
            "routing-constant",
            r#"
id: pick
type: router
executorConfig: {type: router, condition: {type: expression, expr: "scratch.status == done ? a : b"}}
"#,
        );
    }
}
