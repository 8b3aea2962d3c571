//! ## What it does
//!
//! Reports an edge that depends on itself.
//!
//! ## Why it matters
//!
//! The edge waits for itself and is never followed.
//!
//! ## Example
//!
//! ```yaml expect=edge-self-depends
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: a, id: go, depends: go}
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

use super::wording::short;
use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "edge-self-depends",
    spec: Some("liman:edge-self-depends"),
    systems: &["liman"],
    severity: Severity::Error,
    absence: false,
    about_syntax: false,
    about_form: false,
    needs: Needs::Nothing,
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    for edge in context.nodes().flat_map(|node| &node.edges) {
        let Some(id) = &edge.id else { continue };
        for depends in edge.depends.iter().filter(|depends| depends.value == id.value) {
            report.push(
                Finding::new(depends.at, format!("the edge `{}` depends on itself", short(&id.value)))
                    .label("it would wait for itself")
                    .help("name another edge, or leave it out"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn among_others() {
        check_rule(
            "edge-self-depends",
            r#"
kind: Node
name: router
func: r.route
nodes:
  - {target: router, when: a, id: 1, depends: ["1"]}
#                                              ^^^ error[edge-self-depends]: the edge `1` depends on itself
  - {target: router, when: a, id: x, depends: [1, x]}
#                                                 ^ error[edge-self-depends]: the edge `x` depends on itself
"#,
        );
    }
}
