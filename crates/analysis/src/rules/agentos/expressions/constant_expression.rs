//! What `constant-expression` finds here. Reports a part of a routing expression of AgentOS that has the same
//! outcome in every run: a text where only truth counts, a comparison of two texts, a text that is ordered by
//! size.

use nodewise_expr::agentos::FindingKind;

use crate::diagnostic::Severity;
use crate::rule::{Context, Report, RulePart};
use crate::rules::agentos::routing;

pub(in crate::rules) static PART: RulePart =
    RulePart { spec: Some("agentos:I42"), severity: Severity::Error, check, ..RulePart::DEFAULT };

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
            "constant-expression",
            r#"
id: pick
type: router
executorConfig:
  type: router
  condition:
    type: expression
    expr: "status == 'done' || ready || 'b' < scratch.n ? a : b"
#          ^^^^^^^^^^^^^^^^ error[constant-expression]: `status == 'done'` reads no state: always false
#                              ^^^^^ error[constant-expression]: `ready` is a text here, and always true
#                                       ^^^ error[constant-expression]: `b` is no number: `<` never holds
"#,
        );
        check_rule(
            "constant-expression",
            r#"
id: pick
type: router
executorConfig: {type: router, condition: {type: expression, expr: "scratch.status == done ? a : b"}}
"#,
        );
    }
}
