//! What `missing-condition` finds here. Reports an edge whose condition is there and empty: `when:` with nothing,
//! `null` or an empty text.

use nodewise_dialect::bind::IssueKind;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Report, RulePart};

pub(in crate::rules) static PART: RulePart =
    RulePart { spec: Some("liman:when-empty"), severity: Severity::Error, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    for issue in context.documents().flat_map(|document| &document.faults.issues) {
        if matches!(issue.kind, IssueKind::EmptyCondition) {
            report.push(
                Finding::new(issue.at, "the condition is empty")
                    .label("the packages would always follow the edge")
                    .help("write `\"true\"` for an edge that is always followed"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn nothing_null_and_empty_texts_are_empty() {
        check_rule(
            "missing-condition",
            r#"
kind: Node
name: router
func: r.route
nodes:
  - {target: router, when: ""}
#                          ^^ error[missing-condition]: the condition is empty
  - {target: router, when: null}
#                    ^^^^ error[missing-condition]: the condition is empty
  - target: router
    when:
#   ^^^^ error[missing-condition]: the condition is empty
  - {target: router, when: "true"}
"#,
        );
    }
}
