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
//! ```yaml expect=edge-bad-id
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
use crate::rule::{Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "edge-bad-id",
    spec: Some("liman:edge-bad-id"),
    systems: &["liman"],
    severity: Severity::Error,
    absence: false,
    about_syntax: false,
    about_form: false,
    needs: Needs::Nothing,
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    for issue in context.documents().flat_map(|document| &document.issues) {
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
            "edge-bad-id",
            r#"
kind: Node
name: router
func: r.route
nodes:
  - {target: router, when: a, id: x, depends: {id: y}}
#                                             ^^^^^^^ error[edge-bad-id]: an edge id is a text or a number, not a mapping
  - {target: router, when: a, id: null, depends: [x, true]}
#                             ^^ error[edge-bad-id]: an edge id is a text or a number, not nothing
#                                                    ^^^^ error[edge-bad-id]: an edge id is a text or a number, not a boolean
  - {target: router, when: a, id: 7, depends: x}
  - {target: router, when: a, id: "8", depends: []}
"#,
        );
    }
}
