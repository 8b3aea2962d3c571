//! ## What it does
//!
//! Reports an edge without a condition, after overlays have added theirs. An edge that is always
//! followed says so: `when: "true"`, or it is a plain name.
//!
//! ## Why it matters
//!
//! The specification requires a condition. The packages follow such an edge always, which may not be
//! what was meant.
//!
//! ## Example
//!
//! ```yaml expect=when-missing
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: done, when: "true"}
//! ---
//! kind: Node
//! name: done
//! func: r.done
//! ```

use nodewise_dialect::bind::IssueKind;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "when-missing",
    spec: Some("liman:when-missing"),
    systems: &["liman"],
    severity: Severity::Error,
    absence: true,
    about_syntax: false,
    about_form: false,
    needs: Needs::Nothing,
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    for issue in context.effective().flat_map(|effective| &effective.absences) {
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
            "when-missing",
            r"
kind: Node
name: router
func: r.route
nodes:
  - router
  - {target: router}
#    ^^^^^^ error[when-missing]: the edge has no condition
  - target: router
#   ^^^^^^ error[when-missing]: the edge has no condition
    id: a
",
        );
    }

    #[test]
    fn release_edges_and_overlays_are_complete() {
        check_rule(
            "when-missing",
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
