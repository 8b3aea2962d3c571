//! What `missing-condition` finds here. Reports an edge without a condition, after overlays have added theirs.

use nodewise_dialect::bind::IssueKind;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Report, RulePart};

pub(in crate::rules) static PART: RulePart = RulePart {
    spec: Some("liman:when-missing"),
    severity: Severity::Error,
    absence: true,
    check,
    ..RulePart::DEFAULT
};

fn check(context: &Context<'_>, report: &mut Report) {
    for issue in context.effective().flat_map(|effective| &effective.faults.absences) {
        if matches!(issue.kind, IssueKind::MissingCondition) {
            report.push(
                Finding::new(issue.at, "the edge has no condition")
                    .label("the specification requires `when`")
                    .help("add `when: \"true\"` for an edge that is always followed"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn an_edge_needs_a_condition_and_a_plain_name_does_not() {
        check_rule(
            "missing-condition",
            r"
kind: Node
name: router
func: r.route
nodes:
  - router
  - {target: router}
#    ^^^^^^ error[missing-condition]: the edge has no condition
  - target: router
#   ^^^^^^ error[missing-condition]: the edge has no condition
    id: a
",
        );
    }

    #[test]
    fn release_edges_and_overlays_are_complete() {
        check_rule(
            "missing-condition",
            r"
#- /base.yaml
kind: Node
name: router
func: r.route
nodes:
  - {target: router, id: a}
#- /patches/when.yaml
kind: Overlay
to: Node:router
nodes: [{id: a, when: done}]
#- /tool.yaml
kind: Node
name: release
func: r.release
to: [{ref: Node/router}]
",
        );
    }
}
