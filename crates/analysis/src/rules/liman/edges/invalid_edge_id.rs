//! ## What it does
//!
//! Reports an edge id, or an entry of `depends`, that is neither a text nor a number.
//!
//! ## Why it matters
//!
//! No edge can have such an id; the packages reject the declaration.
//!
//! ## Example
//!
//! ```yaml expect=invalid-edge-id
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: a, id: true}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: a, id: go}
//! ```

use nodewise_dialect::bind::IssueKind;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};

pub(crate) static RULE: Rule = Rule {
    id: "invalid-edge-id",
    former: &["edge-bad-id"],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:edge-bad-id"),
        severity: Severity::Error,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for issue in context.documents().flat_map(|document| &document.faults.issues) {
        if let IssueKind::EdgeId(found) = issue.kind {
            report.push(
                Finding::new(issue.at, format!("an edge id is a text or a number, not {found}"))
                    .label("no edge can have it as its id")
                    .help("write a text or a number"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn ids_and_dependencies() {
        check_rule(
            "invalid-edge-id",
            r#"
kind: Node
name: router
func: r.route
nodes:
  - {target: router, when: a, id: x, depends: {id: y}}
#                                             ^^^^^^^ error[invalid-edge-id]: an edge id is a text or a number, not a mapping
  - {target: router, when: a, id: null, depends: [x, true]}
#                             ^^ error[invalid-edge-id]: an edge id is a text or a number, not nothing
#                                                    ^^^^ error[invalid-edge-id]: an edge id is a text or a number, not a boolean
  - {target: router, when: a, id: 7, depends: x}
  - {target: router, when: a, id: "8", depends: []}
"#,
        );
    }
}
